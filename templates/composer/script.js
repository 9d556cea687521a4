"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg", FINGER = 44, LONGEST_LINK = 1900;
  const TAGS = new Set(("svg g defs use symbol clipPath rect circle ellipse path text tspan").split(" "));
  const NAMES = new Set(("x y x1 y1 width height rx ry cx cy r d id href viewBox transform opacity fill " +
    "stroke stroke-opacity stroke-width stroke-dasharray stroke-linecap stroke-linejoin fill-rule clip-path " +
    "textLength lengthAdjust font-family font-size font-weight text-anchor paint-order").split(" "));
  const at = (id) => document.getElementById(id);
  const texts = JSON.parse(at("words").textContent);
  let turn = null, words = Object.values(texts.languages)[0], orders = [], spaces = new Map();
  let kind = "", chosen = [], picked = new Set(), kept = [], opened = null;

  // ---- a turn, taken from the page or from the link

  const packed = () => at("turn").textContent.trim() || location.hash.slice(1);

  // The page sends to its referee alone, whatever a link says: to its address as it is, or with the code of the box.
  const isOurs = (to, code) => [texts.to, texts.to.replace("@", `+${code.replace("-", "").toLowerCase()}@`)].includes(to);

  // A second line would be an order nobody chose, and in the subject it would be another header.
  const isLine = (text) => typeof text === "string" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

  // The reply code in the box, which is empty and names the turn that the page shows; else nothing.
  function codeOf({ box, match, turn, seat, at }) {
    if (!Array.isArray(box) || box.length !== 2 || !box.every(isLine) || !/^=== \p{L}+ ===$/u.test(box[1])) return "";
    const head = /^=== ([a-z][a-z0-9]*-\d+) · \p{L}+ (\d+) · (.+) · e(\d+) · ([0-9A-Z]{4}-[0-9A-Z]{4}) ===$/u.exec(box[0]);
    const named = head && [match, turn, seat, at].every((each, n) => String(each) === head[n + 1]);
    return named ? head[5] : "";
  }

  async function open() {
    const text = packed();
    if (!text) return fault("empty");
    let found;
    try {
      found = await unpacked(text);
    } catch {
      return fault("cut");
    }
    if (!found || found.v !== texts.v) return fault("version");
    const code = codeOf(found), written = [found.subject, found.ends || "", found.passes || "", ...String(found.orders).split("\n")];
    if (!code || !written.every(isLine)) return fault("unlike");
    if (!isOurs(found.to, code)) return fault("foreign");
    try {
      begin(found);
    } catch {
      fault("cut");
    }
  }

  function fault(key) {
    at("page").hidden = at("foot").hidden = true;
    const told = Object.entries(texts.languages).map(([code, each]) => paragraph(each[key], code));
    at("fault").className = "";
    at("fault").replaceChildren(...told);
    done();
  }

  function done() {
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  }

  // ---- small helpers; nothing a turn holds ever becomes markup

  function element(tag, text, name) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  }

  function paragraph(text, language) {
    const made = element("p", text);
    if (language) made.lang = language;
    return made;
  }

  function button(text, key, act) {
    const made = element("button", text);
    made.type = "button";
    made.dataset.key = key;
    made.addEventListener("click", act);
    return made;
  }

  const filled = (text, ...values) => values.reduce((said, each) => said.replace("{}", () => String(each)), text);

  function drawing(node) {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !TAGS.has(node.tagName)) return null;
    const made = document.createElementNS(SVG, node.tagName);
    for (const { name, value } of node.attributes) {
      const inside = name === "href" ? value.startsWith("#") : name === "clip-path" ? /^url\(#\w+\)$/.test(value) : !/url|[:\\]/i.test(value);
      if (NAMES.has(name) && inside) made.setAttribute(name, value);
    }
    for (const each of node.childNodes) {
      const child = drawing(each);
      if (child) made.appendChild(child);
    }
    return made;
  }

  // What the button of a word says.
  const label = (word) => (spaces.has(word) && spaces.get(word)[5]) || word;

  function picture(text) {
    const made = drawing(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
    made.setAttribute("aria-hidden", "true");
    return made;
  }

  // ---- orders: a line is a row of runs, and within a run the sequence means nothing

  function order(line, path) {
    const parts = path.split(" "), letters = turn.loose[`${parts[0]} ${parts.length}`];
    const runs = [];
    parts.forEach((word, n) => {
      if (letters && n && letters[n] === letters[n - 1]) runs[runs.length - 1].push(word);
      else runs.push([word]);
    });
    return { line, runs };
  }

  // The words that may follow those chosen in an order: none if it is complete, null if they do not fit.
  function following(runs, taken) {
    let n = 0, left = runs[0].slice();
    for (const word of taken) {
      if (!left.length) {
        n += 1;
        if (n === runs.length) return null;
        left = runs[n].slice();
      }
      const found = left.indexOf(word);
      if (found < 0) return null;
      left.splice(found, 1);
    }
    return left.length || n + 1 === runs.length ? left : runs[n + 1];
  }

  const ends = (line) => line !== "" && (line === turn.ends || line === turn.passes);

  // The orders that may follow those kept; behind these the tick ends the turn.
  const remaining = () => orders.filter(({ line }) => !kept.includes(line) && !(kept.length && ends(line)));

  function looked(taken) {
    const next = new Set();
    let line = null, fits = false;
    for (const each of remaining()) {
      const left = following(each.runs, taken);
      if (!left) continue;
      fits = true;
      if (!left.length) line = each.line;
      left.forEach((word) => next.add(word));
    }
    return { next: [...next], line, fits };
  }

  function choose(word) {
    chosen.push(word);
    picked.add(chosen.length - 1);
    // Where only one word can follow nothing is left to choose.
    for (let found = looked(chosen); !found.line && found.next.length === 1; found = looked(chosen)) chosen.push(found.next[0]);
    show();
  }

  function takeBack(word) {
    const n = chosen.lastIndexOf(word), before = chosen.slice(0, n);
    // What followed by itself goes too; what was picked later stays if it can.
    const later = chosen.filter((_, each) => each > n && picked.has(each));
    chosen = looked([...before, ...later]).fits ? [...before, ...later] : before;
    picked = new Set([...chosen.keys()].filter((each) => each >= n || picked.has(each)));
    while (chosen.length > 1 && !picked.has(chosen.length - 1) && !looked(chosen).line && looked(chosen).next.length === 1) chosen.pop();
    show();
  }

  function restart(word) {
    kind = word;
    chosen = word ? [word] : [];
    picked = new Set([0]);
    opened = null;
  }

  const lines = () => {
    const line = chosen.length ? looked(chosen).line : null;
    return line ? [...kept, line] : kept;
  };

  // ---- what is shown

  function begin(found) {
    turn = found;
    words = texts.languages[turn.language] || words;
    document.documentElement.lang = turn.language in texts.languages ? turn.language : document.documentElement.lang;
    document.title = at("title").textContent = filled(words.title, turn.game, turn.match, turn.turn);
    for (const each of document.querySelectorAll("[data-word]")) each.textContent = words[each.dataset.word];
    for (const each of document.querySelectorAll("[data-name]")) each.setAttribute("aria-label", words[each.dataset.name]);
    at("asked").replaceChildren(...turn.asked.map((each) => paragraph(each)));
    at("headline").textContent = filled(words.headline, turn.seat);
    at("until").textContent = turn.until;
    at("until").hidden = !turn.until;
    const style = document.documentElement.style;
    if (turn.ink.every((each) => /^#[0-9a-f]{6}$/.test(each))) {
      style.setProperty("--seat", turn.ink[0]);
      style.setProperty("--seat-ink", turn.ink[1]);
    }
    const paths = (turn.paths || turn.orders).split("\n");
    orders = turn.orders.split("\n").filter(Boolean).map((line, n) => order(line, paths[n]));
    spaces = new Map(turn.spaces.map((each) => [each[0], each]));
    at("ends").textContent = filled(words.ends, turn.ends);
    at("picture").replaceChildren(picture(turn.board));
    at("told").replaceChildren(...turn.told.map(([title, said]) => {
      const made = element("p");
      made.append(element("b", `${title}:`), ` ${said}`);
      return made;
    }));
    at("secret").hidden = !turn.secrets.length;
    at("secrets").replaceChildren(...turn.secrets.flatMap(([title, said]) => {
      const list = element("ul");
      list.append(...said.map((each) => element("li", each)));
      return [element("h3", title), list];
    }));
    kept = [];
    const kinds = [...new Set(orders.map((each) => each.runs[0][0]))];
    // The first kind that is composed of several words stands open: its spaces are on the board.
    restart(kinds.find((each) => orders.some(({ runs }) => runs[0][0] === each && runs.length > 1)) || "");
    at("fault").replaceChildren();
    at("page").hidden = at("foot").hidden = false;
    show();
    remark();
    done();
  }

  function show() {
    const active = document.activeElement, key = active && active.dataset.key, place = active && active.closest("[role=group],ul");
    const found = chosen.length ? looked(chosen) : { next: [], line: null }, said = lines();
    kinds();
    spots(found);
    choices(found);
    listed(found);
    mail(said);
    if (key && !document.contains(active)) refocus(key, place);
  }

  function refocus(key, place) {
    const same = place && [...place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
    const other = at("choices").querySelector("summary,button") || at("spots").querySelector("button");
    (same || other || at("send")).focus();
  }

  function kinds() {
    const all = [...new Set(remaining().map((each) => each.runs[0][0]))];
    at("kinds").replaceChildren(...all.map((each) => {
      const made = button(each, each, () => {
        restart(each);
        show();
      });
      made.setAttribute("aria-pressed", String(each === kind));
      return made;
    }));
  }

  function spots(found) {
    const [wide, high, unit, edge, tall] = turn.measures, taken = chosen.slice(1).filter((each) => spaces.has(each));
    const open = found.next.filter((each) => spaces.has(each));
    // Where most of the board can be chosen a frame around each space would bury it.
    const many = open.filter((each) => spaces.get(each)[4]).length > turn.size / 2;
    at("spots").classList.toggle("many", many);
    at("legend").textContent = many ? words.legend.replace("+", "•") : words.legend;
    const names = [...spaces.keys()].filter((each) => taken.includes(each) || open.includes(each));
    // Of all spots one stands in the sequence of the tabulator; the arrows lead to the others.
    const first = names.includes(opened) ? opened : names.find((each) => open.includes(each)) || names[0];
    at("spots").replaceChildren(...names.map((name) => {
      const [, down, right, about, free] = spaces.get(name), is = taken.includes(name);
      const made = button("", name, () => {
        opened = name;
        (is ? takeBack : choose)(name);
      });
      made.className = "spot" + (is ? " chosen" : "") + (free ? " free" : "");
      made.setAttribute("aria-label", filled(words[is ? "chosen" : "can_be"], about));
      if (is) made.setAttribute("aria-pressed", "true");
      if (is && free) made.append(picture(turn.piece));
      made.tabIndex = name === first ? 0 : -1;
      made.style.left = `${((edge + right) / wide) * 100}%`;
      made.style.top = `${((edge + down) / high) * 100}%`;
      made.style.width = `${(unit / wide) * 100}%`;
      made.style.height = `${(tall / high) * 100}%`;
      return made;
    }));
  }

  function choices(found) {
    const kindOf = (each) => spaces.has(each), row = element("div", undefined, "row");
    row.append(...found.next.filter((each) => !kindOf(each)).map((each) => button(each, each, () => choose(each))));
    const onBoard = found.next.filter(kindOf), parts = row.childElementCount ? [row] : [];
    if (onBoard.length) {
      const before = at("choices").querySelector("details"), list = element("details"), inside = element("div", undefined, "row");
      list.open = before ? before.open : onBoard.length < 9;
      inside.append(...onBoard.map((each) => {
        const made = button(label(each), each, () => choose(each));
        made.setAttribute("aria-label", spaces.get(each)[3]);
        return made;
      }));
      list.append(element("summary", filled(words.as_buttons, onBoard.length)), inside);
      parts.push(list);
    }
    at("choices").replaceChildren(...parts);
  }

  function listed(found) {
    const begun = chosen.length > 1 && !found.line && `${chosen.map(label).join(" ")} …`, list = kept.map((line, n) => item(line, line, () => kept.splice(n, 1)));
    if (found.line || begun) {
      list.push(item(found.line || begun, chosen.join(" "), () => {
        restart(found.line === kind ? "" : kind);
      }));
    }
    at("orders").replaceChildren(...list);
    const left = found.line ? (found.next.length ? "may_add" : "whole") : chosen.length > 1 ? "go_on" : kept.length ? "whole" : "begin";
    const shown = turn.count > orders.length ? ` ${filled(words.not_all, orders.length, turn.count)}` : "";
    at("hint").textContent = words[left] + shown;
    const more = orders.some(({ line }) => line !== found.line && !kept.includes(line) && !ends(line));
    at("more").hidden = !found.line || ends(found.line) || !more;
    at("risk").hidden = !kept.length;
    at("line").textContent = lines().join(" · ") || begun || "–";
  }

  function item(line, name, act) {
    const made = element("li"), away = button("×", `remove ${name}`, () => {
      act();
      show();
    });
    away.setAttribute("aria-label", filled(words.remove, line));
    made.append(element("code", line), away);
    return made;
  }

  function mail(said) {
    const goesOn = turn.ends && said.length && !said.some(ends);
    at("closing").hidden = !goesOn;
    if (goesOn && at("end").checked) said = [...said, turn.ends];
    const tried = at("try").checked && said.length ? [words.preview_word] : [];
    const text = [turn.box[0], ...tried, ...said, turn.box[1]];
    at("text").value = text.join("\n");
    at("text").rows = text.length + 2;
    const to = turn.to.split("@").map(encodeURIComponent).join("@");
    const link = `mailto:${to}?subject=${encodeURIComponent(turn.subject)}&body=${encodeURIComponent(text.join("\r\n"))}`;
    for (const each of [at("send"), at("go")]) {
      each.textContent = words[said.length ? (each.id === "go" ? "open_short" : "open") : "nothing"];
      if (said.length) each.href = link;
      else each.removeAttribute("href");
    }
    at("long").hidden = link.length <= LONGEST_LINK;
    at("copy").disabled = !said.length;
    at("copied").textContent = "";
  }

  // ---- what the page can know about its own age

  function remark() {
    const notes = [];
    if (turn.due && Date.now() > Date.parse(turn.due)) notes.push(words.late);
    try {
      // Bound to the code, which whoever forges a link does not know. Half of it suffices, and is
      // nothing to play by: other pages from files can read what this one keeps.
      const name = `referee ${texts.to} ${turn.match} ${codeOf(turn).slice(-4)}`;
      const before = Number(localStorage.getItem(name)) || 0;
      if (before > turn.at) notes.push(words.newer);
      else localStorage.setItem(name, String(turn.at));
    } catch {
      // A browser that keeps nothing for pages cannot know of another one.
    }
    const told = at("notes").textContent, text = notes.join("");
    if (told !== text) at("notes").replaceChildren(...notes.map((each) => paragraph(each)));
  }

  // ---- what is pressed

  // Left and right lead through all spots in the sequence of reading, up and down to the nearest.
  function aim(from, key) {
    const all = [...at("spots").children], n = all.indexOf(from), here = spaces.get(from.dataset.key);
    if (key === "ArrowLeft" || key === "ArrowRight") return all[(n + (key === "ArrowLeft" ? all.length - 1 : 1)) % all.length];
    if (key === "Home" || key === "End") return all[key === "Home" ? 0 : all.length - 1];
    const way = { ArrowUp: -1, ArrowDown: 1 }[key];
    let best = null, least = Infinity;
    for (const each of way ? all : []) {
      const there = spaces.get(each.dataset.key), ahead = (there[1] - here[1]) * way;
      const far = ahead + 2 * Math.abs(there[2] - here[2]);
      if (ahead > 0 && far < least) [best, least] = [each, far];
    }
    return best;
  }

  at("spots").addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = aim(event.target, event.key);
    if (!to) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
    opened = to.dataset.key;
  });

  at("zoom").addEventListener("click", () => {
    const [wide, , unit] = turn.measures, large = at("window").classList.toggle("large");
    at("zoom").setAttribute("aria-pressed", String(large));
    at("zoom").textContent = words[large ? "zoom_out" : "zoom"];
    at("sheet").style.width = large ? `${Math.ceil((wide / unit) * FINGER)}px` : "";
    if (!large) return;
    const open = [...at("spots").children], box = (side) => open.map((each) => each[side]);
    const middle = (low, size) => (Math.min(...box(low)) + Math.max(...open.map((each) => each[low] + each[size]))) / 2;
    if (open.length) {
      at("window").scrollLeft = middle("offsetLeft", "offsetWidth") - at("window").clientWidth / 2;
      at("window").scrollTop = middle("offsetTop", "offsetHeight") - at("window").clientHeight / 2;
    }
  });

  at("more").addEventListener("click", () => {
    kept = lines();
    restart(remaining().some(({ runs }) => runs[0][0] === kind) && orders.some(({ runs }) => runs[0][0] === kind && runs.length > 1) ? kind : "");
    show();
    (at("kinds").querySelector("[aria-pressed=true]") || at("kinds").querySelector("button") || at("send")).focus();
  });

  at("again").addEventListener("click", () => {
    at("try").checked = at("end").checked = false;
    begin(turn);
  });

  for (const each of [at("try"), at("end")]) each.addEventListener("change", () => mail(lines()));

  at("copy").addEventListener("click", async () => {
    let copied = true;
    try {
      await navigator.clipboard.writeText(at("text").value);
    } catch {
      at("text").select();
      copied = document.execCommand("copy");
    }
    at("copied").textContent = filled(words[copied ? "copied" : "not_copied"], turn.to);
  });

  window.addEventListener("hashchange", open);
  setInterval(() => turn && remark(), 20000);
  open();
})();
