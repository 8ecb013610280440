/* Instructions of a task for many states, counted one by one: a child steps through the call, its parent counts.
 *
 * Compile with -DHEADER="..." -DIN=n -DOUT=n -DCALL="..." and the C of the task. Prints the least and the largest count.
 */
#define _GNU_SOURCE
#include HEADER
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static double in[IN], out[OUT];

static __attribute__((noinline)) void call(void)
{
    CALL;
}

int main(int given, char **arguments)
{
    const int states = given > 1 ? atoi(arguments[1]) : 100;
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        unsigned long long x = 88172645463325252ULL;
        for (int s = 0; s < states; ++s) {
            for (int i = 0; i < IN; ++i) {
                x ^= x << 13, x ^= x >> 7, x ^= x << 17;
                in[i] = (double)(x >> 11) / 9007199254740992.0 * 20.0 - 10.0;
            }
            raise(SIGSTOP); /* from here on the parent counts ... */
            call();
            raise(SIGSTOP); /* ... to here */
        }
        _exit(0);
    }
    int status;
    long least = -1, largest = -1;
    for (int s = 0; s < states; ++s) {
        waitpid(child, &status, 0);
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP)
            return 2;
        long count = 0;
        do {
            if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0)
                return 2;
            waitpid(child, &status, 0);
            ++count;
        } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
        if (s > 0) { /* the first call resolves symbols */
            least = least < 0 || count < least ? count : least;
            largest = count > largest ? count : largest;
        }
        ptrace(PTRACE_CONT, child, NULL, NULL); /* on to the next state */
    }
    printf("%ld %ld\n", least, largest);
    return 0;
}
