/* Calls a task for many random states; callgrind counts the instructions of every single call.
 *
 * Compile with -DHEADER="..." -DIN=n -DOUT=n -DCALL="..." and the C of the task.
 */
#include HEADER
#include <stdio.h>
#include <stdlib.h>

double in[IN], out[OUT];
void call(void);

__attribute__((noinline)) void call(void)
{
    CALL;
}

int main(int given, char **arguments)
{
    const int states = given > 1 ? atoi(arguments[1]) : 100;
    unsigned long long x = 88172645463325252ULL;
    for (int s = 0; s < states; ++s) {
        for (int i = 0; i < IN; ++i) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            in[i] = (double)(x >> 11) / 9007199254740992.0 * 20.0 - 10.0;
        }
        call();
    }
    printf("%g\n", out[0]);
    return 0;
}
