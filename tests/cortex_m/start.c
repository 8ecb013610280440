/* Start of a Cortex-M in an emulator: vectors, the float unit switched on, text out by semihosting. No library. */
#include <stdint.h>

extern int main(void);
extern uint32_t stack_top[];

static void host(int operation, const void *argument)
{
    register int r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void say(const char *text)
{
    host(4, text);
}

void reset(void)
{
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: full access to the float unit */
    __asm volatile("dsb\n isb");
    main();
    host(0x18, (void *)0x20026);
    for (;;) {
    }
}

void fault(void)
{
    say("fault\n");
    host(0x18, (void *)0x20026);
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, reset, fault, fault, fault, fault, fault,
};
