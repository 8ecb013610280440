/* Keys of what is left of a node t when another node x is taken off: t - x, t + x and t / x. A node's values do not change
   until the tables are rebuilt, so that its keys are computed once and not in every step. */

enum { REST_BYTES = 96 << 20 }; /* most memory for keys of one search; nodes beyond it are computed in every step */
enum { OF_PAIR, OF_MORE, PER_REST }; /* what the rest may be: a pair; with k times it, or plus k */
enum { KEYS_OF_TWO = 3 * PER_REST, KEYS_OF_THREE = 3 }; /* a node: three ways to take it off; k a + l for each */

static const int32_t keys_a_node[REST_KINDS] = {KEYS_OF_TWO, KEYS_OF_THREE};

static u64 hash_of_affine(u64 v0, u64 v2, u64 inverse_step) { return hash(field_mul(field_sub(v2, v0), inverse_step)); }

static u64 inverse_step(search *s, int32_t t) { /* 1 / (v1 - v0), 0 for a constant */
    if (!s->step_inverse[t]) s->step_inverse[t] = field_inverse(field_sub(s->value[1][t], s->value[0][t]));
    return s->step_inverse[t];
}

static void put_keys_of_two(search *s, int32_t t, u64 *key, int32_t from) {
    u64 *inverse = s->work[0], *scratch = s->work[2];
    u64 v0 = s->value[0][t], v1 = s->value[1][t];
    for (int32_t x = from; x < s->count; x++) {
        inverse[2 * (x - from)] = field_sub(v0, s->value[0][x]);
        inverse[2 * (x - from) + 1] = field_add(v0, s->value[0][x]);
    }
    invert_all(inverse, scratch, 2 * (size_t)(s->count - from));
    for (int32_t x = from; x < s->count; x++) {
        u64 x0 = s->value[0][x], x1 = s->value[1][x], *h = key + KEYS_OF_TWO * x, *inv = inverse + 2 * (x - from);
        u64 q0 = field_mul(v0, s->inverse[0][x]), q1 = field_mul(v1, s->inverse[1][x]);
        h[PER_REST * PLUS + OF_PAIR] = hash(unsigned_key(field_sub(v0, x0)));
        h[PER_REST * PLUS + OF_MORE] = hash(field_mul(field_sub(v1, x1), inv[0]));
        h[PER_REST * MINUS + OF_PAIR] = hash(unsigned_key(field_add(v0, x0)));
        h[PER_REST * MINUS + OF_MORE] = hash(field_mul(field_add(v1, x1), inv[1]));
        h[PER_REST * TIMES + OF_PAIR] = hash(unsigned_key(q0));
        h[PER_REST * TIMES + OF_MORE] = hash(unsigned_key(field_sub(q1, q0)));
    }
}

static void put_keys_of_three(search *s, int32_t t, u64 *key, int32_t from) {
    u64 v[3], *step = s->work[1], *scratch = s->work[2];
    for (int k = 0; k < 3; k++) v[k] = s->value[k][t];
    u64 own = field_sub(v[1], v[0]);
    for (int32_t x = from; x < s->count; x++) {
        u64 change = field_sub(s->value[1][x], s->value[0][x]), *d = step + 3 * (x - from);
        d[PLUS] = field_sub(own, change);
        d[MINUS] = field_add(own, change);
        d[TIMES] = field_sub(field_mul(v[1], s->inverse[1][x]), field_mul(v[0], s->inverse[0][x]));
    }
    invert_all(step, scratch, 3 * (size_t)(s->count - from));
    for (int32_t x = from; x < s->count; x++) {
        u64 x0 = s->value[0][x], x2 = s->value[2][x], *h = key + KEYS_OF_THREE * x, *d = step + 3 * (x - from);
        h[PLUS] = hash_of_affine(field_sub(v[0], x0), field_sub(v[2], x2), d[PLUS]);
        h[MINUS] = hash_of_affine(field_add(v[0], x0), field_add(v[2], x2), d[MINUS]);
        h[TIMES] = hash_of_affine(field_mul(v[0], s->inverse[0][x]), field_mul(v[2], s->inverse[2][x]), d[TIMES]);
    }
}

/* The keys of t without each node, in the order of the nodes. */
static const u64 *keys_of(search *s, int32_t t, int kind) {
    size_t bytes = sizeof(u64) * (size_t)keys_a_node[kind] * (size_t)s->room;
    u64 *key = s->rest[kind][t].key;
    if (!key && s->rest_room >= bytes && (key = malloc(bytes))) {
        s->rest_room -= bytes;
        s->rest[kind][t].key = key;
    }
    int32_t from = key ? s->rest[kind][t].known : 0;
    if (!key) key = s->spare[kind];
    if (from < s->count) {
        if (kind == TWO) put_keys_of_two(s, t, key, from);
        else put_keys_of_three(s, t, key, from);
        s->rest[kind][t].known = s->count;
    }
    return key;
}

static void forget_keys(search *s) { /* the nodes get other numbers */
    for (int kind = 0; kind < REST_KINDS; kind++)
        for (int32_t t = 0; t < s->room; t++) s->rest[kind][t].known = 0;
    memset(s->step_inverse, 0, sizeof *s->step_inverse * (size_t)s->room);
}

static void close_keys(search *s) {
    for (int kind = 0; kind < REST_KINDS; kind++) {
        for (int32_t t = 0; s->rest[kind] && t < s->room; t++) free(s->rest[kind][t].key);
        free(s->rest[kind]);
        free(s->spare[kind]);
    }
    free(s->step_inverse);
}
