// Dormand and Prince's method of order 5(4) with step control.

const A = [
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
];
const ERROR = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40];
const C = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1];

/** A motion y(t) of y' = f(t, y). */
export class Motion {
  constructor(f, y, tolerance = 1e-9) {
    Object.assign(this, { f, y: Float64Array.from(y), tolerance, t: 0, step: 1e-3 });
  }

  /** Go on to a time; stops early, and returns false, where that takes longer than `patience` milliseconds. */
  advance(until, patience = Infinity) {
    const begun = performance.now();
    let slope = this.f(this.t, this.y);
    while (this.t < until - 1e-12) {
      const h = Math.min(this.step, until - this.t), k = [slope];
      for (let s = 0; s < 6; ++s) k.push(this.f(this.t + C[s] * h, this.at(k, A[s], h)));
      const next = this.at(k.slice(0, 6), A[5], h);
      let error = 0;
      for (let i = 0; i < next.length; ++i) {
        let e = 0;
        for (let s = 0; s < 7; ++s) e += ERROR[s] * k[s][i];
        error = Math.max(error, Math.abs(h * e) / (this.tolerance * (1 + Math.abs(next[i]))));
      }
      if (!Number.isFinite(error)) throw new Error("the motion leaves the range of numbers");
      if (error <= 1) {
        this.t += h;
        this.y = next;
        slope = k[6];
      }
      const grown = h * Math.min(5, Math.max(0.2, 0.9 * error ** -0.2));
      if (error > 1 || h >= this.step) this.step = Math.max(1e-9, grown);
      if (performance.now() - begun > patience) return this.t >= until - 1e-12;
    }
    return true;
  }

  at(k, weights, h) {
    const found = Float64Array.from(this.y);
    for (let s = 0; s < weights.length; ++s) {
      const w = h * weights[s], slope = k[s];
      if (w !== 0) for (let i = 0; i < found.length; ++i) found[i] += w * slope[i];
    }
    return found;
  }
}
