/* The program under search: nodes, their values, who uses them, and how each value came to be known. */

#define POINTS 5 /* three states with random parameters; two with those that the robot has, to see what vanishes */
#define HOME 3   /* the first of these */
#define MOST_POINTS 80 /* with those on a line of parameters, two states each */
#define MAX_NODES 4096     /* node numbers of pairs must fit 16 bits */

/* A literal is 2 * node + negated. Constants have no nodes: a row with one operand is that operand and a constant,
   which its values tell. */
enum {
    LEAF,
    SUM,
    PRODUCT,
    QUOTIENT,
    OPAQUE,  /* free, its value given, never redefined, may be used */
    SCALE,   /* constant * a */
    SHIFT,   /* a + constant */
    INVERSE, /* constant / a */
    FIXED,   /* a constant; free */
    OPERATIONS
};
enum { PLUS, MINUS, TIMES, OVER, NODE }; /* kinds of terms: pairs of nodes, or one alone */
enum { SLOPE = OPERATIONS, PENCIL };     /* further origins: k*a of r = k*a + l, k*a of r = k*a + l*b */
enum { ROW = 4, WORK = 4, TOUCHED = 64 };
enum { TWO, THREE, REST_KINDS };         /* keys for definitions in two operations, and further ones in three */

typedef struct {
    int32_t op, a, b; /* operands are literals, -1 for none */
    int32_t label;    /* what an opaque node computes: the caller's business */
} definition;

typedef struct { /* how a value is known: by an operation on values known before */
    int32_t op, a, b, c;
} origin;

typedef struct search {
    int32_t leaves, count, room, outputs;
    definition *def;
    int32_t points; /* POINTS, or more where constants must be polynomials of the parameters */
    u64 *value[MOST_POINTS], *inverse[MOST_POINTS];
    u64 line_weight[MOST_POINTS]; /* of a constant at the points of the line: the sum is zero for polynomials */
    int32_t *refs;    /* uses by live nodes and by outputs; an operation lives while it has some */
    uint8_t *fixed;   /* constants */
    uint8_t *divisor; /* something is divided by it already; another divisor could vanish where this one does not */
    uint8_t *twin;    /* a leaf with the value of an earlier one, which is used instead */
    int32_t *known_by;    /* its origin */
    int32_t weight[OPERATIONS], cheapest;
    uint32_t *mark, stamp;
    int32_t *user, *later, *earlier; /* lists of uses; use 2 * n + k is operand k of node n */
    int32_t *out;
    int32_t *stack, *order, *place;
    int32_t *same, *next_same; /* chains of nodes by value */
    u64 same_mask;
    table exact, ratio, difference, affine; /* nodes and pairs by value, by v1/v0, by v1-v0, by (v2-v0)/(v1-v0) */
    u64 *pair_inverse[2];                   /* of the entries of `exact`, at two points */
    origin *origins;
    int32_t norigins, origin_room;
    int32_t *usable, nusable;
    uint8_t *is_usable;
    u64 *work[WORK];
    int32_t cost, best_cost, best_length;
    int32_t *best_rows, *best_out, *best_known_by;
    int32_t *rows; /* what the tables are rebuilt from */
    u64 *given;
    int32_t *given_known_by;
    u64 random;
    struct {       /* the program a trial may go back to */
        definition *def;
        int32_t *refs, *user, *later, *earlier, count, cost;
    } kept;
    int32_t deep;        /* steps in a thousand that look for three operations */
    int32_t trial, left; /* steps of a trial, 0 for none, and those left. In trials new nodes get pairs by value only,
                            with live nodes only: most die with the trial */
    int64_t done;        /* steps so far */
    int32_t loaded;      /* nodes with all their pairs in the tables */
    struct {             /* keys of what is left of a node without each other node; see keys.h */
        u64 *key;
        int32_t known; /* nodes with keys so far */
    } *rest[REST_KINDS];
    u64 *spare[REST_KINDS]; /* keys of one node for which there is no room */
    size_t rest_room;       /* bytes that may still be taken for keys */
    u64 *step_inverse;      /* 1 / (v1 - v0) of each node, 0 where it is not known yet */
    int32_t touched[TOUCHED];
    u64 ntouched; /* the last nodes that changed, with their operands, in a ring */
} search;

static u64 draw(search *s, u64 below) { return next_random(&s->random) % below; }

/* -- values ------------------------------------------------------------------------------------------------------ */

static void value_of(const search *s, definition d, u64 *v, int32_t points) { /* of an operation on two operands */
    for (int k = 0; k < points; k++) {
        const u64 *right = d.op == QUOTIENT ? s->inverse[k] : s->value[k];
        u64 x = s->value[k][d.a >> 1], y = right[d.b >> 1];
        if (d.a & 1) x = field_neg(x);
        if (d.b & 1) y = field_neg(y);
        v[k] = d.op == SUM ? field_add(x, y) : field_mul(x, y);
    }
}

static definition with_sign(definition d, int32_t negative) {
    if (d.op == SCALE || d.op == INVERSE || d.op == FIXED) return d; /* the constant takes it */
    d.a ^= negative;
    if (d.op == SUM) d.b ^= negative;
    return d;
}

/* Whether two values agree up to sign; *flip: whether the sign differs. */
static int agree(const u64 *x, const u64 *y, int32_t *flip) {
    int same = 1, opposite = 1;
    for (int k = 0; k < HOME; k++) {
        same &= x[k] == y[k];
        opposite &= x[k] == field_neg(y[k]);
    }
    *flip = !same;
    return same | opposite;
}

static int is_constant(const u64 *v) { return v[0] == v[1] && v[0] == v[2]; }


/* The node of a value up to sign, or -1. A value has one node at most, which may be dead. */
static int32_t find(const search *s, const u64 *v, int32_t *flip) {
    for (int32_t n = s->same[hash(unsigned_key(v[0])) & s->same_mask]; n >= 0; n = s->next_same[n]) {
        u64 w[HOME];
        for (int k = 0; k < HOME; k++) w[k] = s->value[k][n];
        if (agree(v, w, flip)) return n;
    }
    return -1;
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
    link_use(s, 2 * n, d.a);
    link_use(s, 2 * n + 1, d.b);
}

static inline int32_t price(const search *s, int32_t n) { return s->weight[s->def[n].op]; }

static int32_t push_operands(search *s, int32_t n, int32_t top) {
    if (s->def[n].a >= 0) s->stack[top++] = s->def[n].a >> 1;
    if (s->def[n].b >= 0) s->stack[top++] = s->def[n].b >> 1;
    return top;
}

/* Add a use of n, and of what comes to life with it; return what that costs. */
static int32_t retain(search *s, int32_t n) {
    int32_t cost = 0, top = 0;
    s->stack[top++] = n;
    while (top) {
        int32_t m = s->stack[--top];
        if (s->refs[m]++) continue;
        cost += price(s, m);
        top = push_operands(s, m, top);
    }
    return cost;
}

/* Take a use from n, and from what dies with it; return what that saves. */
static int32_t release(search *s, int32_t n) {
    int32_t cost = 0, top = 0;
    s->stack[top++] = n;
    while (top) {
        int32_t m = s->stack[--top];
        if (--s->refs[m]) continue;
        cost += price(s, m);
        top = push_operands(s, m, top);
    }
    return cost;
}

static int32_t retain_operands(search *s, definition d) {
    return (d.a >= 0 ? retain(s, d.a >> 1) : 0) + (d.b >= 0 ? retain(s, d.b >> 1) : 0);
}

static int32_t release_operands(search *s, definition d) {
    return (d.a >= 0 ? release(s, d.a >> 1) : 0) + (d.b >= 0 ? release(s, d.b >> 1) : 0);
}

static void redefine(search *s, int32_t t, definition d) { /* t is alive */
    definition old = s->def[t];
    s->cost -= price(s, t);
    define(s, t, d);
    s->cost += price(s, t) + retain_operands(s, d);
    s->cost -= release_operands(s, old);
}

static int alive(const search *s, int32_t n) { return n < s->leaves ? !s->twin[n] : s->refs[n] > 0; }

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
    s->nusable = 0;
    for (int32_t n = 0; n < s->count; n++) {
        s->is_usable[n] = alive(s, n) && !s->fixed[n] && s->mark[n] != s->stamp;
        s->usable[s->nusable] = n;
        s->nusable += s->is_usable[n];
    }
}

static void forbid(search *s, int32_t n) { /* n as an operand, too */
    if (!s->is_usable[n]) return;
    s->is_usable[n] = 0;
    int32_t k = 0;
    for (int32_t i = 0; i < s->nusable; i++)
        if (s->usable[i] != n) s->usable[k++] = s->usable[i];
    s->nusable = k;
}

/* -- nodes and their pairs --------------------------------------------------------------------------------------- */

static u64 affine_top(const search *s, int32_t n) { return field_sub(s->value[2][n], s->value[0][n]); }

static void put_pairs(search *s, int32_t n, int all) { /* of n with nodes before it and with itself, and n alone */
    if (s->fixed[n]) return;
    u64 *inverse = s->work[0], *inverse1 = s->work[1], *scratch = s->work[2];
    queue soon = {.first = 0};
    int32_t place = s->exact.count;
    u64 v0 = s->value[0][n], v1 = s->value[1][n];
    u64 step = field_sub(v1, v0);
    put_soon(&soon, &s->ratio, hash(field_mul(v1, s->inverse[0][n])), NODE, n, 0);
    put_soon(&soon, &s->difference, hash(unsigned_key(step)), NODE, n, 0);
    put_soon(&soon, &s->affine, hash(field_mul(affine_top(s, n), field_inverse(step))), NODE, n, 0);
    int inverses = all || s->pair_inverse[0];
    for (int32_t m = 0; m <= n && inverses; m++) {
        inverse[2 * m] = field_add(v0, s->value[0][m]);
        inverse[2 * m + 1] = field_sub(v0, s->value[0][m]);
        inverse1[2 * m] = field_add(v1, s->value[1][m]);
        inverse1[2 * m + 1] = field_sub(v1, s->value[1][m]);
    }
    if (inverses) invert_all(inverse, scratch, 2 * (size_t)n + 2);
    if (s->pair_inverse[0]) invert_all(inverse1, scratch, 2 * (size_t)n + 2);
    u64 ratio = field_mul(v1, s->inverse[0][n]);
    for (int32_t m = 0; m <= n; m++) {
        if (s->twin[m] || s->fixed[m] || (!all && m != n && !alive(s, m))) continue;
        u64 w0 = s->value[0][m], w1 = s->value[1][m], other = field_sub(w1, w0);
        u64 kinds[3][4] = {{field_add(v0, w0), inverse[2 * m], inverse1[2 * m], field_add(step, other)},
                           {field_sub(v0, w0), inverse[2 * m + 1], inverse1[2 * m + 1], field_sub(step, other)},
                           {field_mul(v0, w0), field_mul(s->inverse[0][n], s->inverse[0][m]),
                            field_mul(s->inverse[1][n], s->inverse[1][m]), 0}};
        kinds[TIMES][3] = field_sub(field_mul(v1, w1), kinds[TIMES][0]);
        for (int kind = PLUS; kind <= TIMES; kind++) {
            if (m == n && kind == MINUS) continue;
            const u64 *k = kinds[kind];
            if (s->pair_inverse[0]) {
                s->pair_inverse[0][place] = k[1];
                s->pair_inverse[1][place] = k[2];
            }
            place++;
            put_soon(&soon, &s->exact, hash(unsigned_key(k[0])), kind, n, m);
            if (!all) continue;
            if (m == n && kind == PLUS) continue; /* a constant multiple of n */
            u64 r = kind == TIMES ? field_mul(ratio, field_mul(w1, s->inverse[0][m]))
                                  : field_mul(kind == PLUS ? field_add(v1, w1) : field_sub(v1, w1), k[1]);
            put_soon(&soon, &s->ratio, hash(r), kind, n, m);
            put_soon(&soon, &s->difference, hash(unsigned_key(k[3])), kind, n, m);
        }
        for (int swap = 0; swap < 2; swap++) {
            int32_t a = swap ? m : n, b = swap ? n : m;
            if (!s->divisor[b] || m == n) continue;
            for (int k = 0; k < 2 && s->pair_inverse[0]; k++)
                s->pair_inverse[k][place] = field_mul(s->inverse[k][a], s->value[k][b]);
            put_soon(&soon, &s->exact, hash(unsigned_key(field_mul(s->value[0][a], s->inverse[0][b]))), OVER, a, b);
            place++;
        }
    }
    put_all(&soon);
}

static void put_node(search *s, int32_t n, definition d, const u64 *v, int32_t known_by) {
    for (int k = 0; k < s->points; k++) {
        s->value[k][n] = v[k];
        s->inverse[k][n] = field_inverse(v[k]);
    }
    s->fixed[n] = is_constant(v) != 0;
    s->divisor[n] = s->twin[n] = 0;
    s->refs[n] = 0;
    s->mark[n] = 0;
    s->user[n] = -1;
    s->known_by[n] = known_by;
    s->def[n] = (definition){LEAF, -1, -1, 0};
    define(s, n, d);
    int32_t *first = &s->same[hash(unsigned_key(v[0])) & s->same_mask];
    s->next_same[n] = *first;
    *first = n;
}

static int room_for_origins(search *s, int32_t more) {
    if (s->norigins + more <= s->origin_room) return 1;
    int32_t room = 2 * s->origin_room + more;
    origin *origins = realloc(s->origins, sizeof *origins * (size_t)room);
    if (!origins) return 0;
    s->origins = origins;
    s->origin_room = room;
    return 1;
}

static int32_t new_origin(search *s, int32_t op, int32_t a, int32_t b, int32_t c) { /* there is room for it */
    s->origins[s->norigins] = (origin){op, a, b, c};
    return s->norigins++;
}

static int32_t known_literal(const search *s, int32_t literal) { return 2 * s->known_by[literal >> 1] + (literal & 1); }
