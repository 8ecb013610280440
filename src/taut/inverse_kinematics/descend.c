/* Damped Newton steps of inverse kinematics, put behind the compiled step of a robot and frame.
 *
 * Before this text stand definitions: N (positions and rates), GOAL (numbers of a pose), WIDTH (of the error), LENGTH (of
 * what NEWTON gives) and
 *   NEWTON(q, goal, wish, free, weights, y)    y = [step (N); error (WIDTH); ...], weights = [damping, weight]
 * numeric.py has the same in Python, for robots whose positions do not add up and where there is no compiler.
 */

typedef struct {
    const double *lower, *upper;                /* [N] */
    double tolerance, weight, stall, least, most;
    int iterations;
} taut_limits;

/* Write the step at q that leaves no limit; return the size of the error. */
static double taut_newton(const taut_limits *at, const double *q, const double *goal, double damping, double *step)
{
    static const double nothing[N];
    double y[LENGTH], free[N], size = 0;
    const double weights[2] = {damping, at->weight};
    int held = 0;
    for (int i = 0; i < N; ++i)
        free[i] = 1;
    NEWTON(q, goal, nothing, free, weights, y);
    for (int i = 0; i < N; ++i)
        if ((q[i] <= at->lower[i] && y[i] < 0) || (q[i] >= at->upper[i] && y[i] > 0)) {
            free[i] = 0;
            held = 1;
        }
    if (held)
        NEWTON(q, goal, nothing, free, weights, y);
    memcpy(step, y, N * sizeof(double));
    for (int i = 0; i < WIDTH; ++i)
        size += y[N + i] * y[N + i];
    return sqrt(size);
}

/* Move q to where no step lowers the error any more, or to the pose; return the size of the error there. */
static double taut_descended(const taut_limits *at, double *q, const double *goal)
{
    double step[N], next[N], trial[N];
    double size = taut_newton(at, q, goal, 1.0, step);
    double damping = fmax(1e-2 * size * size, at->least);
    taut_newton(at, q, goal, damping, step);
    for (int k = 0; k < at->iterations && size > at->tolerance; ++k) {
        for (int i = 0; i < N; ++i)
            trial[i] = fmin(fmax(q[i] + step[i], at->lower[i]), at->upper[i]);
        const double eased = fmax(0.1 * damping, at->least), there = taut_newton(at, trial, goal, eased, next);
        if (there < size) {
            const int slow = there > (1 - at->stall) * size;
            memcpy(q, trial, sizeof trial);
            memcpy(step, next, sizeof next);
            size = there;
            damping = eased;
            if (slow)
                break;
        } else {
            damping = fmin(8 * damping, at->most);
            if (damping >= at->most)
                break;
            taut_newton(at, q, goal, damping, step);
        }
    }
    return size;
}

/* For each pose: from its own start, then from the shared ones until one reaches it; the best is kept. */
void taut_descend(const taut_limits *at, ptrdiff_t poses, const double *goals, ptrdiff_t starts, const double *shared,
                  double *best, double *sizes, ptrdiff_t *used)
{
    for (ptrdiff_t p = 0; p < poses; ++p) {
        double q[N];
        sizes[p] = taut_descended(at, best + p * N, goals + p * GOAL);
        used[p] = 1;
        for (ptrdiff_t s = 0; s < starts && sizes[p] > at->tolerance; ++s, ++used[p]) {
            memcpy(q, shared + s * N, sizeof q);
            const double size = taut_descended(at, q, goals + p * GOAL);
            if (size < sizes[p]) {
                sizes[p] = size;
                memcpy(best + p * N, q, sizeof q);
            }
        }
    }
}
