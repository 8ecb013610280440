// Operations of every function, by stage, beside what others count.

import { el, section } from "./dom.js";
import { data } from "./state.js";

const STAGES = ["configuration", "velocity", "acceleration", "applied"];

export function counts() {
  const most = Math.max(...data.counts.map((c) => c.total), 1);
  const used = STAGES.filter((stage) => data.counts.some((c) => c.stages[stage]));
  const head = el("tr", {}, ...["function", "mul", "add", "total", "sin, cos"].map((text) => el("th", { scope: "col", text })),
    ...used.map((stage) => el("th", { scope: "col", class: `stage-${stage}`, text: stage })), el("th", { scope: "col", text: "share by stage" }));
  const rows = data.counts.map((c) => el("tr", {},
    el("th", { scope: "row", title: c.summary, text: c.function.replaceAll("_", " ") }),
    ...[c.mul, c.add].map((x) => el("td", { class: "number", text: x })), el("td", { class: "number" }, el("strong", { text: c.total })),
    el("td", { class: "number", text: c.trig }), ...used.map((stage) => el("td", { class: "number", text: c.stages[stage] ?? 0 })),
    el("td", { class: "stack", "aria-hidden": "true" }, ...used.map((stage) => el("span", { class: `fill-${stage}`, style: `width:${(100 * (c.stages[stage] ?? 0)) / most}%` })))));
  const table = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "operation counts" }, el("table", { class: "data" },
    el("caption", { text: `Multiplications and additions at run time, search effort ${data.effort}; constants are computed beforehand` }),
    el("thead", {}, head), el("tbody", {}, ...rows)));
  return section("counts", "Operation counts", table, ...data.counts.filter((c) => c.others.length).map(beside));
}

function beside(c) {
  const rows = [{ operations: c.total, source: "taut, this robot", ours: true }, ...c.others].sort((a, b) => a.operations - b.operations);
  const most = rows[rows.length - 1].operations;
  return el("table", { class: "compare" }, el("caption", { text: `Operations of ${c.function.replaceAll("_", " ")}: taut and others` }),
    el("tbody", {}, ...rows.map((row) => el("tr", { class: row.ours ? "ours" : null }, el("th", { scope: "row", text: row.source }),
      el("td", { class: "track", "aria-hidden": "true" }, el("span", { class: "length", style: `width:${(100 * row.operations) / most}%` })),
      el("td", { class: "number", text: row.operations })))));
}
