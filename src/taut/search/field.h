/* Arithmetic of GF(2^61 - 1), hashing and random numbers. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PRIME ((UINT64_C(1) << 61) - 1)

typedef uint64_t u64;

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

/* Replace each of n values by its inverse, 0 by 0, at the price of one inversion and three products a value. */
static void invert_all(u64 *x, u64 *products, size_t n) {
    u64 all = 1;
    for (size_t i = 0; i < n; i++) {
        products[i] = all;
        if (x[i]) all = field_mul(all, x[i]);
    }
    all = field_inverse(all);
    for (size_t i = n; i-- > 0;) {
        if (!x[i]) continue;
        u64 inverse = field_mul(all, products[i]);
        all = field_mul(all, x[i]);
        x[i] = inverse;
    }
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

static u64 next_random(u64 *state) { /* splitmix64 */
    u64 z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
