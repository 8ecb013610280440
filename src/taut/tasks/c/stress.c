/* Stress of the hand-over: one writer and one reader at full speed, every message with a checksum.
 *
 *   cc -std=c11 -O2 -pthread stress.c -o stress && ./stress 10000000
 *   cc -std=c11 -O1 -g -fsanitize=thread -pthread stress.c -o stress && ./stress 200000
 *
 * Fails if a message is torn, older than one read before, or if the reader never sees the last one.
 */
#define _POSIX_C_SOURCE 200809L
#include "taut_handover.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WORDS 32

typedef struct {
    uint64_t word[WORDS];
    uint64_t sum;
    taut_stamp stamp;
} message;

static TAUT_HANDOVER(message) buffer;
static uint64_t count;

static uint64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t checksum(const message *m)
{
    uint64_t sum = 1469598103934665603u;
    for (int i = 0; i < WORDS; ++i)
        sum = (sum ^ m->word[i]) * 1099511628211u;
    return sum ^ m->stamp.number;
}

static void *write_all(void *unused)
{
    (void)unused;
    for (uint64_t n = 1; n <= count; ++n) {
        message *m = &buffer.slot[taut_to_write(&buffer.control)];
        m->stamp = taut_stamp_now(&buffer.control, n);
        for (unsigned i = 0; i < WORDS; ++i)
            m->word[i] = n * 6364136223846793005u + i;
        m->sum = checksum(m);
        taut_publish(&buffer.control);
    }
    return NULL;
}

int main(int given, char **arguments)
{
    count = given > 1 ? strtoull(arguments[1], NULL, 10) : 10000000u;
    taut_handover_init(&buffer.control);
    message *first = &buffer.slot[taut_to_write(&buffer.control)];
    first->stamp = (taut_stamp){0, 0};
    for (int i = 0; i < WORDS; ++i)
        first->word[i] = 0;
    first->sum = checksum(first);
    taut_publish(&buffer.control);

    pthread_t writer;
    if (pthread_create(&writer, NULL, write_all, NULL) != 0) {
        fputs("no thread can be started\n", stderr);
        return 2;
    }
    uint64_t reads = 0, fresh = 0, torn = 0, backward = 0, last = 0, slowest = 0, sum_of_reads = 0;
    const uint64_t begin = nanoseconds();
    while (last < count) {
        const uint64_t before = nanoseconds();
        const message *m = &buffer.slot[taut_latest(&buffer.control)];
        const uint64_t took = nanoseconds() - before;
        slowest = took > slowest ? took : slowest;
        sum_of_reads += took;
        torn += m->sum != checksum(m);
        backward += m->stamp.number < last;
        const int new_one = m->stamp.number != last;
        fresh += (uint64_t)new_one;
        last = m->stamp.number;
        if (!new_one && (++reads & 1023) == 0)
            sched_yield(); /* on one core the writer must get its turn */
        else
            reads += (uint64_t)new_one;
    }
    pthread_join(writer, NULL);
    printf("%llu exchanges in %.2f s; %llu reads, %llu of them of a new message; %llu torn, %llu backward\n",
           (unsigned long long)count, (double)(nanoseconds() - begin) * 1e-9, (unsigned long long)reads,
           (unsigned long long)fresh, (unsigned long long)torn, (unsigned long long)backward);
    printf("read: %.0f ns on average, %llu ns the slowest, the clock and pre-emption included\n",
           (double)sum_of_reads / (double)reads, (unsigned long long)slowest);
    return torn != 0 || backward != 0;
}
