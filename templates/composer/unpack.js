"use strict";
// Turn and page are packed, so that the mail they come with stays small.
async function unpacked(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(plain, (each) => each.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    // A link may be anybody's, and a short one can hold very much.
    if (size > 1000000) throw new RangeError("too large");
  }
  return JSON.parse(await new Blob(parts).text());
}

(async () => {
  const at = (id) => document.getElementById(id);
  const style = document.createElement("style"), script = document.createElement("script");
  if (typeof DecompressionStream === "undefined") {
    at("fault").className = "";
    at("fault").replaceChildren(at("old").content);
    return;
  }
  const [body, looks, text] = await unpacked(at("packed").textContent);
  style.textContent = looks;
  document.head.append(style);
  document.querySelector("main").insertAdjacentHTML("beforeend", body);
  script.textContent = text;
  document.body.append(script);
})();
