// A simulation that runs in the page by the same functions: fall freely, be pushed, follow a motion by computed torque.

import { Chart } from "./chart.js";
import { el, section, shown } from "./dom.js";
import { Motion } from "./integrator.js";
import { closed, data, functions, keep, setPose, state } from "./state.js";

const n = data.nv;
const independent = functions.close ? [...data.skeleton.coordinates].sort((a, b) => a.v - b.v).map((c) => c.q) : null;
const size = independent ? n : data.nq;
const quaternions = independent ? [] : data.skeleton.quaternions; // of the state, which has independent coordinates alone
const PUSH = { begin: 0.1, end: 0.35 };
const GAINS = { kp: 64, kd: 16 };
const PATIENCE = 6;
const MODES = {
  drop: "Drop it: no torque acts; energy must stay as it is.",
  push: "Push it: gravity is held by the drives and a force along world y acts on the tool for a quarter of a second.",
  track: "Computed torque: the drives follow a sinusoidal motion about this pose; the error fades away.",
};

export class Simulation {
  constructor(redraw) {
    this.redraw = redraw;
    this.running = false;
    this.motion = null;
  }

  /** Begin anew from the pose shown. */
  start(mode) {
    const x0 = independent ? Float64Array.from(independent, (k) => state.q[k]) : Float64Array.from(state.q);
    Object.assign(this, { mode, start0: x0, pose0: state.q.slice(), near: state.q.slice(), largest: 0, inertia: null });
    this.motion = new Motion((t, y) => this.slope(t, y), [...x0, ...new Float64Array(n)]);
    if (mode === "track") for (let k = 0; k < n; ++k) this.motion.y[k] += independent ? 0.02 : 0.15;
    this.first = total(functions.energy(this.position(this.motion.y), this.motion.y.subarray(size)));
    this.running = true;
  }

  /** Return the position of a state; loops are closed from the position before. */
  position(y) {
    if (!independent) return y.subarray(0, size);
    const q = this.near.slice();
    independent.forEach((k, i) => { q[k] = y[i]; });
    const found = closed(q);
    if (!found) throw new Error("the loops cannot follow");
    return (this.near = found);
  }

  slope(t, y) {
    const q = this.position(y), qd = y.subarray(size), found = new Float64Array(size + n);
    found.set(independent ? qd : functions.position_rates(q, qd));
    found.set(functions.forward_dynamics(q, qd, this.torque(t, y, q, qd)), size);
    return found;
  }

  /** Return the torque of a mode. */
  torque(t, y, q, qd) {
    if (this.mode === "drop") return new Float64Array(n);
    if (this.mode === "track") {
      const { at, rate, acceleration } = this.wanted(t), wanted = new Float64Array(n);
      for (let k = 0; k < n; ++k) wanted[k] = acceleration[k] + GAINS.kd * (rate[k] - qd[k]) + GAINS.kp * (at[k] - y[k]);
      return functions.inverse_dynamics(q, qd, wanted);
    }
    const tau = functions.gravity(q);
    for (let k = 0; k < n; ++k) tau[k] -= this.damping(q)[k] * qd[k];
    if (t >= PUSH.begin && t < PUSH.end) {
      const J = functions.jacobian(q);
      for (let k = 0; k < n; ++k) tau[k] += this.force() * J[n + k];
    }
    return tau;
  }

  /** Return a push that suits the mass of the robot [N]. */
  force() {
    return 4 * Math.max(1, data.skeleton.bodies.reduce((sum, body) => sum + body.mass, 0));
  }

  /** Return friction that suits the inertia of each joint [N m s]. */
  damping() {
    if (!this.inertia) {
      const M = functions.mass_matrix(this.pose0);
      this.inertia = Float64Array.from({ length: n }, (_, k) => 1.5 * M[k * n + k]);
    }
    return this.inertia;
  }

  wanted(t) {
    const at = new Float64Array(n), rate = new Float64Array(n), acceleration = new Float64Array(n);
    for (let k = 0; k < n; ++k) {
      const w = 1.2 + 0.25 * k, a = data.skeleton.coordinates[k]?.unit === "m" ? 0.05 : 0.35;
      at[k] = this.start0[k] + a * (1 - Math.cos(w * t));
      rate[k] = a * w * Math.sin(w * t);
      acceleration[k] = a * w * w * Math.cos(w * t);
    }
    return { at, rate, acceleration };
  }

  /** Go on by a time [s]; what takes too long for a frame goes on in the next. */
  advance(seconds, patience = Infinity) {
    const done = this.motion.advance(this.motion.t + seconds, patience);
    for (const k of quaternions) normalise(this.motion.y.subarray(k, k + 4));
    const q = this.position(this.motion.y), energy = functions.energy(q, this.motion.y.subarray(size));
    this.largest = Math.max(this.largest, energy[0]);
    setPose(q, true);
    return { done, t: this.motion.t, kinetic: energy[0], potential: energy[1], drift: total(energy) - this.first, largest: this.largest };
  }
}

function normalise(x) {
  const length = Math.hypot(...x);
  for (let k = 0; k < x.length; ++k) x[k] /= length;
}

function total(energy) {
  return energy[0] + energy[1];
}

export function simulation(redraw) {
  const simulator = new Simulation(redraw);
  if (independent && independent.length !== n) {
    return { simulator, view: section("simulation", "Simulation", el("p", { class: "note", text: "Not available here for loops that joints of several coordinates drive; use 'taut simulate'." })) };
  }
  const modes = quaternions.length ? { drop: "Drop" } : { drop: "Drop", push: "Push", track: "Computed torque" };
  const said = el("p", { class: "quiet", text: "Choose what happens; it begins at the pose shown. Rigid bodies alone: stops and friction are left out." });
  const facts = el("output", { class: "mono" });
  const chart = new Chart("kinetic and potential energy over time [J]", [["kinetic", "velocity"], ["potential", "configuration"], ["sum", "acceleration"]]);
  let before = 0;

  const report = (found) => {
    const share = found.largest > 0 ? Math.abs(found.drift) / found.largest : 0;
    const balance = simulator.mode === "drop" ? `, energy changed by ${share.toExponential(1)} of the largest kinetic energy` : "";
    facts.textContent = `t = ${found.t.toFixed(2)} s, kinetic ${shown(found.kinetic)} J, potential ${shown(found.potential)} J${balance}`;
    chart.add(found.t, [found.kinetic, found.potential, found.kinetic + found.potential]);
  };
  const frame = (now) => {
    if (!simulator.running) return;
    const seconds = Math.min(0.05, (now - before) / 1000 || 0.016);
    before = now;
    try {
      report(simulator.advance(seconds, PATIENCE));
      chart.draw();
    } catch (error) {
      stop();
      said.textContent = `The simulation stopped: ${error.message}.`;
      return;
    }
    requestAnimationFrame(frame);
  };
  const run = (mode) => {
    simulator.start(mode);
    chart.clear();
    redraw.forget();
    said.textContent = MODES[mode];
    pause.textContent = "Pause";
    before = performance.now();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      stop();
      said.textContent += " Nothing moves by itself, as your system asks: 'Step 0.1 s' shows one step, 'Go on' runs it.";
    } else requestAnimationFrame(frame);
  };
  const stop = () => {
    simulator.running = false;
    pause.textContent = "Go on";
    keep();
  };
  const pause = el("button", { type: "button", text: "Pause", onclick: () => {
    if (!simulator.motion) return;
    if (simulator.running) return stop();
    simulator.running = true;
    pause.textContent = "Pause";
    before = performance.now();
    requestAnimationFrame(frame);
  } });
  const single = el("button", { type: "button", text: "Step 0.1 s", onclick: () => {
    if (!simulator.motion) simulator.start("drop");
    stop();
    report(simulator.advance(0.1));
    chart.draw();
  } });
  const back = el("button", { type: "button", text: "Back to the start", onclick: () => {
    if (!simulator.motion) return;
    stop();
    setPose(simulator.pose0);
    redraw.forget();
    simulator.motion = null;
  } });
  const buttons = Object.entries(modes).map(([mode, text]) =>
    el("button", { type: "button", class: "primary", "data-mode": mode, text, onclick: () => run(mode) }));
  const view = section("simulation", "Simulation", el("p", { class: "buttons" }, ...buttons, pause, single, back), said, facts, chart.view);
  return { simulator, view, paint: () => chart.draw() };
}
