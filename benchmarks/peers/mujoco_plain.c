/* How fast is MuJoCo?  The part of its pipeline that a question needs, through its C interface; no contacts,
 * constraints or actuators. Answers are copied only where `out` is given. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mjModel *model;
static mjData *data;
static double *answer;

void start(const char *path)
{
    char message[500];
    model = mj_loadXML(path, NULL, message, sizeof message);
    if (!model) {
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
    data = mj_makeData(model);
    answer = malloc(sizeof(double) * (size_t)model->nv);
}

static void place(const double *q)
{
    memcpy(data->qpos, q, sizeof(double) * (size_t)model->nq);
    mj_kinematics(model, data);
    mj_comPos(model, data);
}

static void move(const double *q, const double *v)
{
    place(q);
    memcpy(data->qvel, v, sizeof(double) * (size_t)model->nv);
    mj_comVel(model, data);
}

static void give(double *out)
{
    if (out)
        memcpy(out, answer, sizeof(double) * (size_t)model->nv);
}

void inverse_dynamics(const double *q, const double *v, const double *x, double *out)
{
    move(q, v);
    memcpy(data->qacc, x, sizeof(double) * (size_t)model->nv);
    mj_rne(model, data, 1, answer);
    give(out);
}

void gravity(const double *q, const double *v, const double *x, double *out)
{
    (void)v, (void)x;
    place(q);
    memset(data->qvel, 0, sizeof(double) * (size_t)model->nv);
    mj_comVel(model, data);
    mj_rne(model, data, 0, answer);
    give(out);
}

void mass_matrix(const double *q, const double *v, const double *x, double *out)
{
    (void)v, (void)x;
    place(q);
    mj_makeM(model, data);
    if (out)
        mj_fullM(model, data, out);
}

void forward_dynamics(const double *q, const double *v, const double *x, double *out)
{
    move(q, v);
    mj_makeM(model, data);
    mj_factorM(model, data);
    mj_rne(model, data, 0, answer);
    for (int i = 0; i < model->nv; ++i)
        answer[i] = x[i] - answer[i];
    mj_solveM(model, data, answer, answer, 1);
    give(out);
}
