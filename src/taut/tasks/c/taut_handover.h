/* Hands the latest value of one writer to one reader: a triple buffer with one atomic exchange.
 *
 * The writer fills a slot that nobody else sees and exchanges it with the slot in the middle; the reader exchanges its
 * own slot with the one in the middle when that is new. Neither waits for the other, no value is ever read half
 * written, and a writer that stops at any instruction leaves the reader the last whole value. A value that two tasks
 * read gets two buffers.
 *
 * With C11 atomics (the default) both sides are wait-free where the processor has an exchange instruction (x86, ARMv8.1
 * with LSE). Where the compiler makes it a loop of load-exclusive and store-exclusive (Cortex-M, older ARM) they are
 * lock-free: the loop ends as soon as no other access comes between the two. The exchange is acquire and release on
 * both sides, so that what was written before it is seen after it, and slots are returned only after they were read.
 *
 * Without C11, for one core and interrupts, define TAUT_SINGLE_CORE together with TAUT_MASK() and TAUT_UNMASK(), which
 * hold interrupts back and let them through again. It does not compile with threads.
 *
 *   typedef struct { double value[6]; taut_stamp stamp; } message;
 *   TAUT_HANDOVER(message) buffer;
 *   taut_handover_init(&buffer.control);
 *   writer: message *m = &buffer.slot[taut_to_write(&buffer.control)]; ...; taut_publish(&buffer.control);
 *   reader: const message *m = &buffer.slot[taut_latest(&buffer.control)];
 */
#ifndef TAUT_HANDOVER_H
#define TAUT_HANDOVER_H

#include <stdint.h>

/* When a value was written: its number, counted from one, and the time that the writer gave. */
typedef struct {
    uint64_t number;
    uint64_t time;
} taut_stamp;

/* A buffer for messages of a type. */
#define TAUT_HANDOVER(type) \
    struct { \
        taut_handover control; \
        type slot[3]; \
    }

#define TAUT_FRESH 4u

#if defined(TAUT_SINGLE_CORE)

#if defined(_REENTRANT) || defined(_OPENMP)
#error "TAUT_SINGLE_CORE holds back interrupts of one core and not threads: leave it out and compile as C11"
#endif
#if !defined(TAUT_MASK) || !defined(TAUT_UNMASK)
#error "define TAUT_MASK() and TAUT_UNMASK(), which hold interrupts back and let them through again"
#endif

typedef struct {
    volatile unsigned middle; /* the slot between the two, and TAUT_FRESH if it was not read */
    unsigned write;           /* of the writer alone */
    unsigned read;            /* of the reader alone */
    uint64_t number;          /* of the writer alone */
} taut_handover;

static inline unsigned taut_exchange(taut_handover *h, unsigned slot)
{
    unsigned old;
    TAUT_MASK();
    old = h->middle;
    h->middle = slot;
    TAUT_UNMASK();
    return old;
}

#define TAUT_MIDDLE(h) ((h)->middle)
#define TAUT_SET_MIDDLE(h, value) ((h)->middle = (value))

#else

#if defined(__cplusplus) || !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L || defined(__STDC_NO_ATOMICS__)
#error "compile as C11 with atomics, or define TAUT_SINGLE_CORE, TAUT_MASK() and TAUT_UNMASK() for one core"
#endif
#include <stdalign.h>
#include <stdatomic.h>

#ifndef TAUT_CACHE_LINE
#define TAUT_CACHE_LINE 64 /* bytes; writer and reader keep to lines of their own */
#endif

typedef struct {
    alignas(TAUT_CACHE_LINE) atomic_uint middle; /* the slot between the two, and TAUT_FRESH if it was not read */
    alignas(TAUT_CACHE_LINE) unsigned write;     /* of the writer alone */
    uint64_t number;                             /* of the writer alone */
    alignas(TAUT_CACHE_LINE) unsigned read;      /* of the reader alone */
} taut_handover;

static inline unsigned taut_exchange(taut_handover *h, unsigned slot)
{
    return atomic_exchange_explicit(&h->middle, slot, memory_order_acq_rel);
}

#define TAUT_MIDDLE(h) atomic_load_explicit(&(h)->middle, memory_order_relaxed)
#define TAUT_SET_MIDDLE(h, value) atomic_init(&(h)->middle, (value))

#endif

/* Before writer and reader start. */
static inline void taut_handover_init(taut_handover *h)
{
    TAUT_SET_MIDDLE(h, 1u);
    h->write = 0;
    h->read = 2;
    h->number = 0;
}

/* The slot that the writer may fill until it publishes. */
static inline unsigned taut_to_write(const taut_handover *h)
{
    return h->write;
}

/* The stamp of the next message. */
static inline taut_stamp taut_stamp_now(taut_handover *h, uint64_t now)
{
    taut_stamp stamp;
    stamp.number = ++h->number;
    stamp.time = now;
    return stamp;
}

/* Hand over what was written; the writer gets another slot. */
static inline void taut_publish(taut_handover *h)
{
    h->write = taut_exchange(h, h->write | TAUT_FRESH) & 3u;
}

/* The slot with the latest message, the reader's until it asks again. */
static inline unsigned taut_latest(taut_handover *h)
{
    if (TAUT_MIDDLE(h) & TAUT_FRESH)
        h->read = taut_exchange(h, h->read) & 3u;
    return h->read;
}

#endif
