/* Fixed-step integration of a robot's motion, put behind its generated functions.
 *
 * Before this text stand definitions: NQ, NV (numbers of a position and of rates), METHOD (0: Runge-Kutta of order four,
 * 1: semi-implicit Euler, 2: variational), ROW (numbers of a row of references or torques), and the functions
 *   FORWARD(n, q, qd, tau, qdd)   accelerations
 *   LAW(n, q, qd, row, tau)       the control law, where HAS_LAW
 *   LOSS(n, q, qd, tau, lost)     what friction, offsets and springs take of tau, where HAS_LOSS
 *   PUSH(n, q, row, tau)          torque of wrenches of the world, where PUSHED numbers a row
 *   SLOPES(n, q, qd, y)           [dL/dqd; dL/dq] of the Lagrangian, where METHOD is 2
 *   COEFFICIENTS(n, q, k), HELD(n, k, qd, tau, qdd)   where HELD_COEFFICIENTS numbers are held for some steps
 *   MOVE(n, q, v, out)            positions after unit time with constant rates
 * each for n states one after the other. A block of states goes through the whole plan before the next one starts.
 */

#define BLOCK 32
#define MOST_ITERATIONS 30
enum { OUTPUT = 1, SAMPLE = 2, APPLY = 4 };

#if defined(__GNUC__)
#define ALWAYS static inline __attribute__((always_inline))
#else
#define ALWAYS static inline
#endif

typedef struct {
    ptrdiff_t segments, states, points;     /* of the plan; all initial states; stored times of a state */
    const double *h;                        /* [segments] */
    const int *steps, *flags;               /* [segments] */
    const double *rows;                     /* two a step and one at the end of each segment, or one a sample */
    const double *pushes;                   /* wrenches: two a step and one at the end of each segment */
    const double *effort;                   /* [NV], or null: torques are cut off there */
    const double *quantum;                  /* [NV], or null: torques are multiples of these */
    const double *encoder;                  /* [NQ], or null: measured positions are multiples of these */
    const double *noise;                    /* [samples][states][NQ], or null: added to measured positions */
    double period;                          /* of samples; 0: the law acts continuously */
    int hold;                               /* steps between two computations of the coefficients that are held */
    int differences, queue;                 /* measured rates are differences; samples on their way at most */
    double *q, *qd, *work, *held, *before, *waiting; /* [states]...: in and out, between calls, too */
    int *count;                             /* [states]: samples waiting */
    double *out_q, *out_qd, *out_qdd, *out_tau, *out_work; /* [states][points]... */
    ptrdiff_t bad_segment, bad_state, bad_joint;    /* where an acceleration is not finite first; -1 before */
} taut_run;

typedef struct {
    double q[BLOCK * NQ], qd[BLOCK * NV], work[BLOCK];
} taut_state;

typedef struct {
    double qdd[BLOCK * NV], tau[BLOCK * NV], net[BLOCK * NV];
} taut_rates;

/* What acts from outside: the row of this moment, or a torque that is held; and wrenches. */
typedef struct {
    const double *row, *held, *push, *coefficients;
} taut_moment;

ALWAYS taut_moment taut_later(const taut_moment *now, size_t stages)
{
    const taut_moment later = {now->held ? now->row : now->row + stages * ROW, now->held,
                               PUSHED ? now->push + stages * PUSHED : 0, now->coefficients};
    return later;
}

#define EACH(i, count) for (size_t i = 0; i < (count); ++i)

ALWAYS void taut_limited(const taut_run *run, size_t n, double *tau)
{
    if (run->effort)
        EACH(s, n) EACH(i, NV) {
            double *const x = &tau[s * NV + i];
            *x = *x > run->effort[i] ? run->effort[i] : *x < -run->effort[i] ? -run->effort[i] : *x;
        }
    if (run->quantum)
        EACH(s, n) EACH(i, NV) if (run->quantum[i] > 0)
            tau[s * NV + i] = run->quantum[i] * rint(tau[s * NV + i] / run->quantum[i]);
}

/* Torques and accelerations of a state; `row` are the references or torques of this moment. */
ALWAYS void taut_field(const taut_run *run, size_t n, const taut_moment *now, const double *q, const double *qd,
                       taut_rates *y)
{
    if (now->held) {
        memcpy(y->tau, now->held, n * NV * sizeof(double));
    } else {
#if HAS_LAW
        LAW(n, q, qd, now->row, y->tau);
#else
        EACH(s, n) memcpy(y->tau + s * NV, now->row, NV * sizeof(double));
#endif
        taut_limited(run, n, y->tau);
    }
    memcpy(y->net, y->tau, n * NV * sizeof(double));
#if HAS_LOSS
    double lost[BLOCK * NV];
    LOSS(n, q, qd, y->tau, lost);
    EACH(i, n * NV) y->net[i] -= lost[i];
#endif
#if PUSHED
    double pushed[BLOCK * NV];
    PUSH(n, q, now->push, pushed);
    EACH(i, n * NV) y->net[i] += pushed[i];
#endif
#if HELD_COEFFICIENTS
    HELD(n, now->coefficients, qd, y->net, y->qdd);
#else
    FORWARD(n, q, qd, y->net, y->qdd);
#endif
}

ALWAYS void taut_add_work(size_t n, double h, const double *net, const double *qd, double *work)
{
    EACH(s, n) {
        double power = 0;
        EACH(i, NV) power += net[s * NV + i] * qd[s * NV + i];
        work[s] += h * power;
    }
}

#if METHOD == 0
/* Commutator-free method of order four [Celledoni, Marthinsen, Owren 2003, section 4]. */
ALWAYS void taut_step(const taut_run *run, size_t n, const taut_moment *now, double h, taut_state *y,
                      const taut_rates *one)
{
    taut_rates two, three, four;
    double q2[BLOCK * NQ], q3[BLOCK * NQ], v[BLOCK * NV], v2[BLOCK * NV], v3[BLOCK * NV], v4[BLOCK * NV];
    const size_t m = n * NV;
    const taut_moment middle = taut_later(now, 1), end = taut_later(now, 2);
    EACH(i, m) v[i] = h / 2 * y->qd[i];
    MOVE(n, y->q, v, q2);
    EACH(i, m) v2[i] = y->qd[i] + h / 2 * one->qdd[i];
    taut_field(run, n, &middle, q2, v2, &two);
    EACH(i, m) v[i] = h / 2 * v2[i];
    MOVE(n, y->q, v, q3);
    EACH(i, m) v3[i] = y->qd[i] + h / 2 * two.qdd[i];
    taut_field(run, n, &middle, q3, v3, &three);
    EACH(i, m) v[i] = h * v3[i] - h / 2 * y->qd[i];
    MOVE(n, q2, v, q3);
    EACH(i, m) v4[i] = y->qd[i] + h * three.qdd[i];
    taut_field(run, n, &end, q3, v4, &four);
    EACH(i, m) v[i] = h * (y->qd[i] / 4 + (v2[i] + v3[i]) / 6 - v4[i] / 12);
    MOVE(n, y->q, v, q2);
    EACH(i, m) v[i] = h * (v4[i] / 4 + (v2[i] + v3[i]) / 6 - y->qd[i] / 12);
    taut_add_work(n, h / 6, one->net, y->qd, y->work);
    taut_add_work(n, h / 3, two.net, v2, y->work);
    taut_add_work(n, h / 3, three.net, v3, y->work);
    taut_add_work(n, h / 6, four.net, v4, y->work);
    MOVE(n, q2, v, y->q);
    EACH(i, m) y->qd[i] += h / 6 * (one->qdd[i] + 2 * (two.qdd[i] + three.qdd[i]) + four.qdd[i]);
}
#elif METHOD == 1
/* Symplectic Euler: rates first, then the position with the new rates. */
ALWAYS void taut_step(const taut_run *run, size_t n, const taut_moment *now, double h, taut_state *y,
                      const taut_rates *one)
{
    double v[BLOCK * NV], q[BLOCK * NQ];
    (void)run, (void)now;
    EACH(i, n * NV) y->qd[i] += h * one->qdd[i], v[i] = h * y->qd[i];
    taut_add_work(n, h, one->net, y->qd, y->work);
    MOVE(n, y->q, v, q);
    memcpy(y->q, q, n * NQ * sizeof(double));
}
#else
/* x = M(q)^-1 p, as a difference of accelerations at rest. */
ALWAYS void taut_solved(size_t n, const double *q, const double *p, double *x)
{
    double rest[BLOCK * NV], none[BLOCK * NV];
    EACH(i, n * NV) none[i] = 0;
    FORWARD(n, q, none, none, rest);
    FORWARD(n, q, none, p, x);
    EACH(i, n * NV) x[i] -= rest[i];
}

/* Variational midpoint rule [Marsden, West 2001, Discrete mechanics and variational integrators, 2.3]. */
ALWAYS void taut_step(const taut_run *run, size_t n, const taut_moment *now, double h, taut_state *y,
                      const taut_rates *one)
{
    const size_t m = n * NV;
    double p[BLOCK * NV], v[BLOCK * NV], q[BLOCK * NQ], w[BLOCK * NV], L[BLOCK * 2 * NV], r[BLOCK * NV];
    taut_rates mid;
    const taut_moment middle = taut_later(now, 1);
    SLOPES(n, y->q, y->qd, L);
    EACH(s, n) EACH(i, NV) p[s * NV + i] = L[s * 2 * NV + i];
    EACH(i, m) v[i] = y->qd[i] + h / 2 * one->qdd[i];
    double last = HUGE_VAL;
    for (int k = 0; k < MOST_ITERATIONS; ++k) {
        double size = 0, most = 0;
        EACH(i, m) w[i] = h / 2 * v[i];
        MOVE(n, y->q, w, q);
        taut_field(run, n, &middle, q, v, &mid);
        SLOPES(n, q, v, L);
        EACH(s, n) EACH(i, NV) {
            const size_t j = s * NV + i;
            r[j] = p[j] + h / 2 * (L[s * 2 * NV + NV + i] + mid.net[j]) - L[s * 2 * NV + i];
        }
        taut_solved(n, q, r, w);
        EACH(i, m) {
            v[i] += w[i];
            size = fabs(w[i]) > size ? fabs(w[i]) : size;
            most = fabs(v[i]) > most ? fabs(v[i]) : most;
        }
        if (!(size > 1e-15 * most) || (k > 2 && size >= last))
            break;
        last = size;
    }
    EACH(s, n) EACH(i, NV) {
        const size_t j = s * NV + i;
        p[j] += h * (L[s * 2 * NV + NV + i] + mid.net[j]);
    }
    EACH(i, m) w[i] = h * v[i];
    taut_add_work(n, h, mid.net, v, y->work);
    MOVE(n, y->q, w, q);
    memcpy(y->q, q, n * NQ * sizeof(double));
    taut_solved(n, y->q, p, y->qd);
}
#endif

/* Measure, compute the torque of a sample and let it wait for its time. */
ALWAYS void taut_sample(taut_run *run, size_t first, size_t n, ptrdiff_t sample, const double *row, const taut_state *y)
{
    double q[BLOCK * NQ], qd[BLOCK * NV], tau[BLOCK * NV];
    memcpy(q, y->q, n * NQ * sizeof(double));
    memcpy(qd, y->qd, n * NV * sizeof(double));
    if (run->noise)
        EACH(i, n * NQ) q[i] += run->noise[((size_t)sample * (size_t)run->states + first) * NQ + i];
    if (run->encoder)
        EACH(s, n) EACH(i, NQ) if (run->encoder[i] > 0)
            q[s * NQ + i] = run->encoder[i] * rint(q[s * NQ + i] / run->encoder[i]);
#if NQ == NV
    if (run->differences)
        EACH(i, n * NV) {
            const double before = run->before[first * NQ + i]; /* not a number before the first sample */
            qd[i] = before == before ? (q[i] - before) / run->period : 0;
        }
#endif
    memcpy(run->before + first * NQ, q, n * NQ * sizeof(double));
#if HAS_LAW
    LAW(n, q, qd, row, tau);
#else
    EACH(s, n) memcpy(tau + s * NV, row, NV * sizeof(double));
#endif
    taut_limited(run, n, tau);
    EACH(s, n) {
        int *const count = &run->count[first + s];
        memcpy(run->waiting + ((first + s) * (size_t)run->queue + (size_t)*count) * NV, tau + s * NV, NV * sizeof(double));
        ++*count;
    }
}

/* The oldest torque that waits becomes the one that acts. */
ALWAYS void taut_apply(taut_run *run, size_t first, size_t n)
{
    EACH(s, n) {
        double *const waiting = run->waiting + (first + s) * (size_t)run->queue * NV;
        int *const count = &run->count[first + s];
        if (*count == 0)
            continue;
        memcpy(run->held + (first + s) * NV, waiting, NV * sizeof(double));
        memmove(waiting, waiting + NV, (size_t)--*count * NV * sizeof(double));
    }
}

/* Take n states through the plan; return whether all accelerations are finite. */
ALWAYS int taut_through(taut_run *run, size_t first, size_t n)
{
    taut_state y;
    taut_rates one;
    memcpy(y.q, run->q + first * NQ, n * NQ * sizeof(double));
    memcpy(y.qd, run->qd + first * NV, n * NV * sizeof(double));
    memcpy(y.work, run->work + first, n * sizeof(double));
    double coefficients[BLOCK * (HELD_COEFFICIENTS + 1)];
    taut_moment now = {run->rows, run->period > 0 || !run->rows ? run->held + first * NV : 0, run->pushes,
                       coefficients};
    long since = 0;
    ptrdiff_t point = 0, sample = 0;
    (void)since;
    for (ptrdiff_t k = 0; k < run->segments; ++k) {
        if (run->flags[k] & SAMPLE) {
            taut_sample(run, first, n, sample++, now.row, &y);
            now.row += ROW;
        }
        if (run->flags[k] & APPLY)
            taut_apply(run, first, n);
        for (int step = 0; step < run->steps[k] || (step == 0 && run->flags[k] & OUTPUT); ++step) {
#if HELD_COEFFICIENTS
            if (since++ % run->hold == 0)
                COEFFICIENTS(n, y.q, coefficients);
#endif
            taut_field(run, n, &now, y.q, y.qd, &one);
            double sum = 0;
            EACH(i, n * NV) sum += one.qdd[i];
            if (!(fabs(sum) < HUGE_VAL)) {
                EACH(i, n * NV) if (!(fabs(one.qdd[i]) < HUGE_VAL)) {
                    if (run->bad_segment < 0 || k < run->bad_segment) {
                        run->bad_segment = k;
                        run->bad_state = (ptrdiff_t)(first + i / NV);
                        run->bad_joint = (ptrdiff_t)(i % NV);
                    }
                    return 0;
                }
            }
            if (step == 0 && run->flags[k] & OUTPUT) {
                EACH(s, n) {
                    const size_t at = (first + s) * (size_t)run->points + (size_t)point;
                    memcpy(run->out_q + at * NQ, y.q + s * NQ, NQ * sizeof(double));
                    memcpy(run->out_qd + at * NV, y.qd + s * NV, NV * sizeof(double));
                    memcpy(run->out_qdd + at * NV, one.qdd + s * NV, NV * sizeof(double));
                    memcpy(run->out_tau + at * NV, one.tau + s * NV, NV * sizeof(double));
                    run->out_work[at] = y.work[s];
                }
                ++point;
            }
            if (step < run->steps[k]) {
                taut_step(run, n, &now, run->h[k], &y, &one);
                now = taut_later(&now, 2);
            }
        }
        now = taut_later(&now, 1);
    }
    memcpy(run->q + first * NQ, y.q, n * NQ * sizeof(double));
    memcpy(run->qd + first * NV, y.qd, n * NV * sizeof(double));
    memcpy(run->work + first, y.work, n * sizeof(double));
    return 1;
}

/* Take the states first .. last - 1 through the plan; 0, or 1 where an acceleration is not finite. */
int taut_simulate(taut_run *run, ptrdiff_t first, ptrdiff_t last)
{
    int failed = 0;
    while (first < last) {
        const size_t n = last - first >= BLOCK ? BLOCK : (size_t)(last - first);
        const size_t now = n > 3 ? n : 1;
        failed |= !(now == 1 ? taut_through(run, (size_t)first, 1) : taut_through(run, (size_t)first, now));
        first += (ptrdiff_t)now;
    }
    return failed;
}
