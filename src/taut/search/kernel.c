/* How can a straight-line program be computed in fewer operations?  By local search over its values.

   Every node carries its values at POINTS random points of GF(2^61 - 1); nodes whose values agree up to sign are
   the same function. A node may be given any definition in one or two operations on nodes that do not depend on
   it, as long as the values agree. The move gains the operations that die with the old definition less those of
   the new one, and is made when the gain is not negative: moves of gain zero carry the search across plateaus.

   What makes it fast:
   - all sums, differences and products of two nodes lie in one hash table, so that a definition in one operation
     is one look-up, and one in two operations a look-up for each node and outer operation;
   - a Bloom filter of one word a key answers nearly all of these look-ups without touching the table; t - x is itself
     a pair, so that a second filter tells which keys are in the table twice;
   - a node that dies keeps its place and its pairs until the table is full: on a plateau the same values come and
     go, and one that returns costs nothing.

   The caller holds one `search` from open to close; there is no other state. The same rows, seed and number of
   steps give the same program on every machine, and plain.py makes the same moves in the same order. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 2
#define PRIME ((UINT64_C(1) << 61) - 1)
#define MAX_NODES 4096     /* the table of pairs then takes 300 MB; node numbers of pairs must fit 16 bits */
#define NOISE_ABOVE_BEST 2 /* how far moves that cost something may lead away from the best program */

typedef uint64_t u64;

/* A literal is 2 * node + negated. A node is told to the caller as a row (op, a, b, label) of four integers. */
enum { LEAF, SUM, PRODUCT, QUOTIENT, OPAQUE }; /* OPAQUE: free, its value given, never redefined, may be used */
enum { PLUS, MINUS, TIMES, OVER };             /* kinds of pairs of nodes; as outer operations: see `outer_of` */
enum { ROW = 4 };

typedef struct {
    int32_t op, a, b; /* operands are literals, -1 for none */
    int32_t label;    /* what an opaque node computes: the caller's business */
} definition;

typedef struct {
    uint32_t tag; /* part of the key's hash, the kind in its low two bits */
    int32_t next;
    uint16_t a, b;
} pair;

typedef struct {
    int32_t kind, a, b; /* the inner pair */
    int32_t flip;       /* whether it is negated */
    int32_t outer, x;   /* the other operand; -1 where the pair alone is the definition */
} candidate;

typedef struct { /* Bloom filter: two bits of one word for a key */
    u64 *word;
    int shift;
} filter;

typedef struct search {
    int32_t leaves, count, room, outputs;
    definition *def;
    u64 *value[POINTS], *inverse[POINTS];
    int32_t *refs;     /* uses by live nodes and by outputs; an operation lives while it has some */
    uint8_t *fixed;    /* leaves known off line */
    uint8_t *priced;   /* costs one operation */
    uint8_t *divisor;  /* something is divided by it already; another divisor could vanish where this one does not */
    uint8_t *twin;     /* a leaf with the value of an earlier one, which is used instead */
    uint32_t *mark, stamp;
    int32_t *user, *later, *earlier; /* lists of uses; use 2 * n + k is operand k of node n */
    int32_t *out;
    int32_t *stack, *order, *place, *usable;
    int32_t *same, *next_same; /* chains of nodes by value */
    u64 same_mask, *hashes;
    pair *pairs;
    int32_t npairs, *bucket;
    u64 bucket_mask;
    filter once, twice; /* of the keys of pairs, and of those that more than one pair has */
    int32_t cost, best_cost, best_length;
    int32_t *best_rows, *best_out;
    int32_t *rows; /* what the tables are rebuilt from */
    u64 *given;
    u64 random;
} search;

/* -- arithmetic of the field ---------------------------------------------------------------------------------- */

static inline u64 field_add(u64 x, u64 y) {
    u64 sum = x + y;
    return sum >= PRIME ? sum - PRIME : sum;
}

static inline u64 field_sub(u64 x, u64 y) { return x >= y ? x - y : x + PRIME - y; }

static inline u64 field_neg(u64 x) { return x ? PRIME - x : 0; }

static inline u64 field_mul(u64 x, u64 y) {
    __extension__ typedef unsigned __int128 u128;
    u128 t = (u128)x * y;
    return field_add((u64)t & PRIME, (u64)(t >> 61));
}

static u64 field_inverse(u64 x) { /* x^(p - 2), 0 for 0 */
    u64 result = 1;
    for (u64 e = PRIME - 2; e; e >>= 1, x = field_mul(x, x))
        if (e & 1) result = field_mul(result, x);
    return result;
}

static inline u64 unsigned_key(u64 x) { /* the same for x and -x */
    u64 negative = PRIME - x;
    return x < negative ? x : negative;
}

static inline u64 hash(u64 x) {
    x *= UINT64_C(0x9E3779B97F4A7C15);
    x ^= x >> 32;
    return x * UINT64_C(0xD6E8FEB86659FD93);
}

static u64 draw(search *s, u64 below) { /* splitmix64 */
    u64 z = s->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (z ^ z >> 31) % below;
}

/* -- values ------------------------------------------------------------------------------------------------------ */

static void value_of(const search *s, definition d, u64 v[POINTS]) {
    for (int k = 0; k < POINTS; k++) {
        const u64 *right = d.op == QUOTIENT ? s->inverse[k] : s->value[k];
        u64 x = s->value[k][d.a >> 1], y = right[d.b >> 1];
        if (d.a & 1) x = field_neg(x);
        if (d.b & 1) y = field_neg(y);
        v[k] = d.op == SUM ? field_add(x, y) : field_mul(x, y);
    }
}

static definition with_sign(definition d, int32_t negative) {
    d.a ^= negative;
    if (d.op == SUM) d.b ^= negative;
    return d;
}

static definition definition_of(int32_t kind, int32_t a, int32_t b) {
    int32_t op = kind == TIMES ? PRODUCT : kind == OVER ? QUOTIENT : SUM;
    return (definition){op, 2 * a, 2 * b + (kind == MINUS), 0};
}

/* PLUS: x + inner, MINUS: inner - x, TIMES: x * inner, OVER: inner / x. */
static definition outer_of(int32_t kind, int32_t x, int32_t inner) {
    if (kind == OVER) return (definition){QUOTIENT, inner, 2 * x, 0};
    return (definition){kind == TIMES ? PRODUCT : SUM, 2 * x + (kind == MINUS), inner, 0};
}

/* Whether two values agree up to sign; *flip: whether the sign differs. */
static int agree(const u64 x[POINTS], const u64 y[POINTS], int32_t *flip) {
    int same = 1, opposite = 1;
    for (int k = 0; k < POINTS; k++) {
        same &= x[k] == y[k];
        opposite &= x[k] == field_neg(y[k]);
    }
    *flip = !same;
    return same | opposite;
}

/* The node of a value up to sign, or -1. A value has one node at most, which may be dead. */
static int32_t find(const search *s, const u64 v[POINTS], int32_t *flip) {
    for (int32_t n = s->same[hash(unsigned_key(v[0])) & s->same_mask]; n >= 0; n = s->next_same[n]) {
        u64 w[POINTS];
        for (int k = 0; k < POINTS; k++) w[k] = s->value[k][n];
        if (agree(v, w, flip)) return n;
    }
    return -1;
}

/* -- the table of pairs ------------------------------------------------------------------------------------------ */

static void clear(filter *f) { memset(f->word, 0, sizeof(u64) << (64 - f->shift)); }

static inline u64 bloom_bits(u64 h) { return UINT64_C(1) << (h & 63) | UINT64_C(1) << (h >> 6 & 63); }

static inline int may_be_in(const filter *f, u64 h) {
    u64 bits = bloom_bits(h);
    return (f->word[h >> f->shift] & bits) == bits;
}

static inline uint32_t tag_of(u64 h) { return (uint32_t)(h >> 24) & ~UINT32_C(3); }

static inline int32_t *bucket_of(const search *s, u64 h) { return &s->bucket[h >> 12 & s->bucket_mask]; }

static inline void put_pair(search *s, u64 value, int32_t kind, int32_t a, int32_t b) {
    u64 h = hash(unsigned_key(value));
    int32_t *first = bucket_of(s, h);
    if (may_be_in(&s->once, h)) s->twice.word[h >> s->twice.shift] |= bloom_bits(h);
    else s->once.word[h >> s->once.shift] |= bloom_bits(h);
    s->pairs[s->npairs] = (pair){tag_of(h) | (uint32_t)kind, *first, (uint16_t)a, (uint16_t)b};
    *first = s->npairs++;
}

static void put_pairs(search *s, int32_t n) { /* of n with every node before it and with itself */
    u64 v = s->value[0][n];
    for (int32_t m = 0; m < n; m++) {
        if (s->twin[m] || (s->fixed[n] && s->fixed[m])) continue; /* the constants are not this search's to choose */
        u64 w = s->value[0][m];
        put_pair(s, field_add(v, w), PLUS, n, m);
        put_pair(s, field_sub(v, w), MINUS, n, m);
        put_pair(s, field_mul(v, w), TIMES, n, m);
        if (s->divisor[m]) put_pair(s, field_mul(v, s->inverse[0][m]), OVER, n, m);
        if (s->divisor[n]) put_pair(s, field_mul(w, s->inverse[0][n]), OVER, m, n);
    }
    if (s->fixed[n]) return;
    put_pair(s, field_add(v, v), PLUS, n, n);
    put_pair(s, field_mul(v, v), TIMES, n, n);
}

/* -- uses ---------------------------------------------------------------------------------------------------------- */

static void link_use(search *s, int32_t use, int32_t literal) {
    if (literal < 0) return;
    int32_t first = s->user[literal >> 1];
    s->later[use] = first;
    s->earlier[use] = -1;
    if (first >= 0) s->earlier[first] = use;
    s->user[literal >> 1] = use;
}

static void unlink_use(search *s, int32_t use, int32_t literal) {
    if (literal < 0) return;
    int32_t later = s->later[use], earlier = s->earlier[use];
    if (later >= 0) s->earlier[later] = earlier;
    if (earlier >= 0) s->later[earlier] = later;
    else s->user[literal >> 1] = later;
}

/* Give n a definition and count nothing. A dead node stays linked to its operands: it has no live users, so what
   depends on a node through a dead one is dead itself. */
static void define(search *s, int32_t n, definition d) {
    unlink_use(s, 2 * n, s->def[n].a);
    unlink_use(s, 2 * n + 1, s->def[n].b);
    s->def[n] = d;
    s->priced[n] = d.op == SUM || d.op == PRODUCT || d.op == QUOTIENT;
    link_use(s, 2 * n, d.a);
    link_use(s, 2 * n + 1, d.b);
}

static int32_t push_operands(search *s, int32_t n, int32_t top) {
    if (s->def[n].a >= 0) s->stack[top++] = s->def[n].a >> 1;
    if (s->def[n].b >= 0) s->stack[top++] = s->def[n].b >> 1;
    return top;
}

/* Add a use of n, and of what comes to life with it; return the operations that do. */
static int32_t retain(search *s, int32_t n) {
    int32_t born = 0, top = 0;
    s->stack[top++] = n;
    while (top) {
        int32_t m = s->stack[--top];
        if (s->refs[m]++) continue;
        born += s->priced[m];
        top = push_operands(s, m, top);
    }
    return born;
}

/* Take a use from n, and from what dies with it; return the operations that do. */
static int32_t release(search *s, int32_t n) {
    int32_t dead = 0, top = 0;
    s->stack[top++] = n;
    while (top) {
        int32_t m = s->stack[--top];
        if (--s->refs[m]) continue;
        dead += s->priced[m];
        top = push_operands(s, m, top);
    }
    return dead;
}

static void redefine(search *s, int32_t t, definition d) { /* t and d are binary, t is alive */
    definition old = s->def[t];
    define(s, t, d);
    s->cost += retain(s, d.a >> 1) + retain(s, d.b >> 1);
    s->cost -= release(s, old.a >> 1) + release(s, old.b >> 1);
}

static int alive(const search *s, int32_t n) { return n < s->leaves ? !s->twin[n] : s->refs[n] > 0; }

static int is_usable(const search *s, int32_t n) { return alive(s, n) && s->mark[n] != s->stamp; }

static void mark_dependents(search *s, int32_t t) { /* t and all that needs it: no operands of a definition of t */
    int32_t top = 0;
    s->mark[t] = ++s->stamp;
    s->stack[top++] = t;
    while (top)
        for (int32_t use = s->user[s->stack[--top]]; use >= 0; use = s->later[use])
            if (s->mark[use >> 1] != s->stamp) {
                s->mark[use >> 1] = s->stamp;
                s->stack[top++] = use >> 1;
            }
}

/* -- building and telling -------------------------------------------------------------------------------------- */

static void put_node(search *s, int32_t n, definition d, const u64 v[POINTS]) {
    for (int k = 0; k < POINTS; k++) {
        s->value[k][n] = v[k];
        s->inverse[k][n] = field_inverse(v[k]);
    }
    if (d.op != LEAF) s->fixed[n] = 0;
    s->divisor[n] = s->twin[n] = 0;
    s->refs[n] = 0;
    s->mark[n] = 0;
    s->user[n] = -1;
    s->def[n] = (definition){LEAF, -1, -1, 0};
    define(s, n, d);
    int32_t *first = &s->same[hash(unsigned_key(v[0])) & s->same_mask];
    s->next_same[n] = *first;
    *first = n;
}

/* Fill the tables from s->rows, whose opaque values are in s->given, and from s->out. Rows of one value become one. */
static void load(search *s, int32_t count) {
    s->count = s->leaves;
    s->npairs = 0;
    s->stamp = 0;
    memset(s->same, -1, sizeof(int32_t) * (size_t)(s->same_mask + 1));
    memset(s->bucket, -1, sizeof(int32_t) * (size_t)(s->bucket_mask + 1));
    clear(&s->once);
    clear(&s->twice);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *row = s->rows + ROW * i;
        definition d = {row[0], row[1], row[2], row[3]};
        u64 v[POINTS];
        int32_t flip;
        if (d.a >= 0) d.a = s->place[d.a >> 1] ^ (d.a & 1);
        if (d.b >= 0) d.b = s->place[d.b >> 1] ^ (d.b & 1);
        if (d.op == LEAF || d.op == OPAQUE) memcpy(v, s->given + POINTS * i, sizeof v);
        else value_of(s, d, v);
        int32_t n = find(s, v, &flip);
        if (n < 0) {
            flip = 0;
            n = i < s->leaves ? i : s->count++;
            put_node(s, n, d, v);
        } else if (i < s->leaves) {
            put_node(s, i, d, v);
            s->twin[i] = 1;
            s->same[hash(unsigned_key(v[0])) & s->same_mask] = s->next_same[i];
        }
        s->place[i] = 2 * n + flip;
        if (d.op == QUOTIENT) s->divisor[d.b >> 1] = 1;
    }
    s->cost = 0;
    for (int32_t i = 0; i < s->outputs; i++) {
        s->out[i] = s->place[s->out[i] >> 1] ^ (s->out[i] & 1);
        s->cost += retain(s, s->out[i] >> 1);
    }
    for (int32_t n = 0; n < s->count; n++)
        if (!s->twin[n]) put_pairs(s, n);
}

/* Write the live operations to `rows`, operands first, and the outputs to `out`; return how many rows there are. */
static int32_t tell(search *s, int32_t *rows, int32_t *out) {
    int32_t length = 0;
    for (int32_t n = 0; n < s->count; n++) s->place[n] = n < s->leaves ? n : -1;
    for (int32_t i = 0; i < s->outputs; i++) {
        int32_t top = 0;
        s->stack[top++] = s->out[i] >> 1;
        while (top) {
            int32_t n = s->stack[top - 1];
            definition d = s->def[n];
            if (s->place[n] == -1) { /* operands first, then this node again */
                s->place[n] = -2;
                top = push_operands(s, n, top);
                continue;
            }
            top--;
            if (s->place[n] >= 0) continue;
            int32_t *row = rows + ROW * length;
            row[0] = d.op;
            row[1] = d.a < 0 ? -1 : 2 * s->place[d.a >> 1] + (d.a & 1);
            row[2] = d.b < 0 ? -1 : 2 * s->place[d.b >> 1] + (d.b & 1);
            row[3] = d.label;
            s->order[length] = n;
            s->place[n] = s->leaves + length++;
        }
        out[i] = 2 * s->place[s->out[i] >> 1] + (s->out[i] & 1);
    }
    return length;
}

static void keep_best(search *s) {
    s->best_cost = s->cost;
    s->best_length = tell(s, s->best_rows, s->best_out);
}

static void rebuild(search *s) { /* without the dead */
    int32_t length = tell(s, s->rows + ROW * s->leaves, s->out);
    for (int32_t i = 0; i < length; i++)
        for (int k = 0; k < POINTS; k++) s->given[POINTS * (s->leaves + i) + k] = s->value[k][s->order[i]];
    load(s, s->leaves + length);
}

/* -- moves ------------------------------------------------------------------------------------------------------- */

/* Operations that die with the definition of t when it gets one on the given nodes, t itself included. */
static int32_t dying(search *s, int32_t t, const int32_t *operands, int n) {
    definition d = s->def[t];
    for (int i = 0; i < n; i++) retain(s, operands[i]);
    int32_t dead = 1 + release(s, d.a >> 1) + release(s, d.b >> 1);
    retain(s, d.a >> 1);
    retain(s, d.b >> 1);
    for (int i = 0; i < n; i++) release(s, operands[i]);
    return dead;
}

typedef struct {
    candidate best;
    int32_t gain; /* of the best so far; at first one less than what is acceptable */
    u64 ties;
} choice;

static void consider(search *s, choice *c, candidate found, int32_t gain) {
    if (gain < c->gain || (gain == c->gain && !c->ties)) return;
    if (gain > c->gain) c->ties = 0;
    c->gain = gain;
    if (draw(s, ++c->ties) == 0) c->best = found; /* each of several equals with the same chance */
}

/* Definitions of t as one pair. */
static void one_operation(search *s, choice *c, int32_t t) {
    u64 v[POINTS], w[POINTS];
    for (int k = 0; k < POINTS; k++) v[k] = s->value[k][t];
    u64 h = hash(unsigned_key(v[0]));
    definition old = s->def[t];
    for (int32_t i = *bucket_of(s, h); i >= 0; i = s->pairs[i].next) {
        const pair *p = &s->pairs[i];
        candidate found = {(int32_t)(p->tag & 3), p->a, p->b, 0, -1, -1};
        if ((p->tag & ~UINT32_C(3)) != tag_of(h) || !is_usable(s, p->a) || !is_usable(s, p->b)) continue;
        definition d = definition_of(found.kind, p->a, p->b);
        value_of(s, d, w);
        if (!agree(v, w, &found.flip)) continue;
        int32_t a = old.a >> 1, b = old.b >> 1;
        if (d.op == old.op && ((p->a == a && p->b == b) || (p->a == b && p->b == a))) continue; /* no news */
        const int32_t operands[] = {p->a, p->b};
        consider(s, c, found, dying(s, t, operands, 2) - 1);
    }
}

/* Definitions of t as an outer operation on x and a pair of value r (at the first point, with hash h). */
static void two_operations(search *s, choice *c, int32_t t, int32_t outer, int32_t x, u64 h) {
    u64 r[POINTS], w[POINTS];
    for (int k = 0; k < POINTS; k++) {
        u64 v = s->value[k][t], y = s->value[k][x];
        if (outer == PLUS) r[k] = field_sub(v, y);
        else if (outer == MINUS) r[k] = field_add(v, y);
        else r[k] = field_mul(v, outer == TIMES ? s->inverse[k][x] : y);
    }
    int32_t flip, known = -2; /* -2: not looked for yet */
    for (int32_t i = *bucket_of(s, h); i >= 0; i = s->pairs[i].next) {
        const pair *p = &s->pairs[i];
        candidate found = {(int32_t)(p->tag & 3), p->a, p->b, 0, outer, x};
        if ((p->tag & ~UINT32_C(3)) != tag_of(h) || !is_usable(s, p->a) || !is_usable(s, p->b)) continue;
        value_of(s, definition_of(found.kind, p->a, p->b), w);
        if (!agree(r, w, &found.flip)) continue;
        if (known == -2) known = find(s, r, &flip);
        if (known >= 0 && alive(s, known)) return; /* one operation does, or none as the value depends on t */
        const int32_t operands[] = {x, p->a, p->b};
        consider(s, c, found, dying(s, t, operands, 3) - 2);
    }
}

static void scan_two_operations(search *s, choice *c, int32_t t) {
    u64 v = s->value[0][t];
    int32_t n = 0;
    for (int32_t x = 0; x < s->count; x++) {
        s->usable[n] = x;
        n += is_usable(s, x);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t x = s->usable[i];
        u64 y = s->value[0][x];
        s->hashes[3 * i] = hash(unsigned_key(field_sub(v, y)));
        s->hashes[3 * i + 1] = hash(unsigned_key(field_add(v, y)));
        s->hashes[3 * i + 2] = hash(unsigned_key(field_mul(v, s->inverse[0][x])));
    }
    for (int32_t i = 0; i < n; i++) { /* apart from the loop above, so that many words are fetched at a time */
        int32_t x = s->usable[i];
        const u64 *h = s->hashes + 3 * i;
        if (may_be_in(&s->twice, h[0])) two_operations(s, c, t, PLUS, x, h[0]);
        if (may_be_in(&s->twice, h[1])) two_operations(s, c, t, MINUS, x, h[1]);
        if (may_be_in(&s->once, h[2]) && s->value[0][x]) two_operations(s, c, t, TIMES, x, h[2]);
        if (!s->divisor[x]) continue;
        u64 over = hash(unsigned_key(field_mul(v, s->value[0][x])));
        if (may_be_in(&s->twice, over)) two_operations(s, c, t, OVER, x, over);
    }
}

/* The literal of a pair's value that no live node has, defined as that pair. The table has room for a node. */
static int32_t literal_of(search *s, definition d) {
    u64 v[POINTS];
    int32_t flip = 0;
    value_of(s, d, v);
    int32_t n = find(s, v, &flip);
    if (n < 0) {
        n = s->count++;
        put_node(s, n, d, v);
        put_pairs(s, n);
        return 2 * n;
    }
    define(s, n, with_sign(d, flip));
    return 2 * n + flip;
}

static void make_move(search *s, int32_t t, const candidate *c) {
    definition d = definition_of(c->kind, c->a, c->b);
    if (c->x < 0) {
        redefine(s, t, with_sign(d, c->flip));
        return;
    }
    int32_t inner = literal_of(s, d) ^ c->flip;
    redefine(s, t, outer_of(c->outer, c->x, inner));
}

static void try_node(search *s, int32_t t, int32_t tolerance) {
    choice c = {.gain = -tolerance - 1};
    mark_dependents(s, t);
    one_operation(s, &c, t);
    int32_t most = dying(s, t, NULL, 0) - 2;
    if (most >= -tolerance && most >= c.gain) scan_two_operations(s, &c, t);
    if (c.ties) make_move(s, t, &c.best);
}

/* -- what the caller sees ---------------------------------------------------------------------------------------- */

void taut_search_close(search *s) {
    if (!s) return;
    for (int k = 0; k < POINTS; k++) {
        free(s->value[k]);
        free(s->inverse[k]);
    }
    void *const blocks[] = {s->def,        s->refs,     s->fixed,     s->priced, s->divisor,    s->twin,   s->mark,
                            s->user,       s->later,    s->earlier,   s->out,    s->stack,      s->order,  s->place,
                            s->usable,     s->hashes,   s->same,      s->pairs,  s->next_same,  s->bucket, s->rows,
                            s->once.word,  s->best_out, s->best_rows, s->given,  s->twice.word};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    free(s);
}

static int filter_shift(size_t keys, size_t bits_a_key) { /* so that the filter has at least so many bits */
    int shift = 58;
    while ((size_t)64 << (64 - shift) < keys * bits_a_key) shift--;
    return shift;
}

static u64 power_of_two(u64 at_least) {
    u64 size = 64;
    while (size < at_least) size *= 2;
    return size;
}

/* Begin a search.

   rows: count x (op, a, b, label), leaves first, operands before their uses, outputs literals of them.
   values: count x POINTS, read where a row is a leaf or opaque. fixed: for each leaf, whether it is known off line.
   Returns NULL where there are more than MAX_NODES nodes or too little memory. */
search *taut_search_open(int32_t leaves, int32_t count, const int32_t *rows, const u64 *values, const uint8_t *fixed,
                         int32_t outputs, const int32_t *out, u64 seed) {
    int32_t slack = 64 + count / 2;
    if (count + slack > MAX_NODES) return NULL;
    search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->leaves = leaves;
    s->outputs = outputs;
    s->room = count + slack;
    s->random = seed;
    size_t room = (size_t)s->room, divisors = 0, ends = (size_t)(outputs ? outputs : 1);
    for (int32_t i = 0; i < count; i++) divisors += rows[ROW * i] == QUOTIENT;
    size_t pairs = 3 * room * (room - 1) / 2 + (2 + divisors) * room;
    s->bucket_mask = power_of_two(pairs / 2) - 1;
    s->once.shift = filter_shift(pairs, 8);
    s->twice.shift = filter_shift(pairs, 2);
    s->same_mask = power_of_two(2 * room) - 1;
    int complete = 1;
#define ALLOCATE(block, items) complete &= ((block) = calloc((items), sizeof *(block))) != NULL
    for (int k = 0; k < POINTS; k++) {
        ALLOCATE(s->value[k], room);
        ALLOCATE(s->inverse[k], room);
    }
    ALLOCATE(s->def, room);
    ALLOCATE(s->refs, room);
    ALLOCATE(s->fixed, room);
    ALLOCATE(s->priced, room);
    ALLOCATE(s->divisor, room);
    ALLOCATE(s->twin, room);
    ALLOCATE(s->mark, room);
    ALLOCATE(s->user, room);
    ALLOCATE(s->later, 2 * room);
    ALLOCATE(s->earlier, 2 * room);
    ALLOCATE(s->out, ends);
    ALLOCATE(s->stack, 2 * room + 2); /* a node pushes its operands once */
    ALLOCATE(s->order, room);
    ALLOCATE(s->place, room);
    ALLOCATE(s->usable, room + 1);
    ALLOCATE(s->hashes, 3 * room);
    ALLOCATE(s->same, (size_t)s->same_mask + 1);
    ALLOCATE(s->next_same, room);
    ALLOCATE(s->pairs, pairs);
    ALLOCATE(s->bucket, (size_t)s->bucket_mask + 1);
    ALLOCATE(s->once.word, (size_t)1 << (64 - s->once.shift));
    ALLOCATE(s->twice.word, (size_t)1 << (64 - s->twice.shift));
    ALLOCATE(s->best_rows, ROW * room);
    ALLOCATE(s->best_out, ends);
    ALLOCATE(s->rows, ROW * room);
    ALLOCATE(s->given, POINTS * room);
#undef ALLOCATE
    if (!complete) {
        taut_search_close(s);
        return NULL;
    }
    memcpy(s->rows, rows, sizeof *rows * ROW * (size_t)count);
    memcpy(s->given, values, sizeof *values * POINTS * (size_t)count);
    memcpy(s->fixed, fixed, (size_t)leaves);
    memcpy(s->out, out, sizeof *out * (size_t)outputs);
    load(s, count);
    keep_best(s);
    return s;
}

/* Try this many nodes; in `noise` of a thousand a move may cost one operation. Returns the best cost so far. */
int32_t taut_search_run(search *s, int64_t steps, int32_t noise) {
    for (; steps > 0 && s->cost > 0; steps--) {
        if (s->count == s->room) rebuild(s);
        if (s->count == s->room) break;
        int32_t t;
        do t = s->leaves + (int32_t)draw(s, (u64)(s->count - s->leaves));
        while (!(s->priced[t] && alive(s, t)));
        int noisy = noise > 0 && (int32_t)draw(s, 1000) < noise && s->cost < s->best_cost + NOISE_ABOVE_BEST;
        try_node(s, t, noisy);
        if (s->cost < s->best_cost) keep_best(s);
    }
    return s->best_cost;
}

/* Write the outputs of the best program to `out` and its operations, which follow the leaves, to `rows`, which has
   room for as many as there were at first. Returns how many there are. */
int32_t taut_search_best(const search *s, int32_t *rows, int32_t *out) {
    memcpy(rows, s->best_rows, sizeof *rows * ROW * (size_t)s->best_length);
    memcpy(out, s->best_out, sizeof *out * (size_t)s->outputs);
    return s->best_length;
}
