/* A panda under feed-forward and PD control at 1 kHz, watched by a momentum observer, is hit across link 4.
 *
 * argv: seconds of motion, first seed, seeds, seven thresholds. The plant integrates by Runge-Kutta with the masses of
 * every link and the friction of every joint off; the model knows neither. Prints a line a seed: false alarms, the delay
 * of the flag after the impact [ms], -1 if none, and the largest change of each residual before it [Nm].
 */
#include "model.h"
#include "plant.h"
#include "taut_observer.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, TONES = 3, NUMBERS = @numbers@ };
static const double NOMINAL[NUMBERS] = {@values@};
static const int LINK[NUMBERS] = {@links@};
static const double STEP = 1e-3, MARK = 1e-5, NOISE = 0.1, PUSH = 20.0, PI = 3.14159265358979323846;
static const double COULOMB[N] = {1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.3}, VISCOUS[N] = {1.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.3};
static const double HOME[N] = {0.0, 0.3, 0.0, -1.8, 0.0, 2.0, 0.5}, SWING[N] = {0.6, 0.3, 0.5, 0.3, 0.6, 0.4, 0.6};
static const double KP[N] = {600, 600, 300, 300, 30, 20, 5}, KD[N] = {40, 40, 20, 20, 1.5, 1, 0.2};
static const double GAIN = @gain@, SMOOTH = @smooth@, SLOW = @slow@;

static uint64_t state;
static double uniform(void) /* splitmix64 */
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static double normal(void)
{
    return sqrt(-2 * log(1 - uniform())) * cos(2 * PI * uniform());
}

typedef struct { plant_constants k; double friction[N], push[N], tau[N]; } plant_state;

static double friction_of(int i, double qd) { return COULOMB[i] * tanh(qd / 0.01) + VISCOUS[i] * qd; }

static void slope(const plant_state *p, const double *x, double *xd)
{
    double tau[N];
    for (int i = 0; i < N; ++i)
        tau[i] = p->tau[i] + p->push[i] - p->friction[i] * friction_of(i, x[N + i]);
    memcpy(xd, x + N, N * sizeof *x);
    plant_forward_dynamics(&p->k, x, x + N, tau, xd + N);
}

static void move(const plant_state *p, double *x) /* one Runge-Kutta step */
{
    double k[4][2 * N], y[2 * N];
    static const double AT[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; ++s) {
        for (int i = 0; i < 2 * N; ++i)
            y[i] = x[i] + (s ? AT[s] * STEP * k[s - 1][i] : 0);
        slope(p, y, k[s]);
    }
    for (int i = 0; i < 2 * N; ++i)
        x[i] += STEP / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

int main(int argc, char **argv)
{
    if (argc != 4 + N)
        return 2;
    const double seconds = atof(argv[1]);
    const int first = atoi(argv[2]), seeds = atoi(argv[3]);
    for (int seed = first; seed < first + seeds; ++seed) {
        state = (uint64_t)seed;
        double factor[N + 1], numbers[NUMBERS], phase[N][TONES], omega[TONES], x[2 * N], q[N], last[N], rate[N] = {0};
        plant_state p = {0};
        factor[0] = 1; /* lengths and gravity */
        for (int i = 1; i <= N; ++i)
            factor[i] = uniform() < 0.5 ? 0.95 : 1.05;
        for (int i = 0; i < NUMBERS; ++i)
            numbers[i] = NOMINAL[i] * factor[LINK[i]];
        plant_init(&p.k, numbers);
        for (int i = 0; i < N; ++i) {
            p.friction[i] = uniform() < 0.5 ? 0.8 : 1.2;
            for (int k = 0; k < TONES; ++k)
                phase[i][k] = 2 * PI * uniform();
        }
        for (int k = 0; k < TONES; ++k)
            omega[k] = (0.6 + 0.5 * k) * (1 + 0.1 * uniform());
        taut_observer observer = {.n = N, .step = STEP};
        taut_detector detector = {.n = N, .share = STEP / SLOW};
        for (int i = 0; i < N; ++i) {
            observer.gain[i] = GAIN, observer.limit[i] = 1e3;
            detector.threshold[i] = atof(argv[4 + i]);
        }
        const double angle = 2 * PI * uniform(); /* of the push, in the plane across the link */
        const long hit = lround(seconds / STEP), end = hit + 100;
        double largest[N] = {0};
        long alarms = 0, delay = -1;
        for (long t = 0; t < end; ++t) {
            double qr[N], qdr[N], qddr[N], tau[N], noisy[N], terms[3 * N], dp[N];
            for (int i = 0; i < N; ++i) {
                qr[i] = HOME[i], qdr[i] = qddr[i] = 0;
                for (int k = 0; k < TONES; ++k) {
                    const double a = SWING[i] / TONES, w = omega[k], u = w * STEP * (double)t + phase[i][k];
                    qr[i] += a * sin(u), qdr[i] += a * w * cos(u), qddr[i] -= a * w * w * sin(u);
                }
            }
            if (t == 0)
                memcpy(x, qr, sizeof qr), memcpy(x + N, qdr, sizeof qdr);
            for (int i = 0; i < N; ++i) { /* what sensors and software know */
                q[i] = MARK * round(x[i] / MARK);
                if (t == 0)
                    last[i] = q[i], rate[i] = qdr[i];
                rate[i] += (1 - exp(-STEP / SMOOTH)) * ((q[i] - last[i]) / STEP * (t > 0) + (t == 0) * rate[i] - rate[i]);
                last[i] = q[i];
            }
            model_inverse_dynamics(qr, qdr, qddr, tau);
            for (int i = 0; i < N; ++i)
                tau[i] += friction_of(i, qdr[i]) + KP[i] * (qr[i] - q[i]) + KD[i] * (qdr[i] - rate[i]);
            for (int i = 0; i < N; ++i)
                noisy[i] = tau[i] + NOISE * normal();
            model_generalized_momentum_coriolis_transpose_gravity(q, rate, terms);
            for (int i = 0; i < N; ++i)
                dp[i] = noisy[i] - friction_of(i, rate[i]) + terms[N + i] - terms[2 * N + i];
            taut_observer_update(&observer, terms, dp);
            double slow[N];
            memcpy(slow, detector.slow, sizeof slow);
            const int flagged = taut_detector_update(&detector, observer.residual);
            for (int i = 0; i < N && t < hit && t > 0; ++i)
                largest[i] = fmax(largest[i], fabs(observer.residual[i] - slow[i]));
            alarms += t < hit && flagged;
            if (t >= hit && flagged && delay < 0)
                delay = t - hit;
            if (t == hit) {
                double J[6 * N], R[16];
                model_jacobian_impact(x, J);
                model_forward_kinematics_panda_link4(x, R);
                for (int i = 0; i < N; ++i)
                    for (int row = 0; row < 3; ++row)
                        p.push[i] += J[row * N + i] * PUSH * (cos(angle) * R[4 * row] + sin(angle) * R[4 * row + 2]);
            }
            memcpy(p.tau, tau, sizeof tau);
            move(&p, x);
        }
        printf("%ld %ld", alarms, delay);
        for (int i = 0; i < N; ++i)
            printf(" %.4f", largest[i]);
        printf("\n");
    }
    return 0;
}
