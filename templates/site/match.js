"use strict";
(function () {
  var data = JSON.parse(document.getElementById("data").textContent);
  var slider = document.getElementById("step"), now = document.getElementById("now");
  var panels = document.getElementById("panels"), play = document.getElementById("run");
  var svg = "http://www.w3.org/2000/svg", at = data.steps.length - 1, shown = data.cells.slice();
  var groups = shown.map(function (_, n) { return document.getElementById("c" + n); });
  var timer = null, words = now.textContent, drawn = null;
  data.steps.forEach(function (step) {
    for (var i = 0; step.c && i < step.c.length; i += 2) shown[step.c[i]] = step.c[i + 1];
  });
  function draw(n) {
    var look = data.looks[shown[n]], group = groups[n], text = group.lastChild;
    group.firstChild.textContent = look[3];
    group.children[1].setAttribute("fill", look[0]);
    group.children[2].textContent = look[1];
    text.textContent = "";
    look[2].forEach(function (mark) {
      var part = document.createElementNS(svg, "tspan");
      part.setAttribute("fill", mark[1]);
      part.textContent = mark[0];
      text.appendChild(part);
    });
  }
  function board(k) {
    var cells = data.cells.slice();
    for (var s = 1; s <= k; s += 1) {
      var c = data.steps[s].c || [];
      for (var i = 0; i < c.length; i += 2) cells[c[i]] = c[i + 1];
    }
    var hot = {}, own = data.steps[k].c || [];
    for (var j = 0; j < own.length; j += 2) hot[own[j]] = true;
    for (var n = 0; n < cells.length; n += 1) {
      if (cells[n] !== shown[n]) { shown[n] = cells[n]; draw(n); }
      groups[n].setAttribute("class", hot[n] ? "hot" : "");
    }
  }
  function side(k) {
    while (!data.steps[k].p) k -= 1;
    if (drawn === data.steps[k].p) return;
    drawn = data.steps[k].p;
    panels.textContent = "";
    drawn.forEach(function (number) {
      var panel = data.panels[number], section = document.createElement("section");
      var title = document.createElement("h3"), list = document.createElement("ul");
      title.textContent = data.texts[panel[0]];
      panel.slice(1).forEach(function (text) {
        list.appendChild(document.createElement("li")).textContent = data.texts[text];
      });
      section.appendChild(title);
      section.appendChild(list);
      panels.appendChild(section);
    });
  }
  function go(k) {
    k = Math.max(0, Math.min(k, data.steps.length - 1));
    var before = document.querySelector(".moves .here"), item = document.getElementById("s" + k);
    if (before) before.classList.remove("here");
    if (item) item.classList.add("here");
    at = k;
    board(k);
    side(k);
    slider.value = k;
    now.textContent = item ? k + ". " + item.textContent : "0";
    slider.setAttribute("aria-valuetext", now.textContent);
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.setAttribute("aria-pressed", "false");
  }
  function run() {
    if (timer) { stop(); return; }
    if (at === data.steps.length - 1) go(0);
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(function () {
      go(at + 1);
      if (at === data.steps.length - 1) stop();
    }, 700);
  }
  function by(n) { return function () { stop(); go(at + n); }; }
  var first = by(-Infinity), last = by(Infinity), back = by(-1), next = by(1);
  var keys = { ArrowLeft: back, ArrowRight: next, Home: first, End: last, " ": run };
  document.getElementById("first").addEventListener("click", first);
  document.getElementById("back").addEventListener("click", back);
  document.getElementById("next").addEventListener("click", next);
  document.getElementById("last").addEventListener("click", last);
  play.addEventListener("click", run);
  slider.addEventListener("input", function () { stop(); go(Number(slider.value)); });
  document.addEventListener("keydown", function (event) {
    var name = event.target.tagName, act = keys[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (name === "INPUT" || (event.key === " " && /^(BUTTON|A|SUMMARY)$/.test(name))) return;
    event.preventDefault();
    act();
  });
  document.getElementById("controls").hidden = false;
  slider.setAttribute("aria-valuetext", words);
}());
