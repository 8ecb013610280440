/* FMI 3.0 co-simulation around generated functions of a robot, written by taut.
 *
 * With states, a step integrates q' = qd, qd' = forward dynamics by the classical Runge-Kutta method in whole steps of
 * at most `step` seconds, the inputs held; without, outputs follow the inputs. Only numbers of type Float64 exist.
 */
#include "@R@.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, ERROR = 3 };
#define DYNAMIC_MODEL @dynamic@
enum { N = @n@, INPUTS = @inputs@, OUTPUTS = @outputs@, VALUES = 2 + INPUTS + OUTPUTS };
/* Value references: 0 time, 1 step, then the inputs, then the outputs. */

typedef struct {
    double value[VALUES];
} instance;

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT
#endif

static const char TOKEN[] = "@token@";

static void begin(instance *me)
{
    memset(me, 0, sizeof *me);
    me->value[1] = 1e-3;
}

#if DYNAMIC_MODEL
static void slope(const double *x, const double *tau, double *rate)
{
    memcpy(rate, x + N, N * sizeof *x);
    @R@_@function@(x, x + N, tau, rate + N);
}

static void advance(double *x, const double *tau, double h)
{
    double k1[2 * N], k2[2 * N], k3[2 * N], k4[2 * N], y[2 * N];
    slope(x, tau, k1);
    for (int i = 0; i < 2 * N; ++i)
        y[i] = x[i] + h / 2 * k1[i];
    slope(y, tau, k2);
    for (int i = 0; i < 2 * N; ++i)
        y[i] = x[i] + h / 2 * k2[i];
    slope(y, tau, k3);
    for (int i = 0; i < 2 * N; ++i)
        y[i] = x[i] + h * k3[i];
    slope(y, tau, k4);
    for (int i = 0; i < 2 * N; ++i)
        x[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
}
#endif

EXPORT const char *fmi3GetVersion(void)
{
    return "3.0";
}

EXPORT int fmi3SetDebugLogging(void *me, int on, size_t n, const char *const *categories)
{
    (void)me, (void)on, (void)n, (void)categories;
    return OK;
}

EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, int visible,
                                         int logging, int events, int early, const uint32_t *intermediate, size_t n,
                                         void *environment, void *log, void *update)
{
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)early, (void)intermediate, (void)n;
    (void)environment, (void)log, (void)update;
    if (!token || strcmp(token, TOKEN))
        return NULL;
    instance *me = malloc(sizeof *me);
    if (me)
        begin(me);
    return me;
}

EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, int visible,
                                          int logging, void *environment, void *log)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    return NULL;
}

EXPORT void fmi3FreeInstance(void *me)
{
    free(me);
}

EXPORT int fmi3EnterInitializationMode(void *me, int defined, double tolerance, double start, int limited, double stop)
{
    (void)defined, (void)tolerance, (void)limited, (void)stop;
    ((instance *)me)->value[0] = start;
    return OK;
}

EXPORT int fmi3ExitInitializationMode(void *me)
{
    (void)me;
    return OK;
}

EXPORT int fmi3EnterStepMode(void *me)
{
    (void)me;
    return OK;
}

EXPORT int fmi3Terminate(void *me)
{
    (void)me;
    return OK;
}

EXPORT int fmi3Reset(void *me)
{
    begin(me);
    return OK;
}

EXPORT int fmi3GetFloat64(void *me, const uint32_t *references, size_t n, double *values, size_t count)
{
    instance *own = me;
#if !DYNAMIC_MODEL
    const double *given = own->value + 2;
    @R@_@function@(@pointers@, own->value + 2 + INPUTS);
#endif
    for (size_t i = 0; i < n; ++i) {
        if (references[i] >= VALUES || n != count)
            return ERROR;
        values[i] = own->value[references[i]];
    }
    return OK;
}

EXPORT int fmi3SetFloat64(void *me, const uint32_t *references, size_t n, const double *values, size_t count)
{
    for (size_t i = 0; i < n; ++i) {
        if (references[i] < 1 || references[i] >= VALUES || n != count)
            return ERROR;
        ((instance *)me)->value[references[i]] = values[i];
    }
    return OK;
}

EXPORT int fmi3DoStep(void *me, double now, double length, int no_rollback, int *events, int *stop, int *early,
                      double *reached)
{
    instance *own = me;
    (void)no_rollback;
    *events = *stop = *early = 0;
#if DYNAMIC_MODEL
    if (!(own->value[1] > 0) || !(length > 0))
        return ERROR;
    const double wanted = ceil(length / own->value[1] - 1e-6);
    const long steps = wanted < 1 ? 1 : (long)wanted;
    for (long k = 0; k < steps; ++k)
        advance(own->value + 2 + INPUTS, own->value + 2, length / (double)steps);
#endif
    *reached = own->value[0] = now + length;
    return OK;
}

/* Other types: there are no such variables. */
#define NONE(type)                                                                              \
    EXPORT int fmi3Get##type(void *me, const uint32_t *r, size_t n, void *values, size_t count) \
    {                                                                                           \
        (void)me, (void)r, (void)values, (void)count;                                           \
        return n ? ERROR : OK;                                                                  \
    }                                                                                           \
    EXPORT int fmi3Set##type(void *me, const uint32_t *r, size_t n, const void *values, size_t count) \
    {                                                                                           \
        (void)me, (void)r, (void)values, (void)count;                                           \
        return n ? ERROR : OK;                                                                  \
    }
NONE(Float32)
NONE(Int8)
NONE(UInt8)
NONE(Int16)
NONE(UInt16)
NONE(Int32)
NONE(UInt32)
NONE(Int64)
NONE(UInt64)
NONE(Boolean)
NONE(String)

/* What the unit does not offer, as its description says. */
#define REFUSED(name)         \
    EXPORT int fmi3##name(void) \
    {                         \
        return ERROR;         \
    }
REFUSED(ActivateModelPartition)
REFUSED(CompletedIntegratorStep)
REFUSED(DeserializeFMUState)
REFUSED(EnterConfigurationMode)
REFUSED(EnterContinuousTimeMode)
REFUSED(EnterEventMode)
REFUSED(EvaluateDiscreteStates)
REFUSED(ExitConfigurationMode)
REFUSED(FreeFMUState)
REFUSED(GetAdjointDerivative)
REFUSED(GetBinary)
REFUSED(GetClock)
REFUSED(GetContinuousStateDerivatives)
REFUSED(GetContinuousStates)
REFUSED(GetDirectionalDerivative)
REFUSED(GetEventIndicators)
REFUSED(GetFMUState)
REFUSED(GetIntervalDecimal)
REFUSED(GetIntervalFraction)
REFUSED(GetNominalsOfContinuousStates)
REFUSED(GetNumberOfContinuousStates)
REFUSED(GetNumberOfEventIndicators)
REFUSED(GetNumberOfVariableDependencies)
REFUSED(GetOutputDerivatives)
REFUSED(GetShiftDecimal)
REFUSED(GetShiftFraction)
REFUSED(GetVariableDependencies)
REFUSED(SerializeFMUState)
REFUSED(SerializedFMUStateSize)
REFUSED(SetBinary)
REFUSED(SetClock)
REFUSED(SetContinuousStates)
REFUSED(SetFMUState)
REFUSED(SetIntervalDecimal)
REFUSED(SetIntervalFraction)
REFUSED(SetShiftDecimal)
REFUSED(SetShiftFraction)
REFUSED(SetTime)
REFUSED(UpdateDiscreteStates)

EXPORT void *fmi3InstantiateScheduledExecution(void)
{
    return NULL;
}
