/* How the search leaves a plateau: a node is taken away, its users are mended at some cost, and what is near them
   searched; what has not paid after a few steps is undone. */

enum { RISE = 3 };         /* operations that mending may cost */
enum { MENDED = 6 };       /* users a node may have to be taken away */
enum { ATTEMPTS = 20 };    /* nodes tried, one after the other, for one that can be taken away */
enum { TRIAL_NODES = 64 }; /* mending makes at most so many */
enum { NEARBY = 8, WALKS = 8, HOPS = 4 }; /* all but one of so many steps are near what has changed: that many walks of
                                             fewer hops each are tried to get there */

static int try_node(search *s, int32_t t, int32_t tolerance, int deep, int32_t without);
static void rebuild(search *s);

static void carry(int back, void *here, void *kept, size_t bytes) {
    memcpy(back ? here : kept, back ? kept : here, bytes);
}

static void carry_program(search *s, int back) {
    size_t n = (size_t)s->kept.count;
    carry(back, s->def, s->kept.def, sizeof *s->def * n);
    carry(back, s->refs, s->kept.refs, sizeof *s->refs * n);
    carry(back, s->user, s->kept.user, sizeof *s->user * n);
    carry(back, s->later, s->kept.later, sizeof *s->later * 2 * n);
    carry(back, s->earlier, s->kept.earlier, sizeof *s->earlier * 2 * n);
}

static void remember(search *s) {
    s->kept.count = s->count;
    s->kept.cost = s->cost;
    carry_program(s, 0);
}

static void go_back(search *s) { /* nodes made since then stay, dead */
    carry_program(s, 1);
    s->cost = s->kept.cost;
    for (int32_t n = s->kept.count; n < s->count; n++) {
        s->refs[n] = 0;
        s->user[n] = -1;
    }
    for (int32_t n = s->kept.count; n < s->count; n++) {
        link_use(s, 2 * n, s->def[n].a);
        link_use(s, 2 * n + 1, s->def[n].b);
    }
}

/* -- which node is next -------------------------------------------------------------------------------------------- */

static int can_change(const search *s, int32_t n) { return price(s, n) && alive(s, n); }

static int32_t any_node(search *s) {
    int32_t t;
    do t = s->leaves + (int32_t)draw(s, (u64)(s->count - s->leaves));
    while (!can_change(s, t));
    return t;
}

static void touch(search *s, int32_t n) { /* n has changed */
    const int32_t changed[] = {2 * n, s->def[n].a, s->def[n].b};
    for (int i = 0; i < 3; i++)
        if (changed[i] >= 0) s->touched[s->ntouched++ % TOUCHED] = changed[i] >> 1;
}

static int32_t user_from(const search *s, int32_t n, int32_t start) { /* the first live user from there on, around */
    int32_t after = INT32_MAX, least = INT32_MAX;
    for (int32_t use = s->user[n]; use >= 0; use = s->later[use]) {
        int32_t u = use >> 1;
        if (!alive(s, u)) continue;
        if (u >= start && u < after) after = u;
        if (u < least) least = u;
    }
    return after < INT32_MAX ? after : least < INT32_MAX ? least : n;
}

static int32_t near_node(search *s) { /* a few hops from something that has changed */
    u64 known = s->ntouched < TOUCHED ? s->ntouched : TOUCHED;
    for (int i = 0; i < WALKS; i++) {
        int32_t n = s->touched[draw(s, known)];
        for (u64 hops = draw(s, HOPS); hops > 0; hops--) {
            u64 way = draw(s, 3);
            if (way == 0 && s->def[n].a >= 0) n = s->def[n].a >> 1;
            else if (way == 1 && s->def[n].b >= 0) n = s->def[n].b >> 1;
            else n = user_from(s, n, (int32_t)draw(s, (u64)s->count));
        }
        if (can_change(s, n)) return n;
    }
    return any_node(s);
}

/* -- trials -------------------------------------------------------------------------------------------------------- */

/* Whether all that uses n could be given definitions without it. */
static int take_away(search *s, int32_t n) {
    s->ntouched = 0;
    for (int32_t i = 0; i < s->outputs; i++)
        if (s->out[i] >> 1 == n) return 0;
    for (int32_t mended = 0; s->refs[n]; mended++) {
        int32_t u = user_from(s, n, 0);
        if (mended == MENDED || !price(s, u) || !try_node(s, u, RISE * s->cheapest, 0, n)) return 0;
        if (s->cost > s->kept.cost + RISE * s->cheapest) return 0;
        touch(s, u);
    }
    return 1;
}

/* End a trial, undone if it did not pay, and begin the next one; whether there is room for it. */
static int next_trial(search *s) {
    if (s->kept.count && s->cost > s->kept.cost) go_back(s);
    for (int i = 0; i < ATTEMPTS; i++) {
        if (s->count + TRIAL_NODES + s->room / 8 > s->room) rebuild(s); /* while nothing has to be undone */
        if (s->count + TRIAL_NODES > s->room || !room_for_origins(s, 2 * TRIAL_NODES)) return 0;
        remember(s);
        if (take_away(s, any_node(s))) break;
        go_back(s);
        s->ntouched = 0;
    }
    s->left = s->trial;
    return 1;
}
