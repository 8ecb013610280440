/* Finds candidates for the definition of a node: look-ups for every operand that may be taken off it. */

enum { NODES = 1, PAIRS = 2 };

static inline void look(search *s, choice *best, candidate *c, int32_t core, const table *t, u64 h, int what) {
    for (int32_t i = *bucket_of(t, h); i >= 0; i = t->entries[i].next) {
        const entry *e = &t->entries[i];
        if ((e->tag & ~UINT32_C(7)) != tag_of(h)) continue;
        int32_t kind = (int32_t)(e->tag & 7);
        if (!(what & (kind == NODE ? NODES : PAIRS))) continue;
        if (!s->is_usable[e->a] || (kind != NODE && !s->is_usable[e->b])) continue;
        c->core = core;
        c->inner = (term){kind, e->a, e->b};
        consider(s, best, c);
    }
}

/* The filter to ask about what is left of t without x: t - x is itself a pair of the tables, if t and x have all of
   theirs there, and then others have its key where it is in them twice. */
static const filter *others(const search *s, const table *in, int32_t outer, int32_t t, int32_t x) {
    int listed = !s->trial || (t < s->loaded && x < s->loaded);
    return outer != TIMES && listed ? &in->twice : &in->once;
}

/* t = o, k o, o + k for nodes and pairs o, and t = k a + l. */
static void scan_alone(search *s, choice *best) {
    int32_t t = best->t;
    u64 v0 = s->value[0][t], v1 = s->value[1][t], v2 = s->value[2][t];
    candidate c = {.outers = 0};
    int pairs = best->most >= 2 ? PAIRS : 0;
    look(s, best, &c, EXACT, &s->exact, hash(unsigned_key(v0)), PAIRS);
    look(s, best, &c, SCALED, &s->ratio, hash(field_mul(v1, s->inverse[0][t])), NODES | pairs);
    look(s, best, &c, SHIFTED, &s->difference, hash(unsigned_key(field_sub(v1, v0))), NODES | pairs);
    if (pairs) look(s, best, &c, AFFINE, &s->affine, hash_of_affine(v0, v2, inverse_step(s, t)), NODES);
}

enum { CHUNK = 128 };

/* t = x o rest for every node x: rest a pair, k a, a + k, and with three operations k (a o b), (a o b) + k, k a + l. */
static void scan_nodes(search *s, choice *best, int three) {
    int32_t t = best->t, n = s->nusable;
    const u64 *two_keys = keys_of(s, t, TWO), *three_keys = three ? keys_of(s, t, THREE) : NULL;
    int what = NODES | (three ? PAIRS : 0);
    for (int32_t start = 0; start < n; start += CHUNK) {
        int32_t end = start + CHUNK < n ? start + CHUNK : n;
        for (int32_t i = start; i < end; i++) {
            int32_t x = s->usable[i];
            for (int outer = PLUS; outer <= TIMES; outer++) {
                const u64 *h = two_keys + KEYS_OF_TWO * x + PER_REST * outer;
                fetch(others(s, &s->exact, outer, t, x), h[OF_PAIR]);
                fetch(others(s, outer == TIMES ? &s->difference : &s->ratio, outer, t, x), h[OF_MORE]);
                if (three) fetch(&s->affine.once, three_keys[KEYS_OF_THREE * x + outer]);
            }
        }
        for (int32_t i = start; i < end; i++) {
            int32_t x = s->usable[i];
            candidate c = {.outers = 1, .x = {{NODE, x, -1}}};
            for (int outer = PLUS; outer <= TIMES; outer++) {
                const u64 *h = two_keys + KEYS_OF_TWO * x + PER_REST * outer;
                const table *more = outer == TIMES ? &s->difference : &s->ratio;
                c.outer[0] = outer;
                if (may_be_in(others(s, &s->exact, outer, t, x), h[OF_PAIR]))
                    look(s, best, &c, EXACT, &s->exact, h[OF_PAIR], PAIRS);
                if (may_be_in(others(s, more, outer, t, x), h[OF_MORE]))
                    look(s, best, &c, outer == TIMES ? SHIFTED : SCALED, more, h[OF_MORE], what);
                if (three && may_be_in(&s->affine.once, three_keys[KEYS_OF_THREE * x + outer]))
                    look(s, best, &c, AFFINE, &s->affine, three_keys[KEYS_OF_THREE * x + outer], NODES);
            }
            if (!s->divisor[x]) continue;
            c.outer[0] = OVER;
            u64 h = hash(unsigned_key(field_mul(s->value[0][t], s->value[0][x])));
            if (may_be_in(others(s, &s->exact, OVER, t, x), h)) look(s, best, &c, EXACT, &s->exact, h, PAIRS);
        }
    }
}

/* t = k a + l b: modulo t, the values of a and b are multiples of each other. */
static void scan_linear(search *s, choice *best) {
    int32_t t = best->t, n = s->nusable;
    u64 *low = s->work[0], *high = s->work[1], *scratch = s->work[2];
    u64 q1 = field_mul(s->value[1][t], s->inverse[0][t]), q2 = field_mul(s->value[2][t], s->inverse[0][t]);
    for (int32_t i = 0; i < n; i++) {
        int32_t x = s->usable[i];
        low[i] = field_sub(s->value[1][x], field_mul(s->value[0][x], q1));
        high[i] = field_sub(s->value[2][x], field_mul(s->value[0][x], q2));
    }
    invert_all(low, scratch, (size_t)n);
    u64 size = power_of_two(2 * (u64)n), mask = size - 1;
    int32_t *first = (int32_t *)(void *)s->work[3], *next = s->order;
    memset(first, -1, sizeof *first * (size_t)size);
    for (int32_t i = 0; i < n; i++) {
        if (!low[i]) continue;
        high[i] = field_mul(high[i], low[i]);
        int32_t *place = &first[hash(high[i]) >> 20 & mask];
        for (int32_t j = *place; j >= 0; j = next[j])
            if (high[j] == high[i]) {
                candidate c = {.outers = 0, .core = LINEAR, .inner = {PLUS, s->usable[i], s->usable[j]}};
                consider(s, best, &c);
            }
        next[i] = *place;
        *place = i;
    }
}

/* t = p o rest for every pair p: rest a pair, k c, c + k. A product of two products or a sum of two sums is left to
   the candidates of two operations. */
static void scan_pairs(search *s, choice *best) {
    int32_t t = best->t, chosen[CHUNK], end = s->exact.count;
    u64 v0 = s->value[0][t], v1 = s->value[1][t];
    u64 p0[CHUNK], p1[CHUNK], inv[2 * CHUNK], scratch[2 * CHUNK], h[CHUNK][6];
    for (int32_t start = 0; start < end;) {
        int32_t n = 0;
        for (; start < end && n < CHUNK; start++) {
            const entry *e = &s->exact.entries[start];
            if (!s->is_usable[e->a] || !s->is_usable[e->b]) continue;
            int32_t kind = (int32_t)(e->tag & 7);
            u64 a0 = s->value[0][e->a], a1 = s->value[1][e->a], b0 = s->value[0][e->b], b1 = s->value[1][e->b];
            if (kind == PLUS) p0[n] = field_add(a0, b0), p1[n] = field_add(a1, b1);
            else if (kind == MINUS) p0[n] = field_sub(a0, b0), p1[n] = field_sub(a1, b1);
            else if (kind == TIMES) p0[n] = field_mul(a0, b0), p1[n] = field_mul(a1, b1);
            else p0[n] = field_mul(a0, s->inverse[0][e->b]), p1[n] = field_mul(a1, s->inverse[1][e->b]);
            chosen[n++] = start;
        }
        for (int32_t i = 0; i < n; i++) {
            inv[2 * i] = field_sub(v0, p0[i]);
            inv[2 * i + 1] = field_add(v0, p0[i]);
        }
        invert_all(inv, scratch, 2 * (size_t)n);
        for (int32_t i = 0; i < n; i++) {
            u64 minus = field_sub(v0, p0[i]), plus = field_add(v0, p0[i]);
            u64 q0 = field_mul(v0, s->pair_inverse[0][chosen[i]]), q1 = field_mul(v1, s->pair_inverse[1][chosen[i]]);
            h[i][0] = hash(unsigned_key(minus));
            h[i][1] = hash(unsigned_key(plus));
            h[i][2] = hash(unsigned_key(q0));
            h[i][3] = hash(field_mul(field_sub(v1, p1[i]), inv[2 * i]));
            h[i][4] = hash(field_mul(field_add(v1, p1[i]), inv[2 * i + 1]));
            h[i][5] = hash(unsigned_key(field_sub(q1, q0)));
            for (int k = 0; k < 6; k++) fetch(k < 3 ? &s->exact.once : k < 5 ? &s->ratio.once : &s->difference.once, h[i][k]);
        }
        for (int32_t i = 0; i < n; i++) {
            const entry *e = &s->exact.entries[chosen[i]];
            candidate c = {.outers = 1, .x = {{(int32_t)(e->tag & 7), e->a, e->b}}};
            for (int k = 0; k < 3; k++) {
                c.outer[0] = k;
                if (may_be_in(&s->exact.once, h[i][k])) look(s, best, &c, EXACT, &s->exact, h[i][k], PAIRS);
            }
            for (int k = 3; k < 5; k++) {
                c.outer[0] = k - 3;
                if (may_be_in(&s->ratio.once, h[i][k])) look(s, best, &c, SCALED, &s->ratio, h[i][k], NODES);
            }
            c.outer[0] = TIMES;
            if (may_be_in(&s->difference.once, h[i][5])) look(s, best, &c, SHIFTED, &s->difference, h[i][5], NODES);
        }
    }
}

/* t = x o (y * rest) and t = x * (y o rest) for all nodes x and y: rest a pair, or a + k and k a. */
static void scan_two_nodes(search *s, choice *best) {
    int32_t t = best->t, n = s->nusable;
    u64 v0 = s->value[0][t], v1 = s->value[1][t], *inv = s->work[0], *scratch = s->work[1];
    u64 *h = s->work[2], *g = s->work[3];
    for (int32_t i = 0; i < n; i++) {
        int32_t x = s->usable[i];
        candidate c = {.outers = 2, .x = {{NODE, x, -1}}};
        for (int outer = PLUS; outer <= MINUS; outer++) {
            u64 r0 = outer == PLUS ? field_sub(v0, s->value[0][x]) : field_add(v0, s->value[0][x]);
            u64 r1 = outer == PLUS ? field_sub(v1, s->value[1][x]) : field_add(v1, s->value[1][x]);
            c.outer[0] = outer;
            c.outer[1] = TIMES;
            for (int32_t j = 0; j < n; j++) {
                int32_t y = s->usable[j];
                u64 q0 = field_mul(r0, s->inverse[0][y]), q1 = field_mul(r1, s->inverse[1][y]);
                h[j] = hash(unsigned_key(q0));
                g[j] = hash(unsigned_key(field_sub(q1, q0)));
                fetch(&s->exact.once, h[j]);
                fetch(&s->difference.once, g[j]);
            }
            for (int32_t j = 0; j < n; j++) {
                c.x[1] = (term){NODE, s->usable[j], -1};
                if (may_be_in(&s->exact.once, h[j])) look(s, best, &c, EXACT, &s->exact, h[j], PAIRS);
                if (may_be_in(&s->difference.once, g[j])) look(s, best, &c, SHIFTED, &s->difference, g[j], NODES);
            }
        }
        u64 q0 = field_mul(v0, s->inverse[0][x]), q1 = field_mul(v1, s->inverse[1][x]);
        c.outer[0] = TIMES;
        for (int32_t j = 0; j < n; j++) {
            int32_t y = s->usable[j];
            inv[2 * j] = field_sub(q0, s->value[0][y]);
            inv[2 * j + 1] = field_add(q0, s->value[0][y]);
        }
        invert_all(inv, scratch, 2 * (size_t)n);
        for (int outer = PLUS; outer <= MINUS; outer++) {
            c.outer[1] = outer;
            for (int32_t j = 0; j < n; j++) {
                int32_t y = s->usable[j];
                u64 r0 = outer == PLUS ? field_sub(q0, s->value[0][y]) : field_add(q0, s->value[0][y]);
                u64 r1 = outer == PLUS ? field_sub(q1, s->value[1][y]) : field_add(q1, s->value[1][y]);
                h[j] = hash(unsigned_key(r0));
                g[j] = hash(field_mul(r1, inv[2 * j + outer]));
                fetch(&s->exact.once, h[j]);
                fetch(&s->ratio.once, g[j]);
            }
            for (int32_t j = 0; j < n; j++) {
                c.x[1] = (term){NODE, s->usable[j], -1};
                if (may_be_in(&s->exact.once, h[j])) look(s, best, &c, EXACT, &s->exact, h[j], PAIRS);
                if (may_be_in(&s->ratio.once, g[j])) look(s, best, &c, SCALED, &s->ratio, g[j], NODES);
            }
        }
    }
}
