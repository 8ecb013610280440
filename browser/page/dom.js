// Elements of the page, made in one call.

const MATHML = "http://www.w3.org/1998/Math/MathML";
const SVG = "http://www.w3.org/2000/svg";

/** Return an HTML element: properties by name, attributes with "-" or by `attributes`, then children. */
export function el(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** Return a MathML element. */
export function ml(tag, properties = {}, ...children) {
  return filled(document.createElementNS(MATHML, tag), properties, children);
}

/** Return an SVG element. */
export function sv(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return a section of the page with its heading. */
export function section(id, title, ...children) {
  return el("section", { id, "aria-labelledby": `${id}-title`, tabindex: "-1" },
    el("h2", { id: `${id}-title`, text: title }), ...children);
}

/** Return a number for people: at most so many significant digits. */
export function shown(x, digits = 4) {
  if (x === 0 || Math.abs(x) < 1e-12) return "0";
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(digits - 2).replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}

/** Return a share as per cent. */
export function percent(x) {
  return `${shown(100 * x, 3)} %`;
}

/** Return the colour that a name of the style sheet has now. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Return an object whose `now` says whether an element is in view; `seen` is called when it comes into view or on paper. */
export function visibility(element, seen = () => {}) {
  const found = { now: false };
  new IntersectionObserver((entries) => {
    found.now = entries[entries.length - 1].isIntersecting;
    if (found.now) seen();
  }).observe(element);
  window.addEventListener("beforeprint", seen);
  return found;
}
