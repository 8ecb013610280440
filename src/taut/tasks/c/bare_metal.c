/* The tasks of '@robot@' on one core without an operating system: the synchronous task in a timer interrupt, the
 * background tasks in the main loop. An example to start from; fill in what belongs to the board.
 *
 *   cc -std=c99 -ffreestanding -O2 -c bare_metal.c
 *
 * The hand-over needs no C11 here: TAUT_SINGLE_CORE exchanges an index while interrupts are held back, for a few
 * instructions. On Cortex-M, compiled as C11 without TAUT_SINGLE_CORE, it is a loop of LDREX and STREX instead, which
 * holds nothing back.
 */
#if !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#define TAUT_SINGLE_CORE
#endif
#if defined(__ARM_ARCH)
#define TAUT_MASK() __asm__ volatile("cpsid i" ::: "memory")
#define TAUT_UNMASK() __asm__ volatile("cpsie i" ::: "memory")
#else
#define TAUT_MASK() ((void)0)   /* hold the timer interrupt back */
#define TAUT_UNMASK() ((void)0) /* let it through */
#endif
#include "@R@_tasks.h"

static @R@_tasks tasks;
static volatile uint32_t ticks; /* counted by the timer */

/* Of the board: encoders, the path, the drives. */
@static_state@

void SysTick_Handler(void);

/* Every period: the torque from accelerations of now and the latest values of the background. */
void SysTick_Handler(void)
{
    taut_stamp used[@sources@] = {{0, 0}};
    ++ticks;
    @synchronous@
    if (ticks - used[0].time > 100) { /* the background has stopped: bring the robot to rest */
    }
    /* set_currents(@outputs@); */
}

int main(void)
{
    @R@_tasks_init(&tasks@init_arguments@, ticks);
    /* start_timer(1000); */
    for (;;) {
@background@
    }
}
