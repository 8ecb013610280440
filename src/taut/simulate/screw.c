/* The pose [x y z, qx qy qz qw] reached in unit time with a constant twist [linear; angular] in the body's own axes
 * [Murray, Li, Sastry 1994, 2.3]; quotients that cancel are summed as series below 0.3 rad. */
static void taut_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void taut_screw(const double *pose, const double *twist, double *out)
{
    const double *const u = pose + 3, *const v = twist, *const w = twist + 3;
    const double x = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], angle = sqrt(x), half = angle / 2;
    const double sine = angle > 1e-150 ? sin(half) / half : 1;  /* sin(angle/2) / (angle/2) */
    const double first = sine * sine / 2;                      /* (1 - cos) / angle^2 */
    const double second =
        angle < 0.3 ? 1.0 / 6 + x * (-1.0 / 120 + x * (1.0 / 5040 + x * (-1.0 / 362880 + x / 39916800)))
                    : (angle - sin(angle)) / (x * angle);
    double a[3], b[3], way[3], turned[3], twice[3], r[4];
    taut_cross(w, v, a);
    taut_cross(w, a, b);
    for (int i = 0; i < 3; ++i)
        way[i] = v[i] + first * a[i] + second * b[i];
    taut_cross(u, way, turned);
    for (int i = 0; i < 3; ++i)
        turned[i] *= 2;
    taut_cross(u, turned, twice);
    const double c = cos(half), k = sine / 2;
    const double step[3] = {k * w[0], k * w[1], k * w[2]};
    taut_cross(u, step, a);
    double length = 0;
    for (int i = 0; i < 3; ++i)
        r[i] = u[3] * step[i] + c * u[i] + a[i];
    r[3] = u[3] * c - (u[0] * step[0] + u[1] * step[1] + u[2] * step[2]);
    for (int i = 0; i < 4; ++i)
        length += r[i] * r[i];
    length = sqrt(length);
    for (int i = 0; i < 3; ++i)
        out[i] = pose[i] + way[i] + u[3] * turned[i] + twice[i];
    for (int i = 0; i < 4; ++i)
        out[3 + i] = r[i] / length;
}

/* The unit quaternion [qx qy qz qw] reached in unit time with a constant angular velocity in the body's own axes. */
static inline void taut_turn(const double *quaternion, const double *angular, double *out)
{
    const double pose[7] = {0, 0, 0, quaternion[0], quaternion[1], quaternion[2], quaternion[3]};
    const double twist[6] = {0, 0, 0, angular[0], angular[1], angular[2]};
    double moved[7];
    taut_screw(pose, twist, moved);
    for (int i = 0; i < 4; ++i)
        out[i] = moved[3 + i];
}
