// Formulas as MathML. Every addend is a piece of its own, so that long sums break into lines between pieces.

import { el, ml, shown } from "./dom.js";
import { data } from "./state.js";

const symbols = data.equations.symbols;
const elements = new Set(data.equations.groups.flatMap((group) => [...group.items.map((item) => item.name), ...group.zero]));
const GREEK = {
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", theta: "θ", phi: "φ", psi: "ψ", rho: "ρ", tau: "τ", omega: "ω", pi: "π",
};
const MOVING = { q: "configuration", qd: "velocity", qdd: "acceleration", tau: "applied" };

export const options = { values: false };

/** Return the stage of a name: what its value waits for. */
export function stageOf(name) {
  if (symbols[name]) return symbols[name].stage;
  const moving = /^(qdd|qd|q|tau)[\d[]/.exec(name);
  if (moving) return MOVING[moving[1]];
  return elements.has(name) ? "configuration" : "parameter";
}

/** Return a heading with words such as qd_j^2 in it as mathematics. */
export function titled(words) {
  return words.split(/([A-Za-z]+_[a-z]+(?:\^\d)?)/).map((part, k) => (k % 2 ? math(indexed(part)) : part));
}

function indexed(word) {
  const [, base, index, power] = /^([A-Za-z]+)_([a-z]+)(?:\^(\d))?$/.exec(word), rate = base === "qd";
  const letter = rate ? ml("mover", {}, ml("mi", { text: "q" }), ml("mo", { text: "˙", stretchy: "false" })) : ml("mi", { text: base }), below = ml("mrow", {}, ...[...index].map((one) => ml("mi", { text: one })));
  return power ? ml("msubsup", {}, letter, below, ml("mn", { text: power })) : ml("msub", {}, letter, below);
}

/** Return a name as mathematics: base, index and dots. */
export function named(name) {
  const known = symbols[name];
  if (options.values && known?.stage === "parameter" && known.value !== undefined) {
    return marked(number(Math.abs(known.value), known.value < 0), name);
  }
  const { base, index, dot } = parts(name);
  let letter = ml("mi", { text: base });
  if (dot) letter = ml("mover", {}, letter, ml("mo", { text: dot, stretchy: "false" }));
  return marked(index ? ml("msub", {}, letter, ml("mn", { text: index })) : letter, name);
}

function marked(element, name) {
  element.classList.add(`stage-${stageOf(name)}`);
  if (symbols[name]) {
    element.classList.add("known");
    element.dataset.name = name;
  }
  return element;
}

function parts(name) {
  let match;
  if ((match = /^([A-Za-z]+)\[([\d,]+)\]$/.exec(name))) return { base: GREEK[match[1]] ?? match[1], index: match[2] };
  if ((match = /^(qdd|qd)(\d+)$/.exec(name))) return { base: "q", index: match[2], dot: match[1] === "qd" ? "˙" : "¨" };
  if ((match = /^([SCscMbgK])([\dm_]+)$/.exec(name))) {
    return { base: match[1], index: match[2].replaceAll("m", "−").replaceAll("_", ",") };
  }
  if ((match = /^([IJ])([a-z]{1,2})(\d+)$/.exec(name))) return { base: match[1], index: `${match[2]},${match[3]}` };
  if ((match = /^([mrh])([xyz])(\d+)$/.exec(name))) return { base: match[1], index: `${match[2]},${match[3]}` };
  if ((match = /^([A-Za-z]+?)_?(\d[\d_]*)$/.exec(name))) {
    return { base: GREEK[match[1]] ?? match[1], index: match[2].replaceAll("_", ",") };
  }
  return { base: GREEK[name] ?? name };
}

function number(x, negative = false) {
  const [mantissa, power] = shown(x, 5).split("e");
  const row = ml("mrow", {}, negative ? ml("mo", { text: "−" }) : null, ml("mn", { text: mantissa }));
  if (power) row.append(ml("mo", { text: "·" }), ml("msup", {}, ml("mn", { text: "10" }), ml("mn", { text: power.replace("-", "−") })));
  return row;
}

const SUM = 0, PRODUCT = 1, ATOM = 2;

/** Return [MathML, precedence] of an expression. */
function written(e) {
  if (typeof e === "number") return [number(Math.abs(e), e < 0), e < 0 ? SUM : ATOM];
  if (typeof e === "string") return [named(e), ATOM];
  const [op, ...args] = e;
  if (op === "add" || op === "sub" || op === "neg") {
    const row = ml("mrow");
    addends(e).forEach(({ negative, part }, k) => row.append(...signed(negative, k === 0), bracketed(part, PRODUCT)));
    return [row, SUM];
  }
  if (op === "mul") return [product(factors(e)), PRODUCT];
  if (op === "div") return [ml("mfrac", {}, written(args[0])[0], written(args[1])[0]), PRODUCT];
  if (op === "pow") return [power(...args), ATOM];
  const inside = args.flatMap((a, k) => [k ? ml("mo", { text: "," }) : null, written(a)[0]]);
  return [ml("mrow", {}, ml("mi", { text: op }), fence("("), ...inside, fence(")")), ATOM];
}

function power(base, exponent) {
  const below = bracketed(base, ATOM);
  if (below.localName !== "msub") return ml("msup", {}, below, written(exponent)[0]);
  const both = ml("msubsup", {}, ...below.childNodes, written(exponent)[0]);
  return typeof base === "string" ? marked(both, base) : both;
}

function product(list) {
  const row = ml("mrow");
  list.forEach((factor, k) => {
    if (k) row.append(between(list[k - 1], factor));
    row.append(bracketed(factor, PRODUCT));
  });
  return row;
}

function between(left, right) {
  const numbers = typeof left !== "string" && typeof right === "number";
  return numbers ? ml("mo", { text: "·" }) : ml("mspace", { width: "0.16em" });
}

function bracketed(e, least) {
  const [row, precedence] = written(e);
  return precedence >= least ? row : ml("mrow", {}, fence("("), row, fence(")"));
}

function fence(text) {
  return ml("mo", { text, stretchy: "false" });
}

function signed(negative, first) {
  if (first && !negative) return [];
  return [ml("mo", { text: negative ? "−" : "+", form: first ? "prefix" : "infix" })];
}

/** Return the factors of a product, numbers first and sums last. */
function factors(e) {
  const all = e[0] === "mul" ? e.slice(1).flatMap(factors) : [e];
  const rank = (part) => (typeof part === "number" ? 0 : isSum(part) ? 2 : 1);
  return all.sort((a, b) => rank(a) - rank(b));
}

function isSum(e) {
  return Array.isArray(e) && (e[0] === "add" || e[0] === "sub");
}

/** Return the addends of a sum with their signs. */
export function addends(e, negative = false) {
  if (Array.isArray(e)) {
    if (e[0] === "add") return e.slice(1).flatMap((part) => addends(part, negative));
    if (e[0] === "sub") return [...addends(e[1], negative), ...addends(e[2], !negative)];
    if (e[0] === "neg") return addends(e[1], !negative);
  }
  return [{ negative, part: e }];
}

/** Return an equation as an element that breaks between addends. */
export function equation(left, pieces = [], label = undefined) {
  const box = el("span", { class: "formula", role: "math", "aria-label": label || spoken(left, pieces) });
  if (left) box.append(math(named(left), pieces.length ? ml("mo", { text: "=" }) : null));
  for (const piece of pieces) {
    if (piece.tight) box.lastChild.append(piece.element);
    else box.append(" ", el("span", { class: "unbroken" }, piece.element));
  }
  return box;
}

function spoken(left, pieces) {
  return pieces.length === 0 ? left : `${left ? `${left} = ` : ""}${pieces.map((piece) => piece.text).join(" ")}`;
}

/** Return the pieces of an expression; a product with a sum breaks inside its bracket, too. */
export function piecesOf(e) {
  return addends(e).flatMap(({ negative, part }, k) => {
    const sign = signed(negative, k === 0), spoken = negative ? "- " : k ? "+ " : "", list = factors(part), last = list.pop();
    if (!list.length || !isSum(last) || list.some(isSum)) return [{ element: math(...sign, bracketed(part, PRODUCT)), text: spoken + text(part) }];
    const head = math(...sign, product(list), ml("mspace", { width: "0.16em" }), fence("(")), [first, ...rest] = piecesOf(last);
    return [{ element: head, text: `${spoken}${list.map(text).join(" ")} (` }, { ...first, tight: true }, ...rest, { element: math(fence(")")), text: ")", tight: true }];
  });
}

/** Return the pieces of a sum of terms [factor, constant, monomial]; terms of one constant stand in one bracket. */
export function termPieces(terms, shares) {
  const pieces = [];
  for (let k = 0; k < terms.length; ) {
    let end = k + 1;
    while (terms[k][1] && end < terms.length && terms[end][1] === terms[k][1]) ++end;
    if (end - k === 1) pieces.push(term(terms[k], pieces.length === 0, shares?.[k]));
    else pieces.push(...bracket(terms, k, end, pieces.length === 0, shares));
    k = end;
  }
  return pieces.length ? pieces : [{ element: math(ml("mn", { text: "0" })), text: "0" }];
}

function bracket(terms, from, to, first, shares) {
  const constant = terms[from][1], share = shares && Math.max(...shares.slice(from, to));
  const head = math(...signed(false, first), named(constant), ml("mspace", { width: "0.16em" }), fence("("));
  const found = [{ element: judged(head, share), text: `${first ? "" : "+ "}${constant} (` }];
  for (let k = from; k < to; ++k) {
    const [factor, , monomial] = terms[k];
    found.push({ ...term([factor, 0, monomial], k === from, shares?.[k]), tight: k === from });
  }
  return [...found, { element: judged(math(fence(")")), share), text: ")", tight: true }];
}

function judged(element, share) {
  element.classList.add("term");
  if (share !== undefined) element.dataset.share = share;
  return element;
}

function term([factor, constant, monomial], first, share) {
  const negative = Array.isArray(factor) && factor[0] === "neg";
  const size = negative ? factor[1] : factor;
  const list = monomial.map(([name, power]) => (power === 1 ? name : ["pow", name, power]));
  if (constant) list.unshift(constant);
  if (size !== 1 || !list.length) list.unshift(size);
  return { element: judged(math(...signed(negative, first), product(list)), share), text: `${negative ? "- " : first ? "" : "+ "}${list.map(text).join(" ")}` };
}

function math(...children) {
  return ml("math", {}, ...children);
}

/** Return an expression in words a screen reader can say. */
export function text(e) {
  if (typeof e === "number") return shown(e, 5);
  if (typeof e === "string") return e;
  const [op, ...args] = e;
  const signs = { add: " + ", sub: " - ", mul: " ", div: " / " };
  if (op === "neg") return `- ${text(args[0])}`;
  if (op === "pow") return `${text(args[0])}^${text(args[1])}`;
  if (signs[op]) return `(${args.map(text).join(signs[op])})`;
  return `${op}(${args.map(text).join(", ")})`;
}

/** Return the names in an expression. */
export function namesIn(e, found = new Set()) {
  if (typeof e === "string") found.add(e);
  else if (Array.isArray(e)) e.slice(1).forEach((part) => namesIn(part, found));
  return found;
}
