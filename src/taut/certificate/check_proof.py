"""Checks generated C against its certificate, with Python 3.9 or newer alone: python3 check_proof.py [DIRECTORY]
The certificate R.proof.json states a model of the robot: joints, inertias and frames as formulas over named parameters.
This file reads R.c as text, takes every statement of every function as an equation, and compares the outputs with
textbook algorithms on the model at a random point of the field of integers modulo P. A sine and a cosine are a random
point of the circle, so nothing is rounded, and equal values mean equal functions up to a chance of degree / P
(Schwartz, Zippel). Two more checks tie the text to the numbers: every literal is its formula to one unit in the last
place, and every line outside the functions is a known one. It names what it does not check. Compiler, mathematics
library and rounding are taken for granted. Exit code 0: nothing is wrong; 1: refused. --robot FILE compares its hash.
"""
import ast, hashlib, json, math, operator, pathlib, random, re, sys  # noqa: E401
from decimal import Decimal, getcontext
from fractions import Fraction
P, ODDS, getcontext().prec = 2**521 - 1, 100, 60  # the chance that a wrong text passes is to be at most 2^-ODDS
class Refused(Exception): """The text or the certificate is wrong."""
class Unknown(Exception): """This file has no reference for a function, or no value for what it calls."""
class NoRoot(Exception): """A square root does not exist at this point of the field; another point is drawn."""
class F:
    """v + d e with e^2 = 0: a value and a derivative; n bounds the degree in what is drawn: any operation adds both n.
    ``angle`` is {symbol: whole multiple} where the number is a sum of angles, else None."""
    def __init__(self, v, d=0, n=0, angle=None): self.v, self.d, self.n, self.angle = v % P, d % P, n, angle
    def __add__(self, o):
        o, a = number(o), self.angle
        angle = None if None in (a, o.angle) else {k: a.get(k, 0) + o.angle.get(k, 0) for k in {**a, **o.angle}}
        return F(self.v + o.v, self.d + o.d, self.n + o.n, angle)
    def __mul__(self, o):
        whole = self.angle is not None and not isinstance(o, F) and o == int(o)
        angle, o = {k: int(o) * count for k, count in self.angle.items()} if whole else None, number(o)
        return F(self.v * o.v, self.v * o.d + self.d * o.v, self.n + o.n, angle)
    def inverse(self):  # pow raises ValueError for zero
        return F(pow(self.v, -1, P), -self.d * pow(self.v, -2, P), self.n)
    __radd__, __rmul__, __neg__ = __add__, __mul__, lambda self: self * -1
    __sub__, __rsub__ = lambda self, o: self + -o, lambda self, o: -self + o
    __truediv__, __rtruediv__ = lambda self, o: self * number(o).inverse(), lambda self, o: self.inverse() * o
    def __pow__(self, k): return self if k == 1 else math.prod([self if k > 0 else self.inverse()] * abs(k), start=F(1))
def number(x): return x if isinstance(x, F) else F(x.numerator * pow(x.denominator, -1, P), angle=None if x else {})
class RandomPoint:
    """Random values of all symbols, each with a random point of the circle; ``rates`` are their derivatives."""
    def __init__(self, seed): self.draw, self.known, self.rates = random.Random(seed), {}, {}
    def drawn(self, name):
        if name not in self.known:
            x, t = self.draw.randrange(1, P), self.draw.randrange(2, P)
            self.known[name] = x, (1 - t * t) * pow(1 + t * t, -1, P), 2 * t * pow(1 + t * t, -1, P), 2
        return self.known[name], self.rates.get(name, 0)
    def symbol(self, name): return F(self.drawn(name)[0][0], self.drawn(name)[1], self.drawn(name)[0][3], {name: 1})
    def circle(self, x):  # cosine and sine of a sum of angles, by the addition rule
        if number(x).angle is None:
            raise Refused("a sine or cosine of something that is no sum of named angles")
        cosine, sine = F(1), F(0)
        for name in [name for name, count in number(x).angle.items() for _ in range(abs(count))]:
            (_, c, s, n), rate = self.drawn(name)
            c, s = F(c, -s * rate, n), F(s, c * rate, n) * (1 if number(x).angle[name] > 0 else -1)
            cosine, sine = cosine * c - sine * s, cosine * s + sine * c
        return cosine, sine
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
    found = []
    def exact(text):  # a decimal is the double nearest to it, anything else a fraction
        x = Fraction(float(text)) if re.search("[.eE]", text) else Fraction(text)
        return Decimal(x.numerator) / x.denominator if isinstance(point, RealPoint) else x
    for row in rows:
        op, _, rest = row.partition(" = ")[2].partition(" ")
        words, value = rest.split(" "), None
        given = [] if op == "symbol" else [found[int(k)] for k in re.findall(r"%(\d+)", rest)]
        if op == "symbol":
            value = point.symbol(json.loads(rest.partition(" ")[2]))
        elif None not in given and op in ("constant", "sum", "product"):
            value = exact(words[0])
            for x, word in zip(given, words[1:]):
                factor = word.split("*")[0] if op == "sum" else word.split("^")[1]
                value = value + x * exact(factor) if op == "sum" else value * x ** int(factor)
        elif op not in ("constant", "sum", "product", "sin", "cos", "sqrt", "atan"):
            raise Unknown(f"a formula has {op}, which is not read here")
        elif None not in given:  # else it is over a parameter without a value
            value = {"sqrt": point.root, "atan": point.arc}.get(op, lambda x: point.circle(x)[op == "sin"])(given[0])
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
def combined(a, b, c, S):  # a 1 + b S + c S^2
    square = product(S, S)
    return [[UNIT[i][j] * a + b * S[i][j] + c * square[i][j] for j in range(3)] for i in range(3)]
def turn(axis, c, s): return combined(1, s, 1 - c, skew(axis))
def turned(x, y, z, w): return combined(1, 2 * w, 2, skew([x, y, z]))
class Arm:  # the model at one state: poses of all joints in their parents, and Newton-Euler on them
    def __init__(self, model, point, formulas):
        self.model, self.point, self.formulas, self.joints = model, point, formulas, model["joints"]
        self.n = 1 + max(flat(joint["rates"] for joint in self.joints))
        self.axes, self.inertia = ([self.values(joint[key]) for joint in self.joints] for key in ("axis", "inertia"))
        self.ratios = self.values(joint["ratio"] for joint in self.joints)
        self.at = [self.pose(joint, axis) for joint, axis in zip(self.joints, self.axes)]
    def values(self, places): return [self.formulas[k] for k in places]
    def placed(self, place):
        R = UNIT
        for axis, quarters, k in place["turns"]:
            c, s = RIGHT[quarters % 4] if k is None else self.point.circle(self.formulas[k])
            R = product(R, turn(UNIT[axis], c, s))
        return R, self.values(place["p"])
    def pose(self, joint, axis):
        (R, p), names = self.placed(joint), joint["positions"]
        if joint["kind"] == "free":
            Q = turned(*self.point.quaternion(names[3:]))
            return product(R, Q), plus(p, times(R, [self.point.symbol(name) for name in names[:3]]))
        q = self.point.symbol(names[0]) * self.formulas[joint["ratio"]] + self.formulas[joint["offset"]]
        if joint["kind"] == "revolute":
            return product(R, turn(axis, *self.point.circle(q))), p
        if joint["kind"] == "prismatic":
            return R, plus(p, times(R, [a * q for a in axis]))
        raise Unknown("a joint of another kind is not read here")
    def motion(self, i, rates):  # the angular and the linear motion of joint i at rates of the independent coordinates
        own, kind = [self.ratios[i] * rates[k] for k in self.joints[i]["rates"]], self.joints[i]["kind"]
        none, moved = [0, 0, 0], [a * own[0] for a in self.axes[i]]
        return (own[3:], own[:3]) if kind == "free" else (moved, none) if kind == "revolute" else (none, moved)
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
            (R, p), k, kind = self.at[i], joint["parent"], joint["kind"]
            along = [*f[i], *n[i]] if kind == "free" else times([self.axes[i]], n[i] if kind == "revolute" else f[i])
            for rate, x in zip(joint["rates"], along):
                tau[rate] = tau[rate] + self.ratios[i] * x
            if k >= 0:
                n[k], f[k] = plus(n[k], times(R, n[i]), cross(p, times(R, f[i]))), plus(f[k], times(R, f[i]))
        for i, k, j, *by in [] if inertia else self.model["rotors"]:  # other inertias come without rotors
            tau[i] = tau[i] + self.formulas[k] * (qd[j] * qd[by[0]] if by else qdd[j])
        return tau
    def frame(self, name):  # the pose of a frame in the world
        place = next(frame for frame in self.model["frames"] if frame["name"] == name)
        (R, p), k = self.placed(place), place["parent"]
        while k >= 0:
            (A, a), k = self.at[k], self.joints[k]["parent"]
            R, p = product(A, R), plus(a, times(A, p))
        return R, p
def solved(A, b):  # x with A x = b by elimination
    rows = [[*row, y] for row, y in zip(A, b)]
    for i in range(len(b)):
        pivot = [x / rows[i][i] for x in rows[i]]
        rows = [pivot if k == i else [x - row[i] * y for x, y in zip(row, pivot)] for k, row in enumerate(rows)]
    return [row[-1] for row in rows]
class Reference:  # what a function should return at a point: one method for each question
    def __init__(self, *given): self.model, self.function, self.point, self.formulas = given
    def arm(self, rates=None):
        self.point.rates = rates or {}
        arm = Arm(self.model, self.point, self.formulas)  # first: it decides that quaternions have length 1
        self.given = {a: [self.point.symbol(s) for s in symbols] for a, symbols in self.function["arguments"].items()}
        return arm
    def inverse_dynamics(self, rates=None): return self.arm(rates).torque(self.given["qd"], self.given["qdd"])
    def gravity(self): return self.arm().torque()
    def bias(self): return self.arm().torque(self.given["qd"])
    def mass_matrix(self): return flat(flipped(self.columns(self.arm())))
    def explicit_torque(self): return self.explicit() + self.inverse_dynamics()
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
    def forward_kinematics(self):
        return [*flat([*row, x] for row, x in zip(*self.arm().frame(self.function["frame"]))), 0, 0, 0, 1]
    def jacobian(self):  # [p'; vector of R' R^T], differentiated along each rate
        arm, columns = self.arm(), []
        for k in range(arm.n):
            R, p = self.arm(self.direction(arm, k)).frame(self.function["frame"])
            W = product([[F(number(x).d, n=8 * number(x).n) for x in row] for row in R], flipped(R))
            columns.append([*(F(number(x).d, n=8 * number(x).n) for x in p), W[2][1], W[0][2], W[1][0]])
        return flat(flipped(columns))
    def derivatives(self, function, last):  # by q, qd and the last argument, side by side
        arm = self.arm()
        ways = [self.direction(arm, k) for k in range(arm.n)]
        ways += [{name: 1} for argument in ("qd", last) for name in self.function["arguments"][argument]]
        return flat(flipped([[F(x.d, n=8 * x.n) for x in function(rates)] for rates in ways]))
    def direction(self, arm, k):  # how the positions move when independent rate k is one: {symbol: rate}
        joint = next(joint for joint in arm.joints if k in joint["rates"])
        if joint["kind"] != "free":
            return {joint["positions"][0]: 1}
        (x, y, z, w), e = (arm.point.known[q][0] for q in joint["positions"][3:]), [int(i == k) for i in joint["rates"]]
        spin = [*plus([w * a for a in e[3:]], cross([x, y, z], e[3:])), -sum(a * b for a, b in zip([x, y, z], e[3:]))]
        rates = [*times(turned(x, y, z, w), e[:3]), *(s * pow(2, -1, P) for s in spin)]
        return dict(zip(joint["positions"], rates))
LITERAL = re.compile(r"(?<![\w.])((?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+))(f?)(?!\w)")
SUMS = {"SIN_SUM": (1, 1), "COS_SUM": (0, -1), "SIN_DIFFERENCE": (1, -1), "COS_DIFFERENCE": (0, 1)}
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
class Text:  # the functions of the C source, {name: (first line, parameters, rows)}, and all its other lines
    def __init__(self, source, certificate):
        self.R, self.literals, self.functions, self.rest = certificate["prefix"], certificate["literals"], {}, source
        kinds = r"static const \w+ (\w+)_constants|(?:static |\w+_PART )?void (\w+)\((.*)\)\n"
        for m in re.finditer(rf"^(?:{kinds}).*\{{\n((?s:.*?))\n\}};?$", source, re.M):
            name = m[1] or m[2]
            if name.startswith(tuple(certificate["tried"])) or (name in self.literals and name not in self.functions):
                first, self.rest = source.count("\n", 0, m.start()) + 3, self.rest.replace(m[0], "", 1)
                self.functions[name] = first, m[3], [row.strip() for row in m[4].split("\n")]
    def paragraphs(self):  # {hash: paragraph} of the other lines without comments; R stands for the prefix
        plain = re.sub(rf"\b{self.R}(?=_|\.h)", "R", re.sub(r"/\*.*?\*/", "", self.rest, flags=re.S))
        tidy = ["\n".join(row.strip() for row in p.split("\n") if row.strip()) for p in re.split(r"\n\s*\n", plain)]
        return {hashlib.sha256(p.encode()).hexdigest()[:12]: p for p in tidy if p}
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
        (first, _, rows), outer, self.left, k = self.text.functions[name], self.left, iter(self.text.literals[name]), 0
        while k < len(rows):
            try:
                k += self.statement(rows[k], rows[k + 1 :])
            except (Refused, LookupError, StopIteration, ValueError, TypeError, SyntaxError, ArithmeticError) as error:
                raise Refused(f"{name}, line {first + k}: {str(error) or 'more numbers than it should have'}") from None
        if next(self.left, self) is not self:
            raise Refused(f"{name}: fewer numbers than it should have")
        self.left = outer
    def statement(self, row, after):  # take one statement; return how many lines it has
        if m := re.fullmatch(r"(?:const \w+ )?(\w+(?:\[\d+\])?) = (?:\(float\))?([^{]*?);(?: /\* angle \*/)?", row):
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
        elif (m := re.fullmatch(r"(\w+_part\d+)\((.*)\);", row)) and re.findall(
            r"(\w+)(?:,|$)", self.text.functions[m[1]][1]) == m[2].split(", "):
            self.function(m[1])
        elif row and not re.fullmatch(r"/\*.*\*/|\(void\)\w+;|\w+ live\[\d+\];", row):
            raise Refused(f"a statement of another form: {row[:60]}")
        return 1
    def sines(self, mark, size, angles, after):
        """Take the lines that compute the sines and cosines of an array of angles."""
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
def pairs(certificate, text, name, point):  # [(what the reference says, what the text says)] at a point
    formulas, function = evaluated(certificate["formulas"], point), certificate["functions"][name]
    if not hasattr(Reference, function["question"]):
        raise Unknown(f"there is no reference for {function['question']} here")
    reference = Reference(certificate["models"][function["model"]], function, point, formulas)
    expected, point.rates = getattr(reference, function["question"])(), {}
    names = {f"{a}[{k}]": point.symbol(s) for a, given in function["arguments"].items() for k, s in enumerate(given)}
    names.update({f"p[{k}]": point.symbol(s) for k, s in enumerate(certificate["parameters"])})
    run, result = Run(text, formulas, point, names), function["result"]
    if function["init"]:
        run.function(function["init"])
        names.update({f"k.{function['member']}{key[1:]}": x for key, x in names.items() if key.startswith("k[")})
    run.function(name)
    found = [names.get(f"{result}[{k}]") for k in range(len(expected))]
    if None in found or f"{result}[{len(expected)}]" in names:
        raise Refused(f"{name}: it has not the {len(expected)} outputs it should have")
    return [(number(a), number(b)) for a, b in zip(expected, found)]
def proved(certificate, text, name, draw=0):  # the degree of a function that is what it should be at a random point
    try:
        both = pairs(certificate, text, name, RandomPoint(f"{certificate['source']} {name} {draw}"))
    except NoRoot:
        return proved(certificate, text, name, draw + 1)
    for k, (a, b) in enumerate(both):
        if a.v != b.v:
            raise Refused(f"{name}: output {k} is not {certificate['functions'][name]['question']}")
    roots = sum(bool(re.search(" = (sqrt|atan) ", row)) for row in certificate["formulas"])
    return max(2, *(a.n + b.n for a, b in both)) << roots  # each root doubles it
def literals_checked(certificate, text):  # refuse a literal that is not its formula to one unit in the last place
    real = evaluated(certificate["formulas"], RealPoint(certificate["values"]))
    for name, entries in certificate["literals"].items():
        first, _, rows = text.functions[name]
        written = [(k, *m.groups()) for k, row in enumerate(rows) for m in LITERAL.finditer(row)]
        for (k, digits, single), entry in zip(written, entries):
            if entry and real[entry[1]] is not None:
                exact = RealPoint({}).circle(real[entry[1]])[entry[2] == "sin"] if entry[2] else real[entry[1]]
                unit = 2.0 ** (math.frexp(float(digits))[1] - 24) if single else math.ulp(float(digits))
                if abs(Decimal(float(digits)) - entry[0] * exact) > Decimal(unit):
                    raise Refused(f"{name}, line {first + k}: {digits} is not its formula")
def check(certificate, source):  # one sentence for each function; raises Refused
    text, R, said = Text(source, certificate), certificate["prefix"], []
    if hashlib.sha256(source.encode()).hexdigest() != certificate["source"]:
        raise Refused(f"{R}.c is not the text of the certificate: its hash differs")
    for digest, paragraph in text.paragraphs().items():
        if digest not in KNOWN:
            raise Refused(f"unknown lines outside the functions: {paragraph.splitlines()[0][:70]}")
    literals_checked(certificate, text)
    handed = [certificate["values"].get(symbol, "(double)NAN") for symbol in certificate["parameters"]]
    rows = [f"parameters[{k}] = {f'({x})' if x[0] == '-' else x};" for k, x in enumerate(handed)]
    calls = [f"{f['init']}(k->{f['member']}, parameters);" for f in certificate["functions"].values() if f["init"]]
    if handed and [text.functions[f"{R}_{name}"][2] for name in ("default_parameters", "init")] != [rows, calls]:
        raise Refused(f"{R}_default_parameters or {R}_init does not hand over the parameters of the certificate")
    for name, function in certificate["functions"].items():
        try:
            odds = function["points"] * (521 - math.ceil(math.log2(proved(certificate, text, name))))
            if odds < ODDS:
                raise Refused(f"{name}: {function['points']} points leave a chance of 2^-{odds}, above 2^-{ODDS}")
            said.append(f"{name}: equals {function['question']} at a random point; chance of an error 2^-{odds}")
        except Unknown as reason:
            said.append(f"{name}: NOT CHECKED, {reason}")
    return [*said, *(f"{name}: NOT CHECKED, several states at once" for name in certificate["tried"])]
def main(words):
    try:
        folder = pathlib.Path(words[0]) if words and words[0] != "--robot" else pathlib.Path(__file__).parent
        certificate = json.loads(next(folder.glob("*.proof.json")).read_text())
        robot = pathlib.Path(words[words.index("--robot") + 1]).read_bytes() if "--robot" in words else None
        if robot is not None and hashlib.sha256(robot).hexdigest() != certificate["robot_file"]:
            raise Refused("the robot file is not that of the certificate: its hash differs")
        print("\n".join(check(certificate, (folder / f"{certificate['prefix']}.c").read_text())))
    except (Refused, LookupError, ValueError, OSError, StopIteration) as error:
        return print(f"refused: {error or 'there is no certificate'}") or 1
KNOWN = set("""
1410a08bab5f 145c26b50601 19f15cc0c7be 1a9f4460286e 1e258076b154 24e7b2f0adce 26ec86386d34 2b0bb0d71d52 2f7ca72fa09c
4f164be1fe34 521d575e551d 5f92ac935746 6238db8ac830 6d7eb7fb5a2b 7dedd8ffb5df 7e9413c1e18e 96276febe157 96bc88720466
9bc0f228efba a5dca6421aab adb668ff4f66 bf548584e06d bf58d05ddf3d c07778edeedd c0a441cecc7e c4a8d0a4d7e0 ca540a81b239
ccfa499f2536 cdec09183689 d4c542235662 d7f4313a6159 e4334735ac5d f85c0ffe04d6
""".split())  # hashes of the paragraphs that are the same for every robot: includes, sines, stores
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
