// The functions as C, to copy.

import { el, section } from "./dom.js";
import { choice, choose, data } from "./state.js";

export function code() {
  const names = data.code.map((entry) => entry.function);
  const select = el("select", { id: "code-function" }, ...names.map((name) => el("option", { value: name, text: name.replaceAll("_", " ") })));
  const text = el("code"), said = el("span", { role: "status", class: "quiet" });
  const show = () => {
    text.textContent = data.code.find((entry) => entry.function === select.value).c;
    said.textContent = "";
  };
  select.value = names.includes(choice("code", "")) ? choice("code", "") : names[0];
  select.addEventListener("change", () => { choose("code", select.value); show(); });
  const copy = el("button", { type: "button", class: "primary", text: "Copy", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(text);
      said.textContent = document.execCommand("copy") ? "copied" : "selected; press Ctrl+C";
    }
  } });
  show();
  return section("code", "C", el("p", {}, "C99, no heap, no globals. 'taut generate' writes the same with a header, a self-test and a proof."),
    el("p", { class: "buttons" }, el("label", { for: "code-function", text: "function " }), select, copy, said),
    el("pre", { tabindex: "0", role: "region", "aria-label": "C code" }, text));
}
