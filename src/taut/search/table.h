/* Tables of nodes and pairs of nodes by key: hash chains behind two Bloom filters. */

typedef struct { /* Bloom filter: two bits of one word for a key */
    u64 *word;
    int shift;
} filter;

typedef struct {
    uint32_t tag; /* part of the key's hash, the kind in its low three bits */
    int32_t next;
    uint16_t a, b;
} entry;

typedef struct {
    entry *entries;
    int32_t count, *bucket;
    u64 mask;
    filter once, twice; /* of the keys, and of those that more than one entry has */
} table;

static inline u64 bloom_bits(u64 h) { return UINT64_C(1) << (h & 63) | UINT64_C(1) << (h >> 6 & 63); }

static inline int may_be_in(const filter *f, u64 h) {
    u64 bits = bloom_bits(h);
    return (f->word[h >> f->shift] & bits) == bits;
}

static inline void fetch(const filter *f, u64 h) { __builtin_prefetch(&f->word[h >> f->shift]); }

static inline uint32_t tag_of(u64 h) { return (uint32_t)(h >> 24) & ~UINT32_C(7); }

static inline int32_t *bucket_of(const table *t, u64 h) { return &t->bucket[h >> 12 & t->mask]; }

static inline void put(table *t, u64 h, int32_t kind, int32_t a, int32_t b) {
    int32_t *first = bucket_of(t, h);
    if (may_be_in(&t->once, h)) t->twice.word[h >> t->twice.shift] |= bloom_bits(h);
    else t->once.word[h >> t->once.shift] |= bloom_bits(h);
    t->entries[t->count] = (entry){tag_of(h) | (uint32_t)kind, *first, (uint16_t)a, (uint16_t)b};
    *first = t->count++;
}

/* Entries on their way into tables: the words they touch are fetched while others are worked out. */
enum { WAITING = 32 };

typedef struct {
    struct {
        table *t;
        u64 h;
        int32_t kind, a, b;
    } entry[WAITING];
    u64 first, end;
} queue;

static void put_next(queue *q) {
    u64 k = q->first++ % WAITING;
    put(q->entry[k].t, q->entry[k].h, q->entry[k].kind, q->entry[k].a, q->entry[k].b);
}

static inline void put_soon(queue *q, table *t, u64 h, int32_t kind, int32_t a, int32_t b) {
    if (q->end - q->first == WAITING) put_next(q);
    u64 k = q->end++ % WAITING;
    q->entry[k].t = t;
    q->entry[k].h = h;
    q->entry[k].kind = kind;
    q->entry[k].a = a;
    q->entry[k].b = b;
    fetch(&t->once, h);
    __builtin_prefetch(bucket_of(t, h), 1);
}

static void put_all(queue *q) {
    while (q->first < q->end) put_next(q);
}

static void clear(table *t) {
    t->count = 0;
    memset(t->bucket, -1, sizeof(int32_t) * (size_t)(t->mask + 1));
    memset(t->once.word, 0, sizeof(u64) << (64 - t->once.shift));
    memset(t->twice.word, 0, sizeof(u64) << (64 - t->twice.shift));
}

static u64 power_of_two(u64 at_least) {
    u64 size = 64;
    while (size < at_least) size *= 2;
    return size;
}

static int filter_shift(size_t keys, size_t bits_a_key) { /* so that the filter has at least so many bits */
    int shift = 58;
    while ((size_t)64 << (64 - shift) < keys * bits_a_key) shift--;
    return shift;
}

static int open_table(table *t, size_t entries) { /* whether there is memory for it */
    t->mask = power_of_two(entries / 2) - 1;
    t->once.shift = filter_shift(entries, 8);
    t->twice.shift = filter_shift(entries, 2);
    t->entries = calloc(entries, sizeof *t->entries);
    t->bucket = calloc((size_t)t->mask + 1, sizeof *t->bucket);
    t->once.word = calloc((size_t)1 << (64 - t->once.shift), sizeof(u64));
    t->twice.word = calloc((size_t)1 << (64 - t->twice.shift), sizeof(u64));
    return t->entries && t->bucket && t->once.word && t->twice.word;
}

static void close_table(table *t) {
    free(t->entries);
    free(t->bucket);
    free(t->once.word);
    free(t->twice.word);
}
