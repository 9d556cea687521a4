"use strict";
(function () {
  var data = JSON.parse(document.getElementById("data").textContent);
  var slider = document.getElementById("step"), now = document.getElementById("now");
  var panels = document.getElementById("panels"), play = document.getElementById("run");
  var svg = "http://www.w3.org/2000/svg", at = data.steps.length - 1;
  var over = document.getElementById("over"), list = document.getElementById("list");
  var timer = null, words = now.textContent, drawn = null, shown = cells(at);
  function cells(k) {
    var found = data.cells.slice();
    for (var s = 1; s <= k; s += 1) {
      var c = data.steps[s].c || [];
      for (var i = 0; i < c.length; i += 2) found[c[i]] = c[i + 1];
    }
    return found;
  }
  function latest(k, name) {
    while (!(name in data.steps[k])) k -= 1;
    return data.steps[k][name];
  }
  function use(into, name, n, ghost) {
    var part = document.createElementNS(svg, "use");
    part.setAttribute("href", name);
    if (n >= 0) {
      part.setAttribute("x", data.spaces[n][1]);
      part.setAttribute("y", data.spaces[n][2]);
    }
    if (ghost) part.setAttribute("class", "ghost");
    into.appendChild(part);
  }
  function bare(look) { return !document.getElementById("l" + look).firstChild; }
  function draw(n) {
    var group = document.getElementById("c" + n);
    group.firstChild.textContent = data.spaces[n][0] + " " + data.looks[shown[n]];
    group.lastChild.setAttribute("href", "#l" + shown[n]);
  }
  function board(k) {
    var before = cells(k - 1), own = data.steps[k].c || [], after = before.slice(), n;
    over.textContent = "";
    for (var j = 0; j < own.length; j += 2) {
      n = own[j];
      after[n] = own[j + 1];
      use(over, "#frame", n);
      if (bare(after[n]) && !bare(before[n])) use(over, "#l" + before[n], n, true);
    }
    (data.steps[k].w || []).forEach(function (way) { use(over, "#f" + way, -1); });
    for (n = 0; n < after.length; n += 1) {
      if (after[n] !== shown[n]) { shown[n] = after[n]; draw(n); }
    }
    latest(k, "t").forEach(function (parts, track) {
      var group = document.getElementById("t" + track);
      group.textContent = "";
      parts.forEach(function (part) { use(group, "#f" + part, -1); });
    });
    var states = latest(k, "a");
    for (n = 0; document.getElementById("a" + n); n += 1) {
      if (states.indexOf(n) < 0) document.getElementById("a" + n).setAttribute("class", "off");
      else document.getElementById("a" + n).removeAttribute("class");
    }
  }
  function side(k) {
    if (drawn === latest(k, "p")) return;
    drawn = latest(k, "p");
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
    if (item) {
      item.classList.add("here");
      var above = item.getBoundingClientRect().top - list.getBoundingClientRect().top;
      list.scrollTop += above - list.clientHeight / 3;
    }
    at = k;
    board(k);
    side(k);
    slider.value = k;
    now.textContent = item ? k + ". " : "0";
    if (item) now.append.apply(now, item.cloneNode(true).childNodes);
    now.className = item ? item.className.replace("here", "") : "";
    now.dataset.l = item && item.dataset.l || "";
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
  list.addEventListener("click", function (event) {
    var item = event.target.closest("li");
    if (item) { stop(); go(Number(item.id.slice(1))); }
  });
  document.addEventListener("keydown", function (event) {
    var name = event.target.tagName, act = keys[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // What can be scrolled is scrolled by these keys.
    if (event.target.closest("pre,.wide,.list")) return;
    if (name === "INPUT" || (event.key === " " && /^(BUTTON|A|SUMMARY)$/.test(name))) return;
    event.preventDefault();
    act();
  });
  document.getElementById("controls").hidden = false;
  slider.setAttribute("aria-valuetext", words);
}());
