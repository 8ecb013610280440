// A small chart of values over time, on a canvas.

import { colour, el, shown } from "./dom.js";

const MOST = 1200;

export class Chart {
  /** `series` are [name, stage] pairs; the stage gives the colour. */
  constructor(label, series) {
    this.series = series;
    this.points = [];
    this.canvas = el("canvas", { role: "img", "aria-label": label });
    const names = series.map(([name, stage]) => el("li", {}, el("span", { class: `swatch fill-${stage}`, "aria-hidden": "true" }), ` ${name}`));
    this.view = el("figure", { class: "chart", hidden: true }, this.canvas, el("figcaption", {}, label, el("ul", { class: "legend" }, ...names)));
  }

  clear() {
    this.points = [];
  }

  add(t, values) {
    this.view.hidden = false;
    this.points.push([t, ...values]);
    if (this.points.length > MOST) this.points = this.points.filter((_, k) => k % 2 === 0);
  }

  draw() {
    const { canvas, points } = this, ratio = Math.min(devicePixelRatio, 2);
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (points.length < 2) return;
    const all = points.flatMap((row) => row.slice(1)), low = Math.min(0, ...all), high = Math.max(...all, low + 1e-12);
    const begin = points[0][0], end = points[points.length - 1][0];
    const x = (t) => 56 + ((width - 66) * (t - begin)) / (end - begin || 1), y = (v) => 8 + ((height - 26) * (high - v)) / (high - low);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = colour("quiet");
    pen.strokeStyle = colour("line");
    for (const v of [low, (low + high) / 2, high]) {
      pen.beginPath();
      pen.moveTo(56, y(v));
      pen.lineTo(width - 10, y(v));
      pen.stroke();
      pen.textAlign = "right";
      pen.fillText(shown(v, 3), 50, y(v) + 4);
    }
    pen.fillText(`${end.toFixed(1)} s`, width - 10, height - 4);
    pen.lineWidth = 2;
    this.series.forEach(([, stage], k) => {
      pen.strokeStyle = colour(stage);
      pen.beginPath();
      for (const row of points) pen.lineTo(x(row[0]), y(row[k + 1]));
      pen.stroke();
    });
    pen.lineWidth = 1;
  }
}
