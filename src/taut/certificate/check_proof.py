"""Checks generated code against its certificate, with Python 3.9 or newer alone: check_proof.py [DIRECTORY [ROBOT]]
The certificate R.proof.json states a model of the robot: joints, inertias and frames as formulas over named parameters.
This file reads the text, takes every statement as an equation, and compares the outputs with textbook algorithms on the
model at a random point of the field of integers modulo P. A sine and a cosine are a random point of the circle, so
nothing is rounded, and equal values mean equal functions up to a chance of degree / P (Schwartz, Zippel). Every literal
is its formula to one unit in the last place, every other line a known one; what is not checked is named."""
import ast, hashlib, itertools, json, math, operator, pathlib, random, re, runpy, sys  # noqa: E401
from decimal import Decimal, getcontext
from fractions import Fraction
P, ODDS, getcontext().prec = 2**521 - 1, 100, 60  # the chance that a wrong text passes is to be at most 2^-ODDS
class Refused(Exception): """The text or the certificate is wrong."""
class Unknown(Exception): """This file has no reference for a function, or no value for what it calls."""
class NoRoot(Exception): """A square root does not exist at this point of the field; another point is drawn."""
class F:  # v + d e with e^2 = 0: a value and a derivative; n bounds the degree in what is drawn: operations add both n
    # ``angle`` is {name: whole multiple} where the number is a sum of named angles, else None; {"": x} is x radians
    def __init__(self, v, d=0, n=0, angle=None): self.v, self.d, self.n, self.angle = v % P, d % P, n, angle
    def __add__(self, o):
        o, a = number(o), self.angle
        angle = None if None in (a, o.angle) else {k: a.get(k, 0) + o.angle.get(k, 0) for k in {**a, **o.angle}}
        return F(self.v + o.v, self.d + o.d, self.n + o.n, angle)
    def __mul__(self, o):
        a, b, angle, o = self.angle, o.angle if isinstance(o, F) else o, None, number(o)
        if a is not None and isinstance(b, (int, Fraction)) and b == int(b):
            angle = {k: int(b) * count for k, count in a.items()}
        elif a and isinstance(b, dict) and len(a) == len(b) == 1:  # the ratio of a mimicking joint times an angle
            [(j, x), (k, y)] = sorted([*a.items(), *b.items()])
            angle = {f"{j} {k}": x * y}
        return F(self.v * o.v, self.v * o.d + self.d * o.v, self.n + o.n, angle)
    def inverse(self): return F(pow(self.v, -1, P), -self.d * pow(self.v, -2, P), self.n)
    __radd__, __rmul__, __neg__ = __add__, __mul__, lambda self: self * -1
    __sub__, __rsub__ = lambda self, o: self + -o, lambda self, o: -self + o
    __truediv__, __rtruediv__ = lambda self, o: self * number(o).inverse(), lambda self, o: self.inverse() * o
    def __pow__(self, k): return self if k == 1 else math.prod([self if k > 0 else self.inverse()] * abs(k), start=F(1))
def number(x): return x if isinstance(x, F) else F(x.numerator * pow(x.denominator, -1, P), angle={"": x} if x else {})
class RandomPoint:  # random values of all symbols, each with a point of the circle; ``rates`` are their derivatives
    def __init__(self, seed): self.draw, self.known, self.rates, self.exact = random.Random(seed), {}, {}, Fraction
    def drawn(self, name):  # value, cosine, sine, degree
        if name not in self.known:
            x, t = self.draw.randrange(1, P), self.draw.randrange(2, P)
            self.known[name] = x, (2 * (i := pow(1 + t * t, -1, P)) - 1) % P, 2 * t * i % P, 2
        return self.known[name]
    def symbol(self, name): return F(self.drawn(name)[0], self.rates.get(name, 0), self.drawn(name)[3], {name: 1})
    def circle(self, x):  # cosine and sine of a sum of angles, by the addition rule
        angle, rate, c, s, n = number(x).angle, number(x).d, 1, 0, number(x).n
        if angle is None or any(abs(count) > 99 for name, count in angle.items() if name):
            raise Unknown("it has a sine or cosine of something that is no sum of named angles")
        for name, sign in [(j, 1 if k > 0 else -1) for j, k in angle.items() for _ in range(abs(k) if j else k != 0)]:
            _, cosine, sine, degree = self.drawn(name or f"{abs(angle[name])} radians")
            c, s, n = c * cosine - s * sign * sine, c * sign * sine + s * cosine, n + degree
        return F(c, -s * rate, n), F(s, c * rate, n)
    def quaternion(self, names):  # four symbols that are a unit quaternion
        if names[0] not in self.known:
            r = [self.draw.randrange(1, P) for _ in range(3)]
            i, last = pow(1 + sum(x * x for x in r), -1, P), 1 - sum(x * x for x in r)
            self.known.update({name: (x * i % P, 0, 0, 2) for name, x in zip(names, [*(2 * x for x in r), last])})
        return [self.symbol(name) for name in names]
    def root(self, x):
        root = F(pow(number(x).v, (P + 1) // 4, P), n=2 * number(x).n)
        if (root * root).v != number(x).v:
            raise NoRoot
        return root
    def arc(self, x):  # the angle whose tangent is x
        c, name = self.root(number(x) * x + 1).inverse(), f"atan {number(x).v}"
        self.known.setdefault(name, (self.draw.randrange(1, P), c.v, (c * x).v, c.n + number(x).n))
        return self.symbol(name)
class RealPoint:  # the values of the parameters with 60 digits
    def __init__(self, values): self.values = {name: Decimal(float(value)) for name, value in values.items()}
    def symbol(self, name): return self.values.get(name)
    def exact(self, text): return Decimal(Fraction(text).numerator) / Fraction(text).denominator
    def root(self, x): return x.sqrt()
    def circle(self, x):
        sums, term, k = [Decimal(0), Decimal(0)], Decimal(1), 0
        while k < 2 * abs(x) or abs(term) > Decimal(10) ** -58:
            sums[k % 2] += term
            k += 1
            term *= x / k * (1 if k % 2 else -1)
        return sums
    def arc(self, x):
        t = Decimal(math.atan(x))
        for _ in range(3):  # Newton's method on sin(t) = x cos(t)
            c, s = self.circle(t)
            t += (x * c - s) / (c + x * s)
        return t
def evaluated(rows, point):  # the values of formulas, each over the ones before it; None where a value is not known
    found, functions = [], {"sqrt": point.root, "atan": point.arc}
    functions.update(cos=lambda x: point.circle(x)[0], sin=lambda x: point.circle(x)[1])
    for op, first, *more in rows:  # symbol, name; sum, constant, factor, row, ...; product, factor, exponent, row, ...
        given = [found[k] for k in ([first] if op in functions else more[1::2])]
        value = point.symbol(first) if op == "symbol" else None
        if op in ("sum", "product") and None not in given:
            value = point.exact(first)
            for x, k in zip(given, more[::2]):
                value = value + x * point.exact(k) if op == "sum" else value * x**k
        elif op in functions and None not in given:  # else it is over a parameter without a value
            value = functions[op](*given)
        elif op not in ("symbol", "sum", "product", *functions):
            raise Unknown(f"a formula has {op}, which is not read here")
        found.append(value)
    return found
UNIT, RIGHT = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [(1, 0), (0, 1), (-1, 0), (0, -1)]  # cos, sin of quarter turns
def skew(a): return [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]
def times(R, x): return [sum(a * b for a, b in zip(row, x)) for row in R]
def cross(a, b): return times(skew(a), b)
def plus(*vectors): return [sum(x) for x in zip(*vectors)]
def flipped(R): return [list(column) for column in zip(*R)]
def product(A, B): return flipped([times(A, column) for column in zip(*B)])
def flat(rows): return [x for row in rows for x in row]
def combined(a, b, c, v):
    return [[a * UNIT[i][j] + b * skew(v)[i][j] + c * v[i] * v[j] for j in range(3)] for i in range(3)]
def turn(axis, c, s): return combined(c, s, 1 - c, axis)  # Rodrigues' formula
def turned(x, y, z, w): return combined(1 - 2 * (x * x + y * y + z * z), 2 * w, 2, [x, y, z])  # a unit quaternion's
class Arm:  # the model at one state: poses of all joints in their parents, and Newton-Euler on them
    def __init__(self, model, point, formulas):
        self.model, self.point, self.formulas, self.joints = model, point, formulas, model["joints"]
        self.n = 1 + max(flat(joint["rates"] for joint in self.joints))
        keys = "axis", "slide", "inertia"
        self.axes, self.slides, self.inertia = ([self.values(joint[key]) for joint in self.joints] for key in keys)
        self.ratios = self.values(joint["ratio"] for joint in self.joints)
        self.at = [self.pose(*given) for given in zip(self.joints, self.axes, self.slides)]
    def values(self, places): return [self.formulas[k] for k in places]
    def placed(self, place):
        R = UNIT
        for axis, quarters, k in place["turns"]:
            c, s = RIGHT[quarters % 4] if k is None else self.point.circle(self.formulas[k])
            R = product(R, turn(UNIT[axis], c, s))
        return R, self.values(place["p"])
    def pose(self, joint, axis, slide):
        (R, p), names = self.placed(joint), joint["positions"]
        if len(names) > 1:  # a unit quaternion, of a free joint behind its place
            Q = turned(*self.point.quaternion(names[-4:]))
            return product(R, Q), plus(p, times(R, [self.point.symbol(name) for name in names[:-4]]))
        q = self.point.symbol(names[0]) * self.formulas[joint["ratio"]] + self.formulas[joint["offset"]]
        Q = UNIT if joint["kind"] == "prismatic" else turn(axis, *self.point.circle(q))
        return product(R, Q), plus(p, times(R, [a * q for a in slide]))
    def motion(self, i, rates):  # the angular and the linear motion of joint i at rates of the independent coordinates
        own = [self.ratios[i] * rates[k] for k in self.joints[i]["rates"]]
        one = [a * own[0] for a in self.axes[i]], [a * own[0] for a in self.slides[i]]
        return one if len(own) == 1 else (own[-3:], own[:-3] or [0, 0, 0])
    def torque(self, qd=None, qdd=None, gravity=True, inertia=None):  # Newton-Euler in link frames
        w, v, dw, dv, n, f, tau, none = [], [], [], [], [], [], [0] * self.n, [0, 0, 0]
        up, qd, qdd = [-g * gravity for g in self.values(self.model["gravity"])], qd or tau[:], qdd or tau[:]
        for i, (joint, (R, p)) in enumerate(zip(self.joints, self.at)):
            k, back, (wj, vj), (aj, bj) = joint["parent"], flipped(R), self.motion(i, qd), self.motion(i, qdd)
            W, V, DW, DV = (none, none, none, up) if k < 0 else (w[k], v[k], dw[k], dv[k])
            w.append(plus(times(back, W), wj))
            v.append(plus(times(back, plus(V, cross(W, p))), vj))
            dw.append(plus(times(back, DW), aj, cross(w[i], wj)))
            dv.append(plus(times(back, plus(DV, cross(DW, p))), bj, cross(w[i], vj), cross(v[i], wj)))
            m, hx, hy, hz, xx, xy, yy, xz, yz, zz = (inertia or self.inertia)[i]
            J, h = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], [hx, hy, hz]
            L, M = plus(times(J, w[i]), cross(h, v[i])), plus([m * x for x in v[i]], cross(w[i], h))
            n.append(plus(times(J, dw[i]), cross(h, dv[i]), cross(w[i], L), cross(v[i], M)))
            f.append(plus([m * x for x in dv[i]], cross(dw[i], h), cross(w[i], M)))
        for i, joint in reversed(list(enumerate(self.joints))):
            (R, p), k, all_six = self.at[i], joint["parent"], [*f[i], *n[i]]
            one = times([[*self.slides[i], *self.axes[i]]], all_six)
            along = one if len(joint["rates"]) == 1 else all_six[-len(joint["rates"]):]
            for rate, x in zip(joint["rates"], along):
                tau[rate] = tau[rate] + self.ratios[i] * x
            if k >= 0:
                n[k], f[k] = plus(n[k], times(R, n[i]), cross(p, times(R, f[i]))), plus(f[k], times(R, f[i]))
        for i, k, j, *by in [] if inertia else self.model["rotors"]:  # other inertias come without rotors
            tau[i] = tau[i] + self.formulas[k] * (qd[j] * qd[by[0]] if by else qdd[j])
        return tau
    def frame(self, name):  # the pose of a frame in the world, and its [linear, angular] velocities at unit rates
        place = next(frame for frame in self.model["frames"] if frame["name"] == name)
        (R, p), i, V, W = self.placed(place), place["parent"], [[0, 0, 0]] * self.n, [[0, 0, 0]] * self.n
        while i >= 0:  # from the frame to the base, all in the axes of link i
            (A, a), moved = self.at[i], [self.motion(i, [int(j == k) for k in range(self.n)]) for j in range(self.n)]
            V = [times(A, plus(v, vi, cross(wi, p))) for v, (wi, vi) in zip(V, moved)]
            W = [times(A, plus(w, wi)) for w, (wi, _) in zip(W, moved)]
            R, p, i = product(A, R), plus(a, times(A, p)), self.joints[i]["parent"]
        return R, p, [[*v, *w] for v, w in zip(V, W)]
def solved(A, b):  # x with A x = b by elimination
    rows = [[*row, y] for row, y in zip(A, b)]
    for i in range(len(b)):
        pivot = [x / rows[i][i] for x in rows[i]]
        rows = [pivot if k == i else [x - row[i] * y for x, y in zip(row, pivot)] for k, row in enumerate(rows)]
    return [row[-1] for row in rows]
class Reference:  # what a function should return at a point: one method for each question
    def __init__(self, *given): self.model, self.function, self.point, self.formulas = given
    def answer(self):  # of several questions one after the other
        if missing := [question for question, _ in self.function["parts"] if not hasattr(self, question)]:
            raise Unknown(f"this checker has no reference for {', '.join(missing)}")
        return flat(getattr(self, question)(*frame) for question, frame in self.function["parts"])
    def arm(self, rates=None):
        self.point.rates = rates or {}
        arm = Arm(self.model, self.point, self.formulas)  # first: it decides that quaternions have length 1
        self.given = {a: [self.point.symbol(s) for s in symbols] for a, symbols in self.function["arguments"].items()}
        return arm
    def inverse_dynamics(self, rates=None): return self.arm(rates).torque(self.given["qd"], self.given["qdd"])
    def gravity(self): return self.arm().torque()
    def bias(self): return self.arm().torque(self.given["qd"])
    def mass_matrix(self): return flat(flipped(self.columns(self.arm())))
    def inverse_dynamics_derivatives(self): return self.derivatives(self.inverse_dynamics, "qdd")
    def forward_dynamics_derivatives(self): return self.derivatives(self.forward_dynamics, "tau")
    def columns(self, arm):
        return [arm.torque(None, [int(j == k) for k in range(arm.n)], gravity=False) for j in range(arm.n)]
    def forward_dynamics(self, rates=None):
        arm = self.arm(rates)
        return solved(self.columns(arm), [t - b for t, b in zip(self.given["tau"], arm.torque(self.given["qd"]))])
    def explicit(self):  # M_ij (i <= j), b_ijk (j < k), c_ij and g_i
        arm = self.arm()
        n, M = range(arm.n), self.columns(arm)
        c = [[arm.torque([int(i in (j, k)) for i in n], gravity=False) for k in n] for j in n]  # rates j and k are one
        b = [c[j][k][i] - c[j][j][i] - c[k][k][i] for i in n for j in n for k in n if j < k]
        return [M[j][i] for i in n for j in n if i <= j] + b + [c[j][j][i] for i in n for j in n] + arm.torque()
    def regressor(self):
        arm, links = self.arm(), range(len(self.model["joints"]))
        ones = [[[int((i, k) == (a, b)) for k in range(10)] for i in links] for a in links for b in range(10)]
        return flat(flipped([arm.torque(self.given["qd"], self.given["qdd"], inertia=one) for one in ones]))
    def forward_kinematics(self, frame):
        R, p, _ = self.arm().frame(frame)
        return [*flat([*row, x] for row, x in zip(R, p)), 0, 0, 0, 1]
    def jacobian(self, frame): return flat(flipped(self.arm().frame(frame)[2]))
    def derivatives(self, function, last):  # by q, qd and the last argument, side by side
        arm = self.arm()
        ways = [self.direction(arm, k) for k in range(arm.n)]
        ways += [{name: 1} for argument in ("qd", last) for name in self.function["arguments"][argument]]
        return flat(flipped([[F(x.d, n=8 * x.n) for x in function(rates)] for rates in ways]))
    def direction(self, arm, k):  # how the positions move when independent rate k is one: {symbol: rate}
        joint = next(joint for joint in arm.joints if k in joint["rates"])
        names, e = joint["positions"], [int(i == k) for i in joint["rates"]]
        if len(e) == 1:
            return {names[0]: 1}
        (x, y, z, w), (a, b, c) = (arm.point.known[q][0] for q in names[-4:]), (u * pow(2, -1, P) for u in e[-3:])
        spin = [*plus([w * a, w * b, w * c], cross([x, y, z], [a, b, c])), -(x * a + y * b + z * c)]
        place = times(turned(x, y, z, w), e[:3]) if len(e) > 3 else []
        return dict(zip(names, [*place, *spin]))
LITERAL = re.compile(r"(?<![\w.])((?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+))(f?)(?!\w)")
SUMS = {"SIN_SUM": (1, 1), "COS_SUM": (0, -1), "SIN_DIFFERENCE": (1, -1), "COS_DIFFERENCE": (0, 1)}
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
FUNCTION = r"^(?:static |\w+_PART )?void (\w+)\((.*)\)\s\{\n((?s:.*?))\n\}$"
def short(text, digits): return hashlib.sha256(text.encode()).hexdigest()[:digits]
class Text:  # the functions of a source, {name: (parameters, rows)}, and all other lines
    def __init__(self, source, certificate):
        self.R, self.literals, self.functions, self.point = certificate["prefix"], certificate["literals"], {}, None
        self.rest = re.sub(r"/\*(?s:.*?)\*/", "", source)  # remarks say nothing
        for m in re.finditer(FUNCTION, self.rest, re.M):
            if m[1] in self.literals and m[1] not in self.functions:
                self.rest = self.rest.replace(m[0], "", 1)
                self.functions[m[1]] = re.findall(r"(\w+)(?:,|$)", m[2]), [row.strip() for row in m[3].split("\n")]
    def paragraphs(self):  # {hash: paragraph} of the other lines; R stands for the prefix
        plain = re.sub(rf"\b{self.R}(?=_|\.h)", "R", self.rest)
        tidy = [re.sub(r"\s*\n\s*", "\n", paragraph.strip()) for paragraph in re.split(r"\n\s*\n", plain)]
        return {short(paragraph, 8): paragraph for paragraph in tidy if paragraph}
def rows(source): return [short(row.strip(), 4) for row in source.split("\n")]  # hashes of all lines
def changed(source, known):  # function and line of the first line that is not the known one
    k = next((k for k, (row, old) in enumerate(itertools.zip_longest(rows(source), known), 1) if row != old), None)
    above = re.findall(r"^\w.*?(\w+)[(\[].*[){:]$", "\n".join(source.split("\n")[:k]), re.M)
    return k and f"{above[-1] if above else 'text'}, line {k}"
class Run:  # the statements of a text at a point; ``names`` holds the value of everything that was assigned
    def __init__(self, text, formulas, point, names):
        self.text, self.formulas, self.point, self.names, self.left = text, formulas, point, names, iter(())
    def expressions(self, text):  # the values of C expressions with commas between them; these read the same in Python
        python = LITERAL.sub(r"float(\1)", text).replace("->", ".")
        return [self.value(item) for item in ast.parse(f"[{python}]", mode="eval").body.elts]
    def value(self, e):
        if isinstance(e, ast.BinOp) and type(e.op) in OPERATIONS:
            return OPERATIONS[type(e.op)](self.value(e.left), self.value(e.right))
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
            return -self.value(e.operand)
        if isinstance(e, ast.Call):
            return self.called(ast.unparse(e.func), e.args)
        return self.names[ast.unparse(e)]
    def called(self, name, arguments):
        if name == "float":  # a literal: a formula, its sine or cosine, or just itself
            sign, k, function = next(self.left) or (1, None, "")
            value = Fraction(arguments[0].value) if k is None else self.formulas[k]
            return sign * (self.point.circle(value)[function == "sin"] if function else value)
        values, short = [self.value(argument) for argument in arguments], name[len(self.text.R) + 1 :]
        if name.rstrip("f") in ("sin", "cos"):
            return self.point.circle(values[0])[name[0] == "s"]
        if name == f"{self.text.R}_{short}" and short in SUMS:
            (sa, ca, sb, cb), (sine, sign) = values, SUMS[short]
            return sa * cb + sign * ca * sb if sine else ca * cb + sign * sa * sb
        raise Unknown(f"there is no exact value of {name}()")
    def function(self, name):  # run a function of the text; its outputs are in ``names`` then
        rows, outer, self.left, k = self.text.functions[name][1], self.left, iter(self.text.literals[name]), 0
        while k < len(rows):
            k += self.statement(rows[k], rows[k + 1 :])
        if next(self.left, self) is not self:
            raise Refused("fewer numbers than it should have")
        self.left = outer
    def outputs(self, name, function):  # run a function of the robot; return its outputs
        if [x for x in self.text.functions[name][0] if x != "k"] != [*function["arguments"], function["result"]]:
            raise Refused(f"{name} has not the parameters that it should have")
        if function["init"]:
            self.function(function["init"])
            self.names.update({f"k.{function['member']}{n[1:]}": x for n, x in [*self.names.items()] if n[:2] == "k["})
        self.function(name)
        return {key: x for key, x in self.names.items() if key.startswith(f"{function['result']}[")}
    def statement(self, row, after):  # take one statement; return how many lines it has
        if m := re.fullmatch(r"(?:const \w+ )?(\w+(?:\[\d+\])?) = (?:\(float\))?([^{]*?);", row):
            [self.names[m[1]]] = self.expressions(m[2])
        elif m := re.fullmatch(r"const \w+ x(\w*)\[(\d+)\] = \{(.*)\};", row):
            return 1 + self.sines(m[1], int(m[2]), self.expressions(m[3]), after)
        elif m := re.fullmatch(rf"{self.text.R}_store_two\(&(\w+)\[(\d+)\], (.*)\);", row):
            self.names[f"{m[1]}[{m[2]}]"], self.names[f"{m[1]}[{int(m[2]) + 1}]"] = self.expressions(m[3])
        elif m := re.fullmatch(r"for \(int i = (\d+); i < (\d+); \+\+i\)", row):
            n = re.fullmatch(r"(\w+)\[i\] = (.*);", after[0])
            [value] = self.expressions(n[2])
            self.names.update({f"{n[1]}[{i}]": value for i in range(int(m[1]), int(m[2]))})
            return 2
        elif (m := re.fullmatch(r"(\w+)\((.*)\);", row)) and m[2].split(", ") == self.text.functions[m[1]][0]:
            self.function(m[1])
        elif row and not re.fullmatch(r"\(void\)\w+;|\w+ live\[\d+\];", row):
            raise Refused(f"a statement of another form: {row[:60]}")
        return 1
    def sines(self, mark, size, angles, after):  # take the lines that compute the sines and cosines of angles
        (f, real, wide), R = ("f", "float", 8) if "float" in after[0] else ("", "double", 4), self.text.R
        x, s, c = (f"{letter}{mark}" for letter in "xsc")
        groups, count = range(0, size, wide), sum(row.startswith(f"{s}[") for row in after[: after.index("}")])
        block = [f"{real} {s}[{size}], {c}[{size}];", f"#if {R}_VECTORS", f"{R}_bits far{mark} = {{0}};",
                 *(f"{R}_mark_group({x} + {k}, &far{mark});" for k in groups), f"if (!{R}_any(&far{mark})) {{",
                 *(f"{R}_sincos_group({x} + {k}, {s} + {k}, {c} + {k});" for k in groups), "} else", "#endif", "{",
                 *(f"{s}[{k}] = sin{f}({x}[{k}]), {c}[{k}] = cos{f}({x}[{k}]);" for k in range(count)), "}"]
        if after[: len(block)] != block or len(angles) != size or any(number(x).v for x in angles[count:]):
            raise Refused("the sines are not computed in the known way")
        for k, both in enumerate(map(self.point.circle, angles[:count])):
            self.names[f"{c}[{k}]"], self.names[f"{s}[{k}]"] = both
        return len(block)
def random_point(certificate, draw=0):  # a point at which all roots exist, and the values of the formulas there
    point = RandomPoint(f"{certificate['source']} {draw}")
    try: return point, evaluated(certificate["formulas"], point)
    except NoRoot: return random_point(certificate, draw + 1)
def proved(certificate, text, name):  # the degree of a function that is what it should be at the random point
    function, text.point = certificate["functions"][name], text.point or random_point(certificate)
    point, formulas = text.point
    expected = Reference(certificate["models"][function["model"]], function, point, formulas).answer()
    given, point.rates = {"p": certificate["parameters"], **function["arguments"]}, {}
    names = {f"{vector}[{k}]": point.symbol(s) for vector, symbols in given.items() for k, s in enumerate(symbols)}
    found = Run(text, formulas, point, names).outputs(name, function)
    both = [(number(x), number(found.get(f"{function['result']}[{k}]", x + 1))) for k, x in enumerate(expected)]
    if (wrong := [k for k, (a, b) in enumerate(both) if a.v != b.v]) or len(found) != len(expected):
        raise Refused(f"output {wrong[0] if wrong else len(expected)} of {name} is not {function['name']}")
    return max(2, *(a.n + b.n for a, b in both)) << sum(op in ("sqrt", "atan") for op, *_ in certificate["formulas"])
def literals_checked(certificate, text):  # a literal is its formula to one unit in the last place; 1e-50 is zero
    real = evaluated(certificate["formulas"], RealPoint(certificate["values"]))
    for name, entries in certificate["literals"].items():
        for (digits, single), entry in zip(LITERAL.findall("\n".join(text.functions[name][1])), entries):
            if entry and real[entry[1]] is not None:
                exact = RealPoint({}).circle(real[entry[1]])[entry[2] == "sin"] if entry[2] else real[entry[1]]
                unit = 2.0 ** (math.frexp(float(digits))[1] - 24) if single else math.ulp(float(digits))
                if abs(Decimal(float(digits)) - entry[0] * exact) > max(Decimal(unit), Decimal("1e-50")):
                    raise Refused(f"{digits} is not its formula")
def check(certificate, source):  # one sentence for each function; raises Refused with the function and the line
    if hashlib.sha256(source.encode()).hexdigest() != certificate["source"]:
        raise Refused(f"{certificate['file']} is not the text of the certificate: its hash differs")
    in_c, place = source, changed(source, re.findall("....", certificate["rows"]))
    if certificate["translated"]:  # a file beside this one writes Python, JavaScript and batches as C of one state
        in_c = runpy.run_path(str(pathlib.Path(__file__).with_name("as_c.py")))["as_c"](certificate, source)
    text = Text(in_c, certificate)
    try:
        said = checked(certificate, text)
        if certificate.get("result", said) != said:
            raise Refused("the certificate states another result")
        if place:
            raise Refused("this line is not that of the certificate, although all results are still right")
        return said
    except (Refused, LookupError, StopIteration, ValueError, TypeError, SyntaxError, ArithmeticError) as error:
        place = place or "certificate (no line of the text differs)"
        raise Refused(f"{place}: {error if isinstance(error, Refused) else f'it cannot be read, {error!r}'}") from None
def checked(certificate, text):
    R, functions, said = certificate["prefix"], certificate["functions"], []
    if unknown := [paragraph for digest, paragraph in text.paragraphs().items() if digest not in KNOWN]:
        raise Refused(f"unknown lines outside the functions of the robot: {unknown[0][:60]}")
    literals_checked(certificate, text)
    handed = [certificate["values"].get(symbol, "(double)NAN") for symbol in certificate["parameters"]]
    known = [f"parameters[{k}] = {f'({x})' if x[0] == '-' else x};" for k, x in enumerate(handed)]
    calls = dict.fromkeys(f"{f['init']}(k->{f['member']}, parameters);" for f in functions.values() if f["init"])
    if certificate["file"].endswith(".c") and handed and [*calls, *known] != flat(
        text.functions[f"{R}_{name}"][1] for name in ("init", "default_parameters")):
        raise Refused(f"{R}_init or {R}_default_parameters does not hand over the parameters of the certificate")
    for name, function in functions.items():
        try:
            odds = min(function["points"], 1) * (521 - math.ceil(math.log2(proved(certificate, text, name))))
            if odds < ODDS:
                raise Refused(f"{name}: {function['points']} points leave a chance of 2^-{odds}, above 2^-{ODDS}")
            about = f"degree below 2^{521 - odds}, modulo 2^521 - 1; chance of an error 2^-{odds}"
            said.append(f"{name}: equals {function['name']} at a random point; {about}")
        except Unknown as reason:
            said.append(f"{name}: NOT CHECKED, {reason}")
    return said
def main(words):
    try:
        folder = pathlib.Path(words[0]) if words else pathlib.Path(__file__).parent
        certificate = json.loads(next(folder.glob("*.proof.json")).read_text())
        if words[1:] and hashlib.sha256(pathlib.Path(words[1]).read_bytes()).hexdigest() != certificate["robot_file"]:
            raise Refused("the robot file is not that of the certificate: its hash differs")
        print("\n".join(check(certificate, (folder / certificate["file"]).read_text())))
    except (Refused, LookupError, ValueError, OSError, StopIteration) as error:
        return print(f"refused: {error or 'there is no certificate'}") or 1
KNOWN = set("""
1410a08b 145c26b5 19f15cc0 1a9f4460 1e258076 24e7b2f0 26ec8638 2b0bb0d7 2f7ca72f 4f164be1 521d575e 5f92ac93 6238db8a
6d7eb7fb 6f11581d 7dedd8ff 7e9413c1 96276feb 96bc8872 9bc0f228 a5dca642 adb668ff bf548584 bf58d05d c07778ed c0a441ce
c4a8d0a4 ca540a81 ccfa499f cdec0918 d4c54223 d7f4313a e4334735 f85c0ffe
""".split())  # hashes of the paragraphs that are the same for every robot: includes, sines, stores
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
