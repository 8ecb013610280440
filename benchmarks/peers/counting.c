/* How many instructions does a function take?  A program for callgrind, which counts inside `measured` of the stopwatch:
 *   counting STATES NQ NV SIZE [LIBRARY SYMBOL ROBOT]...
 * calls it once a contestant; ROBOT is what the library's `start` is given, - for none.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **given)
{
    const int nq = atoi(given[2]), nv = atoi(given[3]);
    FILE *file = fopen(given[1], "rb");
    const size_t width = (size_t)(nq + 2 * nv);
    double *states = malloc(1 << 20), *out = malloc(sizeof(double) * (size_t)atoi(given[4]));
    const int n = (int)(fread(states, 1, 1 << 20, file) / sizeof(double) / width);
    for (int i = 5; i + 2 < count; i += 3) {
        void *library = dlopen(given[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        if (strcmp(given[i + 2], "-"))
            ((void (*)(const char *))dlsym(library, "start"))(given[i + 2]);
        one_state *f = (one_state *)dlsym(library, given[i + 1]);
        const double *v = states + n * nq, *x = v + n * nv;
        for (int k = 0; k < n; ++k) /* everything bound and in place */
            f(states + k * nq, v + k * nv, x + k * nv, out);
        measured(f, n, states, nq, v, x, nv, out);
    }
    return 0;
}
