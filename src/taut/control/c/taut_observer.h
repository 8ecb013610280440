/* Momentum observer and collision detector; the C twin of taut.control.observer.
 *
 * r = K (p - p0 - integral of (tau - friction + C^T qd - g + r)),  p = M qd   [De Luca, Mattone 2003]
 *
 * At every instant call the generated generalized_momentum, coriolis_transpose and gravity (or their fused function),
 * then taut_observer_update. No heap, no global state. Define TAUT_JOINTS and TAUT_REAL before to change them.
 */
#ifndef TAUT_OBSERVER_H
#define TAUT_OBSERVER_H

#ifndef TAUT_JOINTS
#define TAUT_JOINTS 32
#endif
#ifndef TAUT_REAL
#define TAUT_REAL double
#endif

typedef struct {
    int n;                          /* joints, at most TAUT_JOINTS */
    int running;                    /* 0 before the first update and after a reset */
    TAUT_REAL step;                 /* sampling time [s] */
    TAUT_REAL gain[TAUT_JOINTS];    /* K [1/s], K step < 2 */
    TAUT_REAL limit[TAUT_JOINTS];   /* largest residual */
    TAUT_REAL residual[TAUT_JOINTS];
    TAUT_REAL integral[TAUT_JOINTS];
} taut_observer;

/* Begin anew: the next update takes the momentum it finds as undisturbed. */
static inline void taut_observer_reset(taut_observer *o)
{
    o->running = 0;
    for (int i = 0; i < o->n; ++i)
        o->residual[i] = 0;
}

/* p: momentum now; rate: tau - friction + C^T qd - g, with the torque from now to the next instant. */
static inline void taut_observer_update(taut_observer *o, const TAUT_REAL *p, const TAUT_REAL *rate)
{
    for (int i = 0; i < o->n; ++i) {
        if (!o->running)
            o->integral[i] = p[i];
        TAUT_REAL r = o->gain[i] * (p[i] - o->integral[i]);
        r = r > o->limit[i] ? o->limit[i] : r < -o->limit[i] ? -o->limit[i] : r;
        o->residual[i] = r;
        o->integral[i] = p[i] - r / o->gain[i] + o->step * (rate[i] + r);
    }
    o->running = 1;
}

typedef struct {
    int n, running;
    TAUT_REAL share;                  /* step / time constant of the slow average */
    TAUT_REAL threshold[TAUT_JOINTS]; /* largest change without a flag */
    TAUT_REAL slow[TAUT_JOINTS];
} taut_detector;

static inline void taut_detector_reset(taut_detector *d)
{
    d->running = 0;
}

/* Return how many joints feel a collision. */
static inline int taut_detector_update(taut_detector *d, const TAUT_REAL *residual)
{
    int flagged = 0;
    for (int i = 0; i < d->n; ++i) {
        if (!d->running)
            d->slow[i] = residual[i];
        const TAUT_REAL change = residual[i] - d->slow[i];
        d->slow[i] += d->share * change;
        flagged += change > d->threshold[i] || change < -d->threshold[i];
    }
    d->running = 1;
    return flagged;
}

#endif
