/* Measures the time of a function: the same loop for every library; nanoseconds of process CPU time per state. */
#include <stddef.h>
#include <time.h>

typedef void one_state(const double *q, const double *v, const double *x, double *out);
typedef void many_states(size_t n, const double *q, const double *v, const double *x, double *out);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Every state in turn, each answer over the last: only the states stream through. */
__attribute__((noinline)) void measured(one_state *f, int n, const double *q, int nq, const double *v, const double *x,
                                        int nv, double *out)
{
    for (int i = 0; i < n; ++i)
        f(q + i * nq, v + i * nv, x + i * nv, out);
}

double time_one(one_state *f, int loops, int n, const double *q, int nq, const double *v, const double *x, int nv,
                double *out)
{
    const double start = now();
    for (int k = 0; k < loops; ++k)
        measured(f, n, q, nq, v, x, nv, out);
    return (now() - start) / loops / n;
}

double time_many(many_states *f, int loops, int n, const double *q, const double *v, const double *x, double *out)
{
    const double start = now();
    for (int k = 0; k < loops; ++k)
        f((size_t)n, q, v, x, out);
    return (now() - start) / loops / n;
}
