/* Candidates for the definition of a node: whether they are valid, what they gain, and how they are made. */

typedef struct {
    int32_t kind, a, b; /* a pair of nodes; kind NODE: a alone */
} term;

/* What is left of the target when the outer operands are taken off. */
enum {
    EXACT,   /* inner */
    SCALED,  /* k * inner */
    SHIFTED, /* inner + k */
    AFFINE,  /* k * a + l */
    LINEAR   /* k * a + l * b */
};

typedef struct {
    int32_t outers; /* t = x1 o1 (x2 o2 rest): PLUS x + rest, MINUS rest - x, TIMES x * rest, OVER rest / x */
    int32_t outer[2];
    term x[2];
    int32_t core;
    term inner;
} candidate;

typedef struct {
    candidate best;
    int32_t t, most; /* the target, and what can die with its definition */
    int32_t gain;    /* of the best so far; at first one less than what is acceptable */
    u64 ties;
} choice;

static definition definition_of(term x) { /* x is a pair */
    int32_t op = x.kind == TIMES ? PRODUCT : x.kind == OVER ? QUOTIENT : SUM;
    return (definition){op, 2 * x.a, 2 * x.b + (x.kind == MINUS), 0};
}

static definition outer_of(int32_t kind, int32_t x, int32_t rest) { /* of literals */
    if (kind == OVER) return (definition){QUOTIENT, rest, x, 0};
    return (definition){kind == TIMES ? PRODUCT : SUM, x ^ (kind == MINUS), rest, 0};
}

static void term_value(const search *s, term x, u64 *v, int32_t points) {
    if (x.kind != NODE) value_of(s, definition_of(x), v, points);
    else
        for (int k = 0; k < points; k++) v[k] = s->value[k][x.a];
}

static void take_off(const search *s, int32_t outer, term x, const u64 *v, u64 *r, int32_t points) { /* v: of x */
    for (int k = 0; k < points; k++) {
        if (outer == PLUS) r[k] = field_sub(r[k], v[k]);
        else if (outer == MINUS) r[k] = field_add(r[k], v[k]);
        else if (outer == OVER) r[k] = field_mul(r[k], v[k]);
        else r[k] = field_mul(r[k], x.kind == NODE ? s->inverse[k][x.a] : field_inverse(v[k]));
    }
}

static int32_t term_price(const search *s, term x) {
    if (x.kind == NODE) return 0;
    return s->weight[x.kind == TIMES ? PRODUCT : x.kind == OVER ? QUOTIENT : SUM];
}

static int32_t candidate_price(const search *s, const candidate *c) {
    int32_t sum = 0;
    for (int i = 0; i < c->outers; i++)
        sum += term_price(s, c->x[i]) +
               s->weight[c->outer[i] == TIMES ? PRODUCT : c->outer[i] == OVER ? QUOTIENT : SUM];
    if (c->core == AFFINE) return sum + s->weight[SCALE] + s->weight[SHIFT];
    if (c->core == LINEAR) return sum + 2 * s->weight[SCALE] + s->weight[SUM];
    return sum + term_price(s, c->inner) + (c->core == SCALED ? s->weight[SCALE] : c->core == SHIFTED ? s->weight[SHIFT] : 0);
}

static u64 cross(const u64 *x, const u64 *y, int i, int k) {
    return field_sub(field_mul(x[i], y[k]), field_mul(x[k], y[i]));
}

/* The terms of r = k a + l or r = k a + l b. */
static void solved(const search *s, const candidate *c, const u64 *r, u64 *ka, u64 *lb, int32_t points) {
    u64 w[MOST_POINTS], z[MOST_POINTS];
    term_value(s, (term){NODE, c->inner.a, -1}, w, points);
    if (c->core == LINEAR) term_value(s, (term){NODE, c->inner.b, -1}, z, points);
    else
        for (int i = 0; i < points; i++) z[i] = 1;
    for (int first = 0, end; first < points; first = end) { /* for each set of parameters */
        end = first ? first + 2 : HOME;
        u64 scale = field_inverse(cross(w, z, first, first + 1));
        u64 k = field_mul(cross(r, z, first, first + 1), scale), l = field_mul(cross(w, r, first, first + 1), scale);
        for (int i = first; i < end; i++) {
            ka[i] = field_mul(k, w[i]);
            lb[i] = field_mul(l, z[i]);
        }
    }
}

/* Whether the rest r is what the core says. */
static int matches(const search *s, const candidate *c, const u64 *r) {
    u64 w[POINTS], z[POINTS];
    int32_t flip;
    if (c->core == LINEAR) {
        term_value(s, (term){NODE, c->inner.a, -1}, w, POINTS);
        term_value(s, (term){NODE, c->inner.b, -1}, z, POINTS);
        u64 c01 = cross(w, z, 0, 1), c02 = cross(w, z, 0, 2), c12 = cross(w, z, 1, 2);
        u64 det = field_add(field_sub(field_mul(r[0], c12), field_mul(r[1], c02)), field_mul(r[2], c01));
        return det == 0 && c01 && cross(r, z, 0, 1) && cross(w, r, 0, 1) && cross(w, z, HOME, HOME + 1);
    }
    term_value(s, c->inner, w, POINTS);
    if (agree(r, w, &flip) || c->core == EXACT) return c->core == EXACT && agree(r, w, &flip);
    if (c->core == SCALED) return w[0] && r[0] && w[HOME] && !cross(r, w, 0, 1) && !cross(r, w, 0, 2);
    u64 r1 = field_sub(r[1], r[0]), r2 = field_sub(r[2], r[0]), w1 = field_sub(w[1], w[0]), w2 = field_sub(w[2], w[0]);
    if (!r1 || !w1) return 0;
    if (c->core == AFFINE) return field_mul(r1, w2) == field_mul(r2, w1) && cross(w, r, 0, 1) && w[HOME] != w[HOME + 1];
    return (r1 == w1 && r2 == w2) || (r1 == field_neg(w1) && r2 == field_neg(w2));
}

/* Whether the constants of a candidate are polynomials of the parameters, so that their formulas divide by nothing. They
   are where the weighted sum over the points of a line vanishes; without such points every constant is allowed. */
static int is_polynomial(const search *s, int32_t t, const candidate *c) {
    u64 r[MOST_POINTS], w[MOST_POINTS], z[MOST_POINTS], scratch[MOST_POINTS], sum_k = 0, sum_l = 0;
    int32_t n = s->points;
    if (n == POINTS) return 1;
    for (int k = 0; k < n; k++) r[k] = s->value[k][t];
    for (int i = 0; i < c->outers; i++) {
        term_value(s, c->x[i], w, n);
        take_off(s, c->outer[i], c->x[i], w, r, n);
    }
    if (c->core == AFFINE || c->core == LINEAR) {
        u64 ka[MOST_POINTS];
        solved(s, c, r, ka, z, n);
        term_value(s, (term){NODE, c->inner.a, -1}, w, n);
        invert_all(w, scratch, (size_t)n);
        for (int k = 0; k < n; k++) w[k] = field_mul(ka[k], w[k]);
        if (c->core == LINEAR) {
            term_value(s, (term){NODE, c->inner.b, -1}, r, n);
            invert_all(r, scratch, (size_t)n);
            for (int k = 0; k < n; k++) z[k] = field_mul(z[k], r[k]);
        }
    } else {
        term_value(s, c->inner, w, n);
        int opposite = c->core == SHIFTED && field_sub(r[1], r[0]) != field_sub(w[1], w[0]);
        if (c->core == SCALED) invert_all(w, scratch, (size_t)n);
        for (int k = 0; k < n; k++) {
            w[k] = c->core == SCALED ? field_mul(r[k], w[k]) : opposite ? field_add(r[k], w[k]) : field_sub(r[k], w[k]);
            z[k] = 0;
        }
    }
    for (int k = POINTS; k < n; k += 2) {
        sum_k = field_add(sum_k, field_mul(s->line_weight[k], w[k]));
        sum_l = field_add(sum_l, field_mul(s->line_weight[k], z[k]));
    }
    return !sum_k && !sum_l;
}

/* Whether a value would be a new node: no constant, and none that lives. */
static int is_new(const search *s, const u64 *v) {
    int32_t flip, n;
    if (is_constant(v)) return 0;
    n = find(s, v, &flip);
    return n < 0 || !alive(s, n);
}

static int32_t operands_of(const candidate *c, int32_t nodes[8]) {
    int32_t n = 0;
    for (int i = 0; i <= c->outers; i++) {
        term x = i < c->outers ? c->x[i] : c->inner;
        nodes[n++] = x.a;
        if (x.kind != NODE || (i == c->outers && c->core == LINEAR)) nodes[n++] = x.b;
    }
    return n;
}

/* What dies with the definition of t when it gets one on the given nodes, t itself included. */
static int32_t dying(search *s, int32_t t, const int32_t *operands, int32_t n) {
    definition d = s->def[t];
    for (int32_t i = 0; i < n; i++) retain(s, operands[i]);
    int32_t dead = price(s, t) + release_operands(s, d);
    retain_operands(s, d);
    for (int32_t i = 0; i < n; i++) release(s, operands[i]);
    return dead;
}

static int is_old(const search *s, int32_t t, const candidate *c) { /* the definition that t has */
    definition old = s->def[t];
    if (c->outers) return 0;
    if (c->inner.kind == NODE) return old.op == (c->core == SCALED ? SCALE : c->core == SHIFTED ? SHIFT : LEAF) && old.a >> 1 == c->inner.a;
    if (c->core != EXACT) return 0;
    definition d = definition_of(c->inner);
    int32_t a = old.a >> 1, b = old.b >> 1;
    return d.op == old.op && ((c->inner.a == a && c->inner.b == b) || (c->inner.a == b && c->inner.b == a));
}

static void consider(search *s, choice *best, const candidate *c) {
    int32_t cost = candidate_price(s, c);
    if (best->most - cost < best->gain || (best->most - cost == best->gain && !best->ties)) return;
    u64 r[POINTS], w[POINTS];
    for (int k = 0; k < POINTS; k++) r[k] = s->value[k][best->t];
    for (int i = 0; i < c->outers; i++) {
        term_value(s, c->x[i], w, POINTS);
        if (c->x[i].kind != NODE && !is_new(s, w)) return; /* a cheaper candidate has the node */
        if (c->core != EXACT && c->outer[i] == TIMES && (!w[HOME] || !w[HOME + 1])) return;
        take_off(s, c->outer[i], c->x[i], w, r, POINTS);
        if (!is_new(s, r)) return; /* fewer operations do, or none as the value depends on t */
    }
    if (!matches(s, c, r) || is_old(s, best->t, c)) return;
    if (c->core == AFFINE || c->core == LINEAR) {
        u64 ka[POINTS], lb[POINTS];
        solved(s, c, r, ka, lb, POINTS);
        if (!is_new(s, ka) || (c->core == LINEAR && !is_new(s, lb))) return;
    } else if (c->core != EXACT && c->inner.kind != NODE) {
        term_value(s, c->inner, w, POINTS);
        if (!is_new(s, w)) return;
    }
    if (c->core != EXACT && !is_polynomial(s, best->t, c)) return;
    int32_t nodes[8], n = operands_of(c, nodes);
    int32_t gain = dying(s, best->t, nodes, n) - cost;
    if (gain < best->gain || (gain == best->gain && !best->ties)) return;
    if (gain > best->gain) best->ties = 0;
    best->gain = gain;
    if (draw(s, ++best->ties) == 0) best->best = *c; /* each of several equals with the same chance */
}

/* -- making it ----------------------------------------------------------------------------------------------------- */

/* The literal of a value that no live node has, with the given definition. The tables have room for it. */
static int32_t literal_of(search *s, const u64 *v, definition d, int32_t known_by) {
    int32_t flip = 0, n = find(s, v, &flip);
    if (n < 0) {
        n = s->count++;
        put_node(s, n, d, v, known_by);
        put_pairs(s, n, !s->trial);
        return 2 * n;
    }
    define(s, n, with_sign(d, flip));
    return 2 * n + flip;
}

static int32_t literal_of_term(search *s, term x) {
    if (x.kind == NODE) return 2 * x.a;
    definition d = definition_of(x);
    u64 v[MOST_POINTS];
    value_of(s, d, v, s->points);
    return literal_of(s, v, d, new_origin(s, d.op, known_literal(s, d.a), known_literal(s, d.b), -1));
}

/* The definition of a rest r, known by origin `known_by`; makes the nodes it needs. */
static definition core_definition(search *s, const candidate *c, const u64 *r, int32_t known_by) {
    u64 v[MOST_POINTS], w[MOST_POINTS];
    int32_t flip = 0;
    if (c->core == EXACT) {
        definition d = definition_of(c->inner);
        value_of(s, d, v, HOME);
        agree(r, v, &flip);
        return with_sign(d, flip);
    }
    if (c->core == SCALED) return (definition){SCALE, literal_of_term(s, c->inner) & ~1, -1, 0};
    if (c->core == SHIFTED) {
        int32_t x = literal_of_term(s, c->inner);
        term_value(s, c->inner, v, HOME);
        return (definition){SHIFT, x ^ (field_sub(r[1], r[0]) != field_sub(v[1], v[0])), -1, 0};
    }
    int32_t of_a = 2 * s->known_by[c->inner.a], of_b = c->core == LINEAR ? 2 * s->known_by[c->inner.b] : -1;
    solved(s, c, r, v, w, s->points);
    int32_t how = new_origin(s, c->core == LINEAR ? PENCIL : SLOPE, 2 * known_by, of_a, of_b);
    int32_t ka = literal_of(s, v, (definition){SCALE, 2 * c->inner.a, -1, 0}, how);
    if (c->core == AFFINE) return (definition){SHIFT, ka, -1, 0};
    how = new_origin(s, PENCIL, 2 * known_by, of_b, of_a);
    int32_t lb = literal_of(s, w, (definition){SCALE, 2 * c->inner.b, -1, 0}, how);
    return (definition){SUM, ka, lb, 0};
}

static void make_move(search *s, int32_t t, const candidate *c) {
    u64 r[3][MOST_POINTS], w[MOST_POINTS];
    int32_t x[2], known_by[3] = {s->known_by[t], -1, -1};
    for (int k = 0; k < s->points; k++) r[0][k] = s->value[k][t];
    for (int i = 0; i < c->outers; i++) {
        x[i] = literal_of_term(s, c->x[i]);
        term_value(s, (term){NODE, x[i] >> 1, -1}, w, s->points);
        if (x[i] & 1)
            for (int k = 0; k < s->points; k++) w[k] = field_neg(w[k]);
        memcpy(r[i + 1], r[i], sizeof w);
        take_off(s, c->outer[i], (term){PLUS, -1, -1}, w, r[i + 1], s->points);
        int32_t of_x = known_literal(s, x[i]), of_r = 2 * known_by[i];
        if (c->outer[i] == PLUS || c->outer[i] == MINUS) known_by[i + 1] = new_origin(s, SUM, of_r, of_x ^ (c->outer[i] == PLUS), -1);
        else known_by[i + 1] = new_origin(s, c->outer[i] == TIMES ? QUOTIENT : PRODUCT, of_r, of_x, -1);
    }
    definition d = core_definition(s, c, r[c->outers], known_by[c->outers]);
    for (int i = c->outers; i-- > 0;) {
        int32_t b = known_by[i + 1];
        if (c->core == EXACT) b = new_origin(s, d.op, known_literal(s, d.a), known_literal(s, d.b), -1);
        d = outer_of(c->outer[i], x[i], literal_of(s, r[i + 1], d, b));
    }
    redefine(s, t, d);
}
