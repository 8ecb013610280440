/* Update of estimated inertial parameters; the C twin of taut.control.adaptive.
 *
 * d(estimate)/dt = -rate Y^T s   [Slotine, Li 1987], within bounds, at rest while a torque is at its limit.
 *
 * Y^T s is what the generated function adaptation returns. Define TAUT_REAL before to change the precision.
 */
#ifndef TAUT_ADAPTATION_H
#define TAUT_ADAPTATION_H

#ifndef TAUT_REAL
#define TAUT_REAL double
#endif

static inline void taut_adapt(int size, TAUT_REAL step, const TAUT_REAL *rate, const TAUT_REAL *lowest,
                              const TAUT_REAL *highest, int saturated, const TAUT_REAL *adaptation, TAUT_REAL *estimate)
{
    for (int i = 0; i < size && !saturated; ++i) {
        const TAUT_REAL x = estimate[i] - step * rate[i] * adaptation[i];
        estimate[i] = x < lowest[i] ? lowest[i] : x > highest[i] ? highest[i] : x;
    }
}

#endif
