/* Local search for straight-line programs with fewer operations, over the values of their lines.

   Every node carries its values at random points of GF(2^61 - 1); nodes whose values agree up to sign are the same
   function. A node may be given any definition in up to three operations on nodes that do not depend on it, as long as
   the values agree. The move gains what dies with the old definition less what the new one costs, and is made when
   the gain is not negative: moves of gain zero carry the search across plateaus.

   Constants are free, and are not chosen but solved for. The points share the parameters and differ in the state, so
   that a constant is one element of the field: t is a multiple of a when t1/t0 = a1/a0, and a plus a constant when
   t1 - t0 = a1 - a0. No node stands for a constant: t = k a is a row with the one operand a, and its k is t/a. The
   log of origins says how each value was first met, from which the caller makes a formula for k.

   What makes it fast:
   - all sums, differences and products of two nodes lie in hash tables, by value, by v1/v0 and by v1 - v0, so that a
     definition in one operation is one look-up, and one in two a look-up for each node and outer operation;
   - a Bloom filter of one word a key answers nearly all of these look-ups without touching the table; t - x is itself
     a pair, so that a second filter tells which keys are in the table twice;
   - a node that dies keeps its place and its pairs until the table is full: on a plateau the same values come and
     go, and one that returns costs nothing.

   The caller holds one `search` from open to close; there is no other state. The same rows, seed and number of
   steps give the same program on every machine, and plain.py makes the same moves in the same order.

   field.h, table.h, state.h, keys.h, candidate.h, scan.h and trials.h come before this text. */

enum { NEW_NODES = 8 };  /* one move makes at most so many */
enum { BETWEEN = 100 };  /* steps after which a program as good as the best one takes its place */

/* Fill the tables from s->rows, s->given and s->out. Rows of one value become one, and those with a constant among
   their operands lose it. */
static void load(search *s, int32_t count) {
    s->count = s->leaves;
    s->stamp = 0;
    forget_keys(s);
    memset(s->same, -1, sizeof(int32_t) * (size_t)(s->same_mask + 1));
    clear(&s->exact);
    clear(&s->ratio);
    clear(&s->difference);
    clear(&s->affine);
    for (int32_t i = 0; i < count; i++) {
        const int32_t *row = s->rows + ROW * i;
        definition d = {row[0], row[1], row[2], row[3]};
        const u64 *v = s->given + s->points * i;
        int32_t flip;
        if (d.a >= 0) d.a = s->place[d.a >> 1] ^ (d.a & 1);
        if (d.b >= 0) d.b = s->place[d.b >> 1] ^ (d.b & 1);
        if (s->weight[d.op]) {
            int32_t fixed_a = s->fixed[d.a >> 1], fixed_b = d.b >= 0 && s->fixed[d.b >> 1];
            int32_t other = fixed_a ? d.b : d.a;
            if (is_constant(v)) d = (definition){FIXED, -1, -1, 0};
            else if (fixed_a || fixed_b) {
                if (d.op == SUM) d = (definition){SHIFT, other, -1, 0};
                else d = (definition){d.op == QUOTIENT && fixed_a ? INVERSE : SCALE, other & ~1, -1, 0};
            }
        }
        int32_t n = find(s, v, &flip);
        if (n < 0) {
            flip = 0;
            n = i < s->leaves ? i : s->count++;
            put_node(s, n, d, v, s->given_known_by[i]);
        } else if (i < s->leaves) {
            put_node(s, i, d, v, s->given_known_by[i]);
            s->twin[i] = 1;
            s->same[hash(unsigned_key(v[0])) & s->same_mask] = s->next_same[i];
        }
        s->place[i] = 2 * n + flip;
        if (d.op == QUOTIENT) s->divisor[d.b >> 1] = 1;
        if (d.op == INVERSE) s->divisor[d.a >> 1] = 1;
    }
    s->cost = 0;
    for (int32_t i = 0; i < s->outputs; i++) {
        s->out[i] = s->place[s->out[i] >> 1] ^ (s->out[i] & 1);
        s->cost += retain(s, s->out[i] >> 1);
    }
    for (int32_t n = 0; n < s->count; n++)
        if (!s->twin[n]) put_pairs(s, n, 1);
    s->loaded = s->count;
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
    for (int32_t i = 0; i < s->best_length; i++) s->best_known_by[i] = s->known_by[s->order[i]];
}

static void rebuild(search *s) { /* without the dead */
    int32_t length = tell(s, s->rows + ROW * s->leaves, s->out);
    for (int32_t i = 0; i < length; i++) {
        s->given_known_by[s->leaves + i] = s->known_by[s->order[i]];
        for (int k = 0; k < s->points; k++) s->given[s->points * (s->leaves + i) + k] = s->value[k][s->order[i]];
    }
    load(s, s->leaves + length);
}

/* Give t the best definition there is, which may cost `tolerance`; whether it has changed. */
static int try_node(search *s, int32_t t, int32_t tolerance, int deep, int32_t without) {
    choice c = {.gain = -tolerance - 1, .t = t};
    mark_dependents(s, t);
    if (without >= 0) forbid(s, without);
    c.most = dying(s, t, NULL, 0);
    scan_alone(s, &c);
    int32_t two = c.most - 2 * s->cheapest, three = two - s->cheapest;
    if (two < -tolerance || two < c.gain) goto done;
    scan_nodes(s, &c, three >= -tolerance && three >= c.gain);
    if (three < -tolerance) goto done;
    if (three >= c.gain) scan_linear(s, &c);
    if (deep && three >= c.gain) scan_pairs(s, &c);
    if (deep && three >= c.gain) scan_two_nodes(s, &c);
done:
    if (c.ties) make_move(s, t, &c.best);
    return c.ties > 0;
}

/* -- what the caller sees ---------------------------------------------------------------------------------------- */

void taut_search_close(search *s) {
    if (!s) return;
    for (int k = 0; k < s->points; k++) {
        free(s->value[k]);
        free(s->inverse[k]);
    }
    table *const tables[] = {&s->exact, &s->ratio, &s->difference, &s->affine};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) close_table(tables[i]);
    for (int k = 0; k < WORK; k++) free(s->work[k]);
    close_keys(s);
    void *const blocks[] = {s->def,    s->refs,   s->fixed,     s->divisor,  s->twin,      s->known_by,      s->mark,
                            s->user,   s->later,  s->earlier,   s->out,      s->stack,     s->order,     s->place,
                            s->usable, s->same,   s->next_same, s->origins,   s->best_rows, s->best_out,  s->best_known_by,
                            s->rows,   s->given,  s->given_known_by, s->is_usable, s->pair_inverse[0], s->pair_inverse[1],
                            s->kept.def, s->kept.refs, s->kept.user, s->kept.later, s->kept.earlier};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    free(s);
}

/* Begin a search.

   rows: count x (op, a, b, label), leaves first, operands before their uses, outputs literals of them.
   values: count x points. weight: of each kind of row, at least one for operations. deep: steps in a thousand that look
   for definitions in three operations. trial: steps of a trial, 0 for none. points: POINTS, or more, two for each point of
   a line of parameters, with the weights that tell polynomials. Returns NULL where there are more than
   MAX_NODES nodes or too little memory. */
search *taut_search_open(int32_t leaves, int32_t count, const int32_t *rows, const u64 *values, int32_t outputs,
                         const int32_t *out, u64 seed, const int32_t *weight, int32_t deep, int32_t trial, int32_t points,
                         const u64 *line_weight) {
    int32_t slack = (trial ? 3 : 1) * TRIAL_NODES + (count < 1000 ? count / 2 : 500);
    if (count + slack > MAX_NODES || points > MOST_POINTS) return NULL;
    search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->points = points;
    for (int32_t k = POINTS; k < points; k++) s->line_weight[k] = line_weight[(k - POINTS) / 2];
    s->leaves = leaves;
    s->outputs = outputs;
    s->room = count + slack;
    s->random = seed;
    s->deep = deep;
    s->trial = trial;
    memcpy(s->weight, weight, sizeof s->weight);
    s->cheapest = weight[SUM] < weight[PRODUCT] ? weight[SUM] : weight[PRODUCT];
    size_t room = (size_t)s->room, divisors = 0, ends = (size_t)(outputs ? outputs : 1);
    for (int32_t i = 0; i < count; i++) divisors += rows[ROW * i] == QUOTIENT;
    size_t pairs = 3 * room * (room - 1) / 2 + (3 + divisors) * room;
    s->same_mask = power_of_two(2 * room) - 1;
    int complete = open_table(&s->exact, pairs) && open_table(&s->ratio, pairs) &&
                   open_table(&s->difference, pairs) && open_table(&s->affine, room);
#define ALLOCATE(block, items) complete &= ((block) = calloc((items), sizeof *(block))) != NULL
    for (int k = 0; k < points; k++) {
        ALLOCATE(s->value[k], room);
        ALLOCATE(s->inverse[k], room);
    }
    for (int k = 0; k < 2 && deep; k++) ALLOCATE(s->pair_inverse[k], pairs);
    for (int k = 0; k < WORK; k++) ALLOCATE(s->work[k], 4 * room + 64);
    for (int kind = 0; kind < REST_KINDS; kind++) {
        ALLOCATE(s->rest[kind], room);
        ALLOCATE(s->spare[kind], (size_t)keys_a_node[kind] * room);
    }
    ALLOCATE(s->step_inverse, room);
    s->rest_room = REST_BYTES;
    ALLOCATE(s->def, room);
    ALLOCATE(s->refs, room);
    ALLOCATE(s->fixed, room);
    ALLOCATE(s->divisor, room);
    ALLOCATE(s->twin, room);
    ALLOCATE(s->known_by, room);
    ALLOCATE(s->mark, room);
    ALLOCATE(s->user, room);
    ALLOCATE(s->later, 2 * room);
    ALLOCATE(s->earlier, 2 * room);
    ALLOCATE(s->out, ends);
    ALLOCATE(s->stack, 2 * room + 2); /* a node pushes its operands once */
    ALLOCATE(s->order, room);
    ALLOCATE(s->place, room);
    ALLOCATE(s->usable, room + 1);
    ALLOCATE(s->is_usable, room);
    ALLOCATE(s->same, (size_t)s->same_mask + 1);
    ALLOCATE(s->next_same, room);
    ALLOCATE(s->best_rows, ROW * room);
    ALLOCATE(s->best_out, ends);
    ALLOCATE(s->best_known_by, room);
    ALLOCATE(s->rows, ROW * room);
    ALLOCATE(s->given, (size_t)points * room);
    ALLOCATE(s->given_known_by, room);
    ALLOCATE(s->kept.def, room);
    ALLOCATE(s->kept.refs, room);
    ALLOCATE(s->kept.user, room);
    ALLOCATE(s->kept.later, 2 * room);
    ALLOCATE(s->kept.earlier, 2 * room);
#undef ALLOCATE
    if (!complete || !room_for_origins(s, count)) {
        taut_search_close(s);
        return NULL;
    }
    memcpy(s->rows, rows, sizeof *rows * ROW * (size_t)count);
    memcpy(s->given, values, sizeof *values * (size_t)points * (size_t)count);
    memcpy(s->out, out, sizeof *out * (size_t)outputs);
    for (int32_t i = 0; i < count; i++, rows += ROW) s->given_known_by[i] = new_origin(s, rows[0], rows[1], rows[2], -1);
    load(s, count);
    keep_best(s);
    return s;
}

/* Try this many nodes and return the best cost so far. */
int32_t taut_search_run(search *s, int64_t steps) {
    for (; steps > 0 && s->cost > 0; steps--) {
        int full = s->count + NEW_NODES > s->room;
        if (s->trial && (full || s->left == 0)) {
            if (!next_trial(s)) break;
        } else if (full) rebuild(s);
        if (s->count + NEW_NODES > s->room || !room_for_origins(s, 2 * NEW_NODES)) break;
        int32_t t = s->trial && s->ntouched && draw(s, NEARBY) ? near_node(s) : any_node(s);
        int deep = s->deep > 0 && (int32_t)draw(s, 1000) < s->deep;
        if (try_node(s, t, 0, deep, -1) && s->trial) touch(s, t);
        if (s->trial) s->left--;
        s->done++; /* of several programs as good as the best the last is where the next search begins */
        if (s->cost < s->best_cost || (s->cost == s->best_cost && s->done % BETWEEN == 0)) keep_best(s);
    }
    return s->best_cost;
}

/* Write the outputs of the best program to `out`, its operations, which follow the leaves, to `rows`, and their origins
   to `known_by`, unless `rows` is NULL. Returns how many operations there are. */
int32_t taut_search_best(const search *s, int32_t *rows, int32_t *out, int32_t *known_by) {
    if (!rows) return s->best_length;
    memcpy(rows, s->best_rows, sizeof *rows * ROW * (size_t)s->best_length);
    memcpy(out, s->best_out, sizeof *out * (size_t)s->outputs);
    memcpy(known_by, s->best_known_by, sizeof *known_by * (size_t)s->best_length);
    return s->best_length;
}

/* Write all origins to `rows`, (op, a, b, c) each, unless it is NULL. Returns how many there are. */
int32_t taut_search_origins(const search *s, int32_t *rows) {
    if (rows) memcpy(rows, s->origins, sizeof *s->origins * (size_t)s->norigins);
    return s->norigins;
}
