// The equations: groups that are written when they are opened, constants to choose, and a card about the one chosen.

import { el, ml, section, shown } from "./dom.js";
import { equation, namesIn, options, piecesOf, stageOf, termPieces, titled } from "./formula.js";
import { choice, choose, data, watch } from "./state.js";

const { symbols, groups, form } = data.equations;
const shares = data.abbreviation.shares;
const items = new Map(groups.flatMap((group) => group.items.map((item) => [item.name, { item, group }])));
const uses = usesOf();
const STAGES = {
  parameter: "constants, computed once", configuration: "waits for positions", velocity: "waits for velocities",
  acceleration: "waits for accelerations",
};

/** Return {name: equations and constants that it stands in}. */
function usesOf() {
  const found = {};
  const note = (name, place) => (found[name] ??= new Set()).add(place);
  for (const [place, { item }] of items) {
    for (const [, constant, monomial] of item.terms ?? []) {
      if (constant) note(constant, place);
      for (const [name] of monomial) note(name, place);
    }
    if (item.formula) for (const name of namesIn(item.formula)) note(name, place);
  }
  for (const [place, symbol] of Object.entries(symbols)) {
    if (symbol.formula) for (const name of namesIn(symbol.formula)) note(name, place);
  }
  return found;
}

export function equations() {
  const card = el("div", { class: "card about", role: "region", "aria-label": "about the chosen constant", "aria-live": "polite" });
  const lists = groups.map((group, k) => groupView(group, k === 0 || group.kind === "g" || group.kind === "answer"));
  const constants = constantList(card);
  const box = section("equations", "Equations", intro(), legend(), valuesToggle(lists), ...lists.map((list) => list.view),
    el("h3", { id: "constants-title", text: form === "explicit" ? "Constants" : "Parameters and intermediate values" }), constants.view, card);
  const pick = (event) => {
    const name = event.target.closest?.("[data-name]")?.dataset.name;
    if (name) constants.select(name);
  };
  box.addEventListener("click", pick);
  box.addEventListener("mouseover", (event) => {
    const known = event.target.closest?.(".known");
    if (known && !known.dataset.hinted) hint(known);
  });
  let shortened = isShortened();
  watch((what) => {
    if (what === "step") {
      if (shortened !== isShortened()) lists.forEach((list) => list.again());
      shortened = isShortened();
      strike(box);
    }
    if (what === "values") {
      lists.forEach((list) => list.again());
      strike(box);
    }
  });
  strike(box);
  document.addEventListener("toggle", (event) => { if (box.contains(event.target)) strike(box); }, true);
  const listed = el("div", { class: "on-paper" });
  box.append(listed);
  window.addEventListener("beforeprint", () => {
    lists.forEach((list) => list.write());
    strike(box);
    if (form === "explicit" && !listed.firstChild) listed.append(...Object.keys(symbols).map(onPaper));
  });
  return box;
}

function hint(element) {
  const symbol = symbols[element.dataset.name];
  element.dataset.hinted = "1";
  element.setAttribute("title", `${element.dataset.name}${symbol.value === undefined ? "" : ` = ${shown(symbol.value, 6)}`}`);
}

function intro() {
  const proof = data.equations.proof;
  const said = form === "explicit"
    ? el("p", { class: "said" }, "τ", el("sub", { text: "i" }), " = Σ M", el("sub", { text: "ij" }), " q̈", el("sub", { text: "j" }), " + Σ b",
      el("sub", { text: "ijk" }), " q̇", el("sub", { text: "j" }), " q̇", el("sub", { text: "k" }), " + Σ c", el("sub", { text: "ij" }),
      " q̇²", el("sub", { text: "j" }), " + g", el("sub", { text: "i" }), ", element by element.", ...abbreviated())
    : el("p", { text: "The torque as it is computed, by what each value waits for." });
  const why = data.equations.why ? el("p", { class: "note", text: data.equations.why }) : null;
  return el("div", {}, said, why, proof ? el("p", { class: "quiet", text: `Proved: ${proof}.` }) : null);
}

/** Return what names such as S23 stand for, by a sine and a cosine of this robot, of the longest sum of angles. */
function abbreviated() {
  const found = ["sin", "cos"].map((op) => {
    const names = Object.keys(symbols).filter((name) => symbols[name].formula?.[0] === op && symbols[name].stage === "configuration");
    return names.sort((a, b) => namesIn(symbols[b].formula).size - namesIn(symbols[a].formula).size)[0];
  });
  return found.filter(Boolean).flatMap((name, k) => [k ? ", " : " Here ", equation(name, piecesOf(symbols[name].formula))]).concat(found[0] || found[1] ? "." : "");
}

function legend() {
  return el("ul", { class: "legend", "aria-label": "colours" }, ...Object.entries(STAGES).map(([stage, words]) =>
    el("li", {}, el("span", { class: `swatch fill-${stage}`, "aria-hidden": "true" }), el("span", { class: `stage-${stage}`, text: stage }), ` ${words}`)));
}

function valuesToggle(lists) {
  if (!Object.values(symbols).some((s) => s.stage === "parameter" && s.value !== undefined)) return null;
  options.values = choice("values", "0") === "1";
  const box = el("input", { type: "checkbox", id: "values" });
  box.checked = options.values;
  box.addEventListener("change", () => {
    options.values = box.checked;
    choose("values", box.checked ? 1 : 0);
  });
  return el("p", {}, box, " ", el("label", { for: "values", text: "numbers in place of constants" }));
}

function groupView(group, open) {
  const body = el("div", { class: "rows" });
  const nonzero = group.items.length, zero = group.zero.length;
  const count = zero ? `${nonzero} of ${nonzero + zero} elements are not zero` : `${nonzero}`;
  const view = el("details", { class: "group", open }, el("summary", {}, el("span", { class: "group-title" }, ...titled(group.title)), el("span", { class: "quiet", text: ` ${count}` })), body);
  let done = false;
  const write = () => {
    if (done) return;
    done = true;
    body.replaceChildren(...group.items.map(row), zero ? el("p", { class: "quiet zero" }, "Zero: ", ...group.zero.flatMap((name, k) => [k ? ", " : "", el("span", { class: "unbroken" }, equation(name))])) : "");
  };
  const again = () => { done = false; if (view.open) write(); };
  view.addEventListener("toggle", () => view.open && write());
  if (open) write();
  return { view, write, again };
}

function row(item) {
  const line = el("div", { class: "row", id: `eq-${item.name}` });
  const shared = shares[item.name];
  if (item.formula !== undefined) line.append(equation(item.name, piecesOf(item.formula)));
  else if (item.relation?.parts.length && !(item.relation.extra.length && isShortened())) line.append(equation(item.name, relation(item.relation), item.text));
  else line.append(equation(item.name, termPieces(item.terms, shared), item.text));
  return line;
}

function relation({ parts, extra }) {
  const sum = ["add", ...parts.map(([factor, name]) => times(factor, name))];
  return [...piecesOf(sum), ...(extra.length ? plus(termPieces(extra)) : [])];
}

function times(factor, name) {
  if (factor === 1) return name;
  if (Array.isArray(factor) && factor[0] === "neg") return ["neg", times(factor[1], name)];
  return ["mul", factor, name];
}

function plus(pieces) {
  const { element } = pieces[0], first = element.querySelector("mo");
  if (first?.getAttribute("form") === "prefix") first.setAttribute("form", "infix");
  else element.prepend(ml("mo", { text: "+", form: "infix" }));
  return pieces;
}

/** Whether terms are left out: then elements are written by their own sums instead of by others and more terms. */
function isShortened() {
  return Number(choice("step", 0)) > 0;
}

/** Strike out the terms that the abbreviation leaves out. */
function strike(box) {
  const step = data.abbreviation.steps[Number(choice("step", 0))];
  const threshold = step ? step.threshold : 0;
  for (const term of box.querySelectorAll(".term[data-share]")) {
    term.classList.toggle("dropped", Number(term.dataset.share) < threshold);
  }
}

/** Return the names that stand for formulas. */
function defined() {
  return Object.keys(symbols).filter((name) => symbols[name].formula !== undefined);
}

function onPaper(name) {
  const symbol = symbols[name], formula = symbol.formula === undefined ? [] : piecesOf(symbol.formula);
  return el("p", {}, equation(name, formula), el("span", { class: "unbroken", text: valued(symbol) }));
}

/** Return the value of a symbol with its tolerance, as text; nothing where it has none. */
function valued({ value, tolerance }) {
  if (value === undefined) return "";
  return ` = ${shown(value, 7)}${tolerance === undefined ? "" : ` ± ${shown(tolerance, 2)}`}`;
}

function constantList(card) {
  const names = form === "program" ? Object.keys(symbols) : defined();
  const order = [...names, ...Object.keys(symbols).filter((name) => !names.includes(name))];
  let active = 0;
  const view = el("div", { class: "constants", role: "listbox", tabindex: "0", "aria-labelledby": "constants-title" });
  const cells = order.map((name, k) => el("div", { role: "option", id: `constant-${k}`, class: `constant stage-${stageOf(name)}`, "data-name": name, "aria-selected": "false", text: name }));
  view.append(...cells);
  const go = (k, show = true) => {
    cells[active].setAttribute("aria-selected", "false");
    active = Math.max(0, Math.min(cells.length - 1, k));
    cells[active].setAttribute("aria-selected", "true");
    view.setAttribute("aria-activedescendant", cells[active].id);
    if (document.activeElement === view) cells[active].scrollIntoView({ block: "nearest" });
    if (show) about(card, order[active], select);
  };
  const perRow = () => Math.max(1, cells.filter((c) => c.offsetTop === cells[0].offsetTop).length);
  view.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow(), ArrowUp: -perRow(), Home: -cells.length, End: cells.length };
    if (!(event.key in steps)) return;
    event.preventDefault();
    go(active + steps[event.key]);
  });
  const select = (name) => go(order.indexOf(name));
  view.addEventListener("focus", () => go(active));
  return { view, select };
}

function about(card, name, select) {
  const symbol = symbols[name];
  const facts = [];
  if (symbol.value !== undefined) facts.push(el("p", {}, el("strong", { text: valued(symbol).slice(3) })));
  const used = [...(uses[name] ?? [])];
  const places = used.slice(0, 24).map((place) => el("button", { type: "button", class: "chip", text: place, onclick: () => (items.has(place) ? goTo(place) : select(place)) }));
  card.replaceChildren(
    el("h4", {}, name, el("span", { class: `stage-${symbol.stage}`, text: `  ${symbol.stage}` })),
    symbol.formula === undefined ? el("p", { text: "a number of the robot file" }) : el("p", {}, equation(name, piecesOf(symbol.formula))),
    ...facts,
    el("p", {}, used.length ? "Used in " : "Used nowhere else. ", ...places, used.length > 24 ? ` and ${used.length - 24} more` : ""));
}

function goTo(place) {
  const view = [...document.querySelectorAll("#equations details.group")][groups.indexOf(items.get(place).group)];
  view.open = true;
  requestAnimationFrame(() => {
    const line = document.getElementById(`eq-${place}`);
    line?.scrollIntoView({ block: "center" });
    line?.classList.add("found");
    setTimeout(() => line?.classList.remove("found"), 1600);
  });
}
