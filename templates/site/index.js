"use strict";
(function () {
  var form = document.getElementById("search"), who = document.getElementById("who");
  var game = document.getElementById("game"), year = document.getElementById("year");
  var count = document.getElementById("count");
  var entries = Array.prototype.slice.call(document.getElementById("matches").children);
  var texts = entries.map(function (each) {
    return each.querySelector(".who").textContent.toLowerCase();
  });
  function search() {
    var wanted = who.value.trim().toLowerCase(), found = 0;
    entries.forEach(function (each, n) {
      var fits = texts[n].indexOf(wanted) >= 0
        && (!game.value || each.dataset.game === game.value)
        && (!year.value || each.dataset.year === year.value);
      each.hidden = !fits;
      found += fits ? 1 : 0;
    });
    count.textContent = count.dataset.words.replace("{}", found);
  }
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  [who, game, year].forEach(function (each) { each.addEventListener("input", search); });
  form.hidden = false;
  search();
}());
