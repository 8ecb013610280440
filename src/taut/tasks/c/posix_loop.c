/* The tasks of '@robot@' on a POSIX system: a periodic synchronous thread and a background thread.
 *
 *   cc -std=c11 -O2 -pthread posix_loop.c @R@_tasks.c @R@.c -lm -o posix_loop && ./posix_loop 1000 30
 *
 * Arguments: rate of the synchronous task [Hz], seconds, background runs per second (0: one after the other), and the
 * second at which the background thread is killed, wherever it is (none by default). Prints how late the synchronous
 * task woke up as a histogram, and how old the values were that it used.
 */
#define _GNU_SOURCE
#include "@R@_tasks.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BINS 24 /* of the histogram: bin k counts 2^(k-1) up to 2^k - 1 microseconds */

static @R@_tasks tasks;
static long background_period; /* [ns] */

static uint64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_until(uint64_t time)
{
    const struct timespec t = {(time_t)(time / 1000000000u), (long)(time % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

/* What encoders and a path would say at a time. */
static void read_state(uint64_t time@state_parameters@)
{
    const double t = (double)time * 1e-9;
    (void)t;
@state_body@}

static void *run_background(void *unused)
{
    (void)unused;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); /* killed wherever it is, even half way through a slot */
    uint64_t next = nanoseconds();
    for (;;) {
        const uint64_t now = nanoseconds();
        @declare_state@
        read_state(now@state_arguments@);
@background@
        next += (uint64_t)background_period;
        if (background_period > 0)
            sleep_until(next);
    }
    return NULL;
}

int main(int given, char **arguments)
{
    const double rate = given > 1 ? atof(arguments[1]) : 1000.0, seconds = given > 2 ? atof(arguments[2]) : 30.0;
    const double often = given > 3 ? atof(arguments[3]) : rate / 4.0, killed_at = given > 4 ? atof(arguments[4]) : -1.0;
    if (!(rate > 0.0 && rate <= 1e6 && seconds > 0.0 && often >= 0.0)) {
        fputs("give a rate up to 1000000 Hz, seconds, background runs per second, and when to kill the background\n", stderr);
        return 2;
    }
    background_period = often > 0.0 ? (long)(1e9 / often) : 0;
    const uint64_t period = (uint64_t)(1e9 / rate), cycles = (uint64_t)(seconds * rate);
    @declare_state@
    read_state(nanoseconds()@state_arguments@);
    @R@_tasks_init(&tasks@init_arguments@, nanoseconds());
    pthread_t background;
    if (pthread_create(&background, NULL, run_background, NULL) != 0) {
        fputs("no thread can be started\n", stderr);
        return 2;
    }
    struct sched_param priority;
    memset(&priority, 0, sizeof priority);
    priority.sched_priority = sched_get_priority_max(SCHED_FIFO) - 1;
    const int refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
    printf("scheduling: %s\n", refused ? "the default; SCHED_FIFO is not allowed here" : "SCHED_FIFO");

    uint64_t histogram[BINS] = {0}, worst = 0, longest = 0, oldest = 0, missed = 0, last_age = 0;
    int killed = 0;
    double checksum = 0.0;
    const uint64_t begin = nanoseconds() + period;
    for (uint64_t k = 0; k < cycles; ++k) {
        const uint64_t due = begin + k * period;
        sleep_until(due);
        const uint64_t woke = nanoseconds(), late = (woke - due) / 1000u;
        int bin = 0;
        while (bin < BINS - 1 && late >> bin)
            ++bin;
        ++histogram[bin];
        worst = late > worst ? late : worst;
        @synchronous_outputs@
        taut_stamp used[@sources@] = {{0, woke}};
        read_state(woke@state_arguments@);
        @synchronous@
        checksum += @checksum@;
        const uint64_t done = nanoseconds();
        for (int j = 0; j < @sources@; ++j) {
            const uint64_t age = done > used[j].time ? done - used[j].time : 0;
            last_age = age;
            oldest = age > oldest && !killed ? age : oldest;
        }
        longest = done - woke > longest ? done - woke : longest;
        missed += done > due + period;
        if (!killed && killed_at >= 0.0 && (double)(woke - begin) * 1e-9 >= killed_at) {
            pthread_cancel(background);
            pthread_join(background, NULL);
            killed = 1;
            printf("background killed after %.2f s; the synchronous task goes on\n", (double)(woke - begin) * 1e-9);
        }
    }
    if (!killed) {
        pthread_cancel(background);
        pthread_join(background, NULL);
    }
    printf("%llu cycles at %g Hz, %llu ended late; checksum %.6g\n", (unsigned long long)cycles, rate,
           (unsigned long long)missed, checksum);
    printf("synchronous task: %.1f us the longest; values it used: %.3f ms old at the most while the background ran\n",
           (double)longest * 1e-3, (double)oldest * 1e-6);
    if (killed)
        printf("at the end they were %.3f s old\n", (double)last_age * 1e-9);
    printf("woke up late by [us], %llu the worst:\n", (unsigned long long)worst);
    for (int k = 0; k < BINS; ++k)
        if (histogram[k])
            printf("  %8lu .. %-8lu %10llu\n", k ? 1ul << (k - 1) : 0ul, k ? (1ul << k) - 1 : 0ul,
                   (unsigned long long)histogram[k]);
    return 0;
}
