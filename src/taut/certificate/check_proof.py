"""Checks generated code against its certificate, with Python 3.9 or newer alone: check_proof.py [DIRECTORY [ROBOT]]
The certificate R.proof.json states a model of the robot: joints, inertias and frames as formulas over named parameters.
This file reads the text, takes every statement as an equation, and compares the outputs with textbook algorithms on the
model at a random point of the field of integers modulo P. A sine and a cosine are a random point of the circle, so
nothing is rounded, and equal values mean equal functions up to a chance of degree / P (Schwartz, Zippel). Every literal
is its formula to one unit in the last place, every other line a known one; what is not checked is named."""
import ast, decimal, fractions, functools, hashlib, itertools, json, math, operator, pathlib, random, re, runpy, sys
Decimal, Fraction, decimal.getcontext().prec = decimal.Decimal, fractions.Fraction, 60
P, ODDS, TINY = 2**521 - 1, 100, Decimal("1e-50")  # a wrong text passes at a chance of at most 2^-ODDS; TINY is zero
class Refused(Exception): """The text or the certificate is wrong."""
class Unknown(Exception): """This file has no reference for a function, or no value for what it calls."""
def need(fact, otherwise, kind=Refused):
    if not fact: raise kind(otherwise)
class F:  # v + d e with e^2 = 0: a value and a derivative; n bounds the degree in what is drawn: operations add both n
    # ``angle`` is {name: whole multiple} where the number is a sum of named angles, else None; {"": x} is x radians
    def __init__(self, v, d=0, n=0, angle=None): self.v, self.d, self.n, self.angle = v % P, d % P, n, angle
    def __add__(self, o):
        o, a = number(o), self.angle
        angle = None if None in (a, o.angle) else {k: a.get(k, 0) + o.angle.get(k, 0) for k in {**a, **o.angle}}
        return F(self.v + o.v, self.d + o.d, self.n + o.n, angle)
    def __mul__(self, o):
        a, b, angle, o = self.angle, o.angle if isinstance(o, F) else o, None, number(o)
        if a is not None and hasattr(b, "numerator") and b == int(b): angle = {k: int(b) * n for k, n in a.items()}
        elif a and isinstance(b, dict) and len(a) == len(b) == 1:  # the ratio of a mimicking joint times an angle
            angle = {" ".join(sorted([*a, *b])): math.prod([*a.values(), *b.values()])}
        return F(self.v * o.v, self.v * o.d + self.d * o.v, self.n + o.n, angle)
    def inverse(self): return F(pow(self.v, -1, P), -self.d * pow(self.v, -2, P), self.n)
    __radd__, __rmul__, __neg__ = __add__, __mul__, lambda self: self * -1
    __sub__, __rsub__ = lambda self, o: self + -o, lambda self, o: -self + o
    __truediv__, __rtruediv__ = lambda self, o: self * number(o).inverse(), lambda self, o: self.inverse() * o
    def __pow__(self, k): return self if k == 1 else math.prod([self if k > 0 else self.inverse()] * abs(k), start=F(1))
def number(x): return x if isinstance(x, F) else F(x.numerator * pow(x.denominator, -1, P), angle={"": x} if x else {})
class RandomPoint:  # random values of all symbols, each with a point of the circle; ``rates`` are their derivatives
    def __init__(self, seed): self.draw, self.known, self.rates = random.Random(seed), {}, {}
    def exact(self, text): return Fraction(*map(int, text.split("/")))
    def drawn(self, name):  # value, cosine, sine, degree
        if name not in self.known:
            x, t = self.draw.randrange(1, P), self.draw.randrange(2, P)
            self.known[name] = x, (2 * (i := pow(1 + t * t, -1, P)) - 1) % P, 2 * t * i % P, 2
        return self.known[name]
    def symbol(self, name): return F(self.drawn(name)[0], self.rates.get(name, 0), self.drawn(name)[3], {name: 1})
    def circle(self, x):  # cosine and sine of a sum of angles, by the addition rule
        angle, rate, c, s, n = number(x).angle, number(x).d, 1, 0, number(x).n
        named = angle is not None and all(abs(angle[name]) < 100 for name in angle if name)
        need(named, "it has a sine or cosine of something that is no sum of named angles", Unknown)
        for name, sign in [(j, 1 if k > 0 else -1) for j, k in angle.items() for _ in range(abs(k) if j else k != 0)]:
            _, cosine, sine, degree = self.drawn(name or f"{abs(angle[name])} radians")
            c, s, n = c * cosine - s * sign * sine, c * sign * sine + s * cosine, n + degree
        return F(c, -s * rate, n), F(s, c * rate, n)
    def quaternion(self, names):  # four symbols that are a unit quaternion
        r = [*(self.draw.randrange(1, P) for _ in range(3)), 1]
        x, i = [*(2 * a for a in r[:3]), 2 - sum(a * a for a in r)], pow(sum(a * a for a in r), -1, P)
        for name, a in zip(names, x): self.known.setdefault(name, (a * i % P, 0, 0, 2))
        return [self.symbol(name) for name in names]
    def root(self, x):  # where there is none, another point is drawn
        root = F(pow(number(x).v, (P + 1) // 4, P), n=2 * number(x).n)
        need((root * root).v == number(x).v, "", ArithmeticError)
        return root
    def arc(self, x):  # the angle whose tangent is x
        c, name = self.root(number(x) * x + 1).inverse(), f"atan {number(x).v}"
        self.known.setdefault(name, (self.draw.randrange(1, P), c.v, (c * x).v, c.n + number(x).n))
        return self.symbol(name)
class RealPoint:  # the values of the parameters with 60 digits
    def __init__(self, values): self.symbol = {name: Decimal(float(value)) for name, value in values.items()}.get
    def exact(self, text): return Decimal(int(text.split("/")[0])) / int((text + "/1").split("/")[1])
    def root(self, x): return x.sqrt()
    def circle(self, x):  # by their series
        terms = [Decimal(1)]
        while len(terms) < 2 * abs(x) or abs(terms[-1]) > Decimal(10) ** -58: terms.append(terms[-1] * x / len(terms))
        return [sum(terms[k::4]) - sum(terms[k + 2 :: 4]) for k in (0, 1)]
    def arc(self, x, t=None, steps=3):  # Newton's method on sin(t) = x cos(t)
        c, s = self.circle(t := t or Decimal(math.atan(x)))
        return self.arc(x, t + (x * c - s) / (c + x * s), steps - 1) if steps else t
def evaluated(rows, point, found):  # append the values of the formulas after those found; None where one is not known
    values = {"symbol": point.symbol, "sum": point.exact, "product": point.exact, "sqrt": point.root, "atan": point.arc}
    values.update(cos=lambda x: point.circle(x)[0], sin=lambda x: point.circle(x)[1])
    for op, first, *more in rows[len(found) :]:  # symbol, name; sum, constant, factor, row, ...; product likewise, with
        need(op in values and (op != "symbol" or first.isidentifier()), f"formulas with {op} {first!r} are not read")
        given = [first] if isinstance(first, str) else [found[first]]  # exponents; the others, the row of an argument
        terms = [found[k] for k in more[1::2]]
        value = values[op](*given) if None not in (*given, *terms) else None  # over a parameter without a value
        for x, k in zip(terms, more[::2] if value is not None else []):
            value = value + x * point.exact(k) if op == "sum" else value * x**k
        found.append(value)
    return found
def unit(n): return [[int(i == k) for k in range(n)] for i in range(n)]
XYZ, UNIT, RIGHT = range(3), unit(3), [(1, 0), (0, 1), (-1, 0), (0, -1)]  # cos, sin of quarter turns
def skew(a): return [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]
def times(R, x): return [sum(a * b for a, b in zip(row, x)) for row in R]
def cross(a, b): return times(skew(a), b)
def plus(*vectors): return [sum(x) for x in zip(*vectors)]
def flipped(R): return [list(column) for column in zip(*R)]
def product(A, B): return flipped([times(A, column) for column in zip(*B)])
def flat(rows): return [x for row in rows for x in row]
def combined(a, b, c, v): return [[a * UNIT[i][j] + b * skew(v)[i][j] + c * v[i] * v[j] for j in XYZ] for i in XYZ]
def turn(axis, c, s): return combined(c, s, 1 - c, axis)  # Rodrigues' formula
def turned(x, y, z, w): return combined(1 - 2 * (x * x + y * y + z * z), 2 * w, 2, [x, y, z])  # a unit quaternion's
def seen(R, p, v): return times(flipped(R), v[:3]) + times(flipped(R), plus(v[3:], cross(v[:3], p)))  # at R, p
def carried(v, s): return cross(v[:3], s[:3]) + plus(cross(v[:3], s[3:]), cross(v[3:], s[:3]))  # of s that moves with v
class Arm:  # the model at one state: poses of all joints in their parents, and Newton-Euler on them
    def __init__(self, model, point, formulas):
        self.model, self.point, self.formulas, self.joints = model, point, formulas, model["joints"]
        self.n = 1 + max(flat(joint["rates"] for joint in self.joints))
        self.at, self.moves = zip(*map(self.joint, self.joints))
    def values(self, places): return [self.formulas[k] for k in places]
    def placed(self, place):
        angles = [RIGHT[n % 4] if k is None else self.point.circle(self.formulas[k]) for _, n, k in place["turns"]]
        turns = [turn(UNIT[axis], c, s) for (axis, *_), (c, s) in zip(place["turns"], angles)]
        return functools.reduce(product, turns, UNIT), self.values(place["p"])
    def joint(self, joint):  # its pose in its parent, and its motions [angular, linear] at unit rates
        (R, p), names = self.placed(joint), joint["positions"]
        offset, *axis = self.values([joint["offset"], *joint["axis"], *joint["slide"]])
        if len(names) == len(joint["rates"]):  # its own coordinate, or those that it follows
            q = sum(self.point.symbol(name) * self.formulas[k] for name, k in zip(names, joint["ratio"])) + offset
            Q = UNIT if joint["kind"] == "prismatic" else turn(axis[:3], *self.point.circle(q))
            x, moves = [a * q for a in axis[3:]], [[self.formulas[k] * a for a in axis] for k in joint["ratio"]]
        else:  # a unit quaternion, of a free joint behind its place
            Q, x = turned(*self.point.quaternion(names[-4:])), [self.point.symbol(name) for name in names[:-4]]
            moves = (unit(6)[3:] + unit(6)[:3])[-len(joint["rates"]):]
        return (product(R, Q), plus(p, times(R, x))), moves
    def motion(self, i, rates):  # of joint i at rates of the independent coordinates
        return times(flipped(self.moves[i]), [rates[k] for k in self.joints[i]["rates"]])
    def torque(self, qd=None, qdd=None, gravity=True, inertia=None):  # Newton-Euler in link frames
        v, a, f, tau, none = [], [], [], [0] * self.n, [0] * max(self.n, 6)
        up, qd, qdd = [0] * 3 + [-g * gravity for g in self.values(self.model["gravity"])], qd or none, qdd or none
        for i, (joint, (R, p)) in enumerate(zip(self.joints, self.at)):
            k, own = joint["parent"], self.motion(i, qd)
            v.append(plus(seen(R, p, v[k] if k >= 0 else none[:6]), own))
            a.append(plus(seen(R, p, a[k] if k >= 0 else up), self.motion(i, qdd), carried(v[i], own)))
            m, hx, hy, hz, xx, xy, yy, xz, yz, zz = inertia[i] if inertia else self.values(joint["inertia"])
            M = [[*row, *c] for row, c in zip([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], skew([hx, hy, hz]))]
            M += [[*c, *(m * e for e in row)] for c, row in zip(skew([-hx, -hy, -hz]), UNIT)]
            w, u, L, H = v[i][:3], v[i][3:], times(M, v[i])[:3], times(M, v[i])[3:]
            f.append(plus(times(M, a[i]), plus(cross(w, L), cross(u, H)) + cross(w, H)))
        for i, joint in reversed(list(enumerate(self.joints))):
            (R, p), k, n, h = self.at[i], joint["parent"], f[i][:3], f[i][3:]
            for rate, x in zip(joint["rates"], times(self.moves[i], f[i])): tau[rate] = tau[rate] + x
            if k >= 0: f[k] = plus(f[k], times(R, n) + times(R, h), cross(p, times(R, h)) + [0] * 3)
        for i, k, j, *by in [] if inertia else self.model["rotors"]:  # other inertias come without rotors
            tau[i] = tau[i] + self.formulas[k] * (qd[j] * qd[by[0]] if by else qdd[j])
        return tau
    def frame(self, name):  # the pose of a frame in the world, and its [linear, angular] velocities at unit rates
        [place], moved = [x for x in self.model["frames"] if x["name"] == name], [[0] * 6 for _ in range(self.n)]
        (R, p), i = self.placed(place), place["parent"]
        while i >= 0:  # from the frame to the base, all in the axes of link i
            (A, a), joint = self.at[i], self.joints[i]
            for k, x in zip(joint["rates"], self.moves[i]): moved[k] = plus(moved[k], plus(x[3:], cross(x, p)) + x[:3])
            moved = [times(A, x[:3]) + times(A, x[3:]) for x in moved]
            R, p, i = product(A, R), plus(a, times(A, p)), joint["parent"]
        return R, p, moved
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
    def inverse_dynamics_derivatives(self): return self.derivatives(self.inverse_dynamics, "qdd")
    def forward_dynamics_derivatives(self): return self.derivatives(self.forward_dynamics, "tau")
    def columns(self, arm): return [arm.torque(None, one, gravity=False) for one in unit(arm.n)]
    def forward_dynamics(self, rates=None):
        arm = self.arm(rates)
        return solved(self.columns(arm), [t - b for t, b in zip(self.given["tau"], arm.torque(self.given["qd"]))])
    def explicit(self):  # M_ij (i <= j), b_ijk (j < k), c_ij and g_i
        n, M, e = range((arm := self.arm()).n), self.columns(arm), unit(arm.n)
        c = [[arm.torque([max(x) for x in zip(e[j], e[k])], gravity=False) for k in n] for j in n]  # rates j, k are one
        b = [c[j][k][i] - c[j][j][i] - c[k][k][i] for i in n for j in n for k in n if j < k]
        return [M[j][i] for i in n for j in n if i <= j] + b + [c[j][j][i] for i in n for j in n] + arm.torque()
    def regressor(self):
        arm, e = self.arm(), unit(10 * len(self.model["joints"]))
        ones = [[one[k : k + 10] for k in range(0, len(one), 10)] for one in e]  # ten numbers for each link
        return flat(flipped([arm.torque(self.given["qd"], self.given["qdd"], inertia=one) for one in ones]))
    def forward_kinematics(self, at): return flat([*R, x] for R, x in zip(*self.arm().frame(at)[:2])) + [0, 0, 0, 1]
    def jacobian(self, frame): return flat(flipped(self.arm().frame(frame)[2]))
    def derivatives(self, function, last):  # by q, qd and the last argument, side by side
        arm, given = self.arm(), self.function["arguments"]
        ways = [*(self.direction(arm, k) for k in range(arm.n)), *({name: 1} for name in [*given["qd"], *given[last]])]
        return flat(flipped([[F(x.d, n=8 * x.n) for x in function(rates)] for rates in ways]))
    def direction(self, arm, k):  # how the positions move when independent rate k is one: {symbol: rate}
        joint = next(joint for joint in arm.joints if k in joint["rates"])
        names, e = joint["positions"], [int(i == k) for i in joint["rates"]]
        if len(names) > len(e):  # a free joint: its place, then its quaternion
            (x, y, z, w), (a, b, c) = (arm.point.known[q][0] for q in names[-4:]), (u * pow(2, -1, P) for u in e[-3:])
            spin = [*plus([w * a, w * b, w * c], cross([x, y, z], [a, b, c])), -(x * a + y * b + z * c)]
            e = [*(times(turned(x, y, z, w), e[:3]) if len(e) > 3 else []), *spin]
        return dict(zip(names, e))
LITERAL = re.compile(r"(?<![\w.])(\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(f?)(?!\w)", re.A)
TOKEN = re.compile(rf"{LITERAL.pattern}|(?!float\b)[a-zA-Z_]\w*(?:->\w+)?(?:\[\d+\])?|[-+*/](?![-+*/])|[(), ]", re.A)
SUMS = {"SIN_SUM": (1, 1), "COS_SUM": (0, -1), "SIN_DIFFERENCE": (1, -1), "COS_DIFFERENCE": (0, 1)}
DO = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "USub": operator.neg}
FUNCTION = r"^(static |\w+_PART |)void (\w+)\((.*)\)\s\{\n((?s:.*?))\n\}$"
def digest(text): return hashlib.sha256(text.encode()).hexdigest()
def plain(source):  # C without remarks; whatever a compiler could read in another way than this file is refused
    bare = re.sub(r'("[^"\n]*"|//)|/\*(?s:.*?)\*/', lambda m: m[1] or " ", source)
    odd = re.search(r"\\|\?\?", source) or re.search(r"[^\n -~]|//|/\*|(?:\[|[<=+] )0\d", bare)
    need(not odd, f"C with {odd and odd[0]!r} is not read here")
    return bare
class Text:  # the functions of a source, {name: (parameters, rows)}, and all other lines
    def __init__(self, source, certificate):
        self.R, self.real, self.literals = (certificate[key] for key in ("prefix", "precision", "literals"))
        self.functions, self.point, self.rest = {}, None, source
        for m in re.finditer(FUNCTION, source, re.M):
            if m[2] in self.literals and m[2] not in self.functions:
                need(m[1] or m[2] in certificate["functions"], f"the certificate does not say what {m[2]} is")
                self.rest = self.rest.replace(m[0], "", 1)
                self.functions[m[2]] = m[3], [row.strip() for row in m[4].split("\n")]
    def handed(self, init): return sum(row.startswith("k[") for row in self.functions[init][1])  # how many constants
    def others(self, certificate, bare, header):  # paragraphs of lines outside functions, without those of the robot
        R, inits = self.R, {f["member"]: f["init"] for f in certificate["functions"].values() if f["init"]}
        own = [f"{head};" for head in re.findall(r"^void \w+\(.*\)$", bare, re.M)] if header else []
        if f"void {R}_init(" in bare:  # run-time parameters: their places and values, the constants computed from them
            values = [(s, certificate["values"].get(s, "(double)NAN")) for s in certificate["parameters"]]
            own += flat([f"{R}_PARAMETER_{symbol} = {k},", f"parameters[{k}] = {f'({x})' if x[0] == '-' else x};"]
                        for k, (symbol, x) in enumerate(values))
            own += flat([f"{self.real} {member}[{self.handed(init)}];", f"{init}(k->{member}, parameters);"]
                        for member, init in inits.items()) or ["(void)k;", "(void)parameters;", f"{self.real} nothing;"]
            own += [f"{R}_PARAMETERS = {len(values)}", *["(void)parameters;"] * (not values)]
        rows = [row.strip() for row in [*plain(header).split("\n"), "", *self.rest.split("\n")]]
        for row in own: rows.remove(row)
        named = re.sub(rf"\b{R}(?=_|\.h)", "R", re.sub(rf"\b{R.upper()}_H\b", "R_H", "\n".join(rows)))
        return re.split(r"\n\n+", re.sub(r"#if R_VECTORS\n+#endif\n", "", named).strip())
def rows(source): return [digest(row.strip())[:4] for row in source.split("\n")]  # hashes of all lines
def changed(source, known):  # function and line of the first line that is not the known one
    k = next((k for k, (row, old) in enumerate(itertools.zip_longest(rows(source), known), 1) if row != old), None)
    above = re.findall(r"^\w.*?(\w+)[(\[].*[){:]$", "\n".join(source.split("\n")[:k]), re.M)
    return k and f"{above[-1] if above else 'text'}, line {k}"
class Run:  # the statements of a text at a point; ``names`` holds the value of everything that was assigned
    def __init__(self, *given): self.text, self.formulas, self.point, self.names = given
    left = head = real = f = None  # of the function that is run: its numbers, parameters, type and its mark on numbers
    def expressions(self, text):  # the values of C expressions with commas between them; these read the same in Python
        known = "".join(m[0] for m in TOKEN.finditer(text)) == text
        need(known and {f for _, f in LITERAL.findall(text)} <= {self.f}, f"an expression of another form: {text[:60]}")
        python = LITERAL.sub(r"float(\1)", text).replace("->", ".")
        return [self.value(item) for item in ast.parse(f"[{python}]", mode="eval").body.elts]
    def value(self, e):
        if operation := DO.get(type(getattr(e, "op", e)).__name__):
            return operation(*map(self.value, [e.left, e.right] if hasattr(e, "left") else [e.operand]))
        return self.called(ast.unparse(e.func), e.args) if isinstance(e, ast.Call) else self.names[ast.unparse(e)]
    def called(self, name, arguments):
        if name == "float":  # a literal: a formula, its sine or cosine, or just itself
            sign, k, function = next(self.left) or (1, None, "")
            value = Fraction(arguments[0].value) if k is None else self.formulas[k]
            return sign * (self.point.circle(value)[function == "sin"] if function else value)
        values, short = [self.value(argument) for argument in arguments], name[len(self.text.R) + 1 :]
        if name in (f"sin{self.f}", f"cos{self.f}"): return self.point.circle(*values)[name[0] == "s"]
        if name == f"{self.text.R}_{short}" and short in SUMS:
            (sa, ca, sb, cb), (sine, sign) = values, SUMS[short]
            return sa * cb + sign * ca * sb if sine else ca * cb + sign * sa * sb
        raise Refused(f"there is no exact value of {name}()")
    def function(self, name, head, real):  # run a function with these parameters; its outputs are in ``names`` then
        (found, rows), outer = self.text.functions[name], (self.left, self.head, self.real, self.f)
        need(found == head, f"{name} has not the parameters that it should have: {head}")
        self.left, self.head, self.real, self.f = iter(self.text.literals[name]), head, real, "f" * (real == "float")
        while rows: rows = rows[self.statement(rows[0], rows[1:]) :]
        need(next(self.left, self) is self, "fewer numbers than it should have")
        self.left, self.head, self.real, self.f = outer
    def outputs(self, name, function, size):  # run a function of the robot; return its outputs
        R, real, y, init = self.text.R, self.text.real, function["result"], function["init"]
        if init:
            self.sizes = {"k": self.text.handed(init)}
            self.function(init, f"{real} *k, const double *p", "double")
            self.names.update({f"k.{function['member']}{n[1:]}": x for n, x in [*self.names.items()] if n[:2] == "k["})
        self.sizes = {y: size, "constant": math.inf}
        given = [f"const {R}_constants *k"] * (f"void {R}_init(" in self.text.rest)
        given += [f"const {real} *{R}_RESTRICT {argument}" for argument in function["arguments"]]
        self.function(name, ", ".join([*given, f"{real} *{R}_RESTRICT {y}"]), real)
        return {key: x for key, x in self.names.items() if key.startswith(f"{y}[")}
    def assign(self, array, index, value):  # to a name, or to a place of an array that has it
        need(index is None or int(index) < self.sizes.get(array, 0), f"{array}[{index}] is not to be written")
        self.names[array if index is None else f"{array}[{int(index)}]"] = value
    def statement(self, row, after):  # take one statement; return how many lines it has
        R, real, cast = self.text.R, self.real, r"(?:\(float\))?" * (self.text.real == "float")
        if m := re.fullmatch(rf"(?:const {real} )?(\w+)(?:\[(\d+)\]|(?<=\d)) = {cast}([^{{]*?);", row):
            self.assign(m[1], m[2], *self.expressions(m[3]))
        elif m := re.fullmatch(rf"const {real} x(\w*)\[(\d+)\] = \{{(.*)\}};", row):
            return 1 + self.sines(m[1], int(m[2]), self.expressions(m[3]), after)
        elif m := re.fullmatch(rf"{R}_store_two\(&(\w+)\[(\d+)\], (.*)\);", row):
            for k, value in enumerate(self.expressions(m[3]), int(m[2])): self.assign(m[1], k, value)
        elif m := re.fullmatch(r"for \(int i = (\d+); i < (\d+); \+\+i\)", row):
            array, value = re.fullmatch(r"(\w+)\[i\] = (.*);", after[0]).groups()
            [value] = self.expressions(value)
            for k in range(int(m[1]), int(m[2])): self.assign(array, k, value)
            return 2
        elif m := re.fullmatch(rf"{real} live\[(\d+)\];", row): self.sizes["live"] = int(m[1])
        elif (m := re.fullmatch(r"(\w+)\((.*)\);", row)) and m[1] in self.text.functions:
            head = "constant" if m[2] == "constant" else f"{self.head}, {real} *{R}_RESTRICT live"
            need(m[2] == ", ".join(re.findall(r"(\w+)(?:,|$)", head)), f"{m[1]} is called with {m[2]}")
            self.function(m[1], head, real)
        else: need(not row or re.fullmatch(r"\(void\)\w+;", row), f"a statement of another form: {row[:60]}")
        return 1
    def sines(self, mark, size, angles, after):  # take the lines that compute the sines and cosines of angles
        f, R, (x, s, c), far = self.f, self.text.R, (f"{letter}{mark}" for letter in "xsc"), f"far{mark}"
        groups, count = range(0, size, 8 if f else 4), sum(row.startswith(f"{s}[") for row in after[: after.index("}")])
        block = [f"{self.real} {s}[{size}], {c}[{size}];", f"#if {R}_VECTORS", f"{R}_angle_bits {far} = {{0}};",
                 *(f"{R}_mark_group({x} + {k}, &{far});" for k in groups), f"if (!{R}_marked(&{far})) {{",
                 *(f"{R}_sincos_group({x} + {k}, {s} + {k}, {c} + {k});" for k in groups), "} else", "#endif", "{",
                 *(f"{s}[{k}] = sin{f}({x}[{k}]), {c}[{k}] = cos{f}({x}[{k}]);" for k in range(count)), "}"]
        known = after[: len(block)] == block and count <= len(angles) == size
        need(known and not any(number(x).v for x in angles[count:]), "the sines are not computed in the known way")
        for k in range(count): self.names[f"{c}[{k}]"], self.names[f"{s}[{k}]"] = self.point.circle(angles[k])
        return len(block)
def seed(certificate): return digest(json.dumps({**certificate, "seed": "", "result": ""}, sort_keys=True))
def random_point(certificate):  # a point at which all roots exist, and the values of the formulas there
    rows, point, found, last = certificate["formulas"], RandomPoint(seed(certificate)), [], []
    for k, (op, *given) in enumerate(rows):  # the row of the last symbol that a formula depends on; before a root that
        last.append(k if op == "symbol" else max([last[j] for j in given[::2] if j in range(k)], default=-1))
    for _ in range(2000):  # is missing, that symbol is drawn again: the roots over earlier symbols stay
        try: return point, evaluated(rows, point, found)
        except ArithmeticError: need((k := last[len(found)]) >= 0, "a constant has no root in the field", Unknown)
        del point.known[rows[k][1]], found[k:]
    raise Unknown("no point was found at which all roots exist")
def asked(function): return " and ".join(" of ".join([question, *frame]) for question, frame, _ in function["parts"])
def proved(certificate, text, name):  # the degree of a function that is what it should be at the random point
    function, text.point = certificate["functions"][name], text.point or random_point(certificate)
    (point, formulas), given, parts = text.point, function["arguments"], function["parts"]
    for part in parts: need(hasattr(Reference, part[0]), f"this checker has no reference for {part[0]}", Unknown)
    expected = flat(getattr(Reference(certificate["models"][model], function, point, formulas), question)(*frame)
                    for question, frame, model in parts)
    constants = {*certificate["parameters"], *(row[1] for row in certificate["formulas"] if row[0] == "symbol")}
    ordered = [(a, [f"{a}{k + 1}" for k in range(len(given[a]))]) for a in ("q", "qd", "qdd", "tau") if a in given]
    need([*given.items()] == ordered and not constants & {*flat(given.values())}, f"{name} has other arguments")
    inputs, point.rates = {"p": certificate["parameters"], **given}, {}
    names = {f"{vector}[{k}]": point.symbol(s) for vector, symbols in inputs.items() for k, s in enumerate(symbols)}
    try: found = Run(text, formulas, point, names).outputs(name, function, len(expected))
    except Unknown as reason: raise Refused(reason)
    both = [(number(x), number(found.get(f"{function['result']}[{k}]", x + 1))) for k, x in enumerate(expected)]
    for k, (a, b) in enumerate(both): need(a.v == b.v, f"output {k} of {name} is not {asked(function)}")
    return max(2, *(a.n + b.n for a, b in both)) << sum(op in ("sqrt", "atan") for op, *_ in certificate["formulas"])
def literals_checked(certificate, text):  # a literal is its formula to one unit in the last place
    real = evaluated(certificate["formulas"], RealPoint(certificate["values"]), [])
    for name, entries in certificate["literals"].items():
        found = LITERAL.findall("\n".join(text.functions[name][1]))
        for (digits, single), (sign, k, function) in [(x, entry) for x, entry in zip(found, entries) if entry]:
            need(real[k] is not None, f"{digits} stands for a parameter without a value")
            exact = sign * (RealPoint({}).circle(real[k])[function == "sin"] if function else real[k])
            last = 2.0 ** (math.frexp(float(digits))[1] - 24) if single else math.ulp(float(digits))
            need(abs(Decimal(float(digits)) - exact) <= max(Decimal(last), TINY), f"{digits} is not its formula")
def check(certificate, source, header=""):  # one sentence for each function; raises Refused with function and line
    need(digest(source) == certificate["source"], f"{certificate['file']} is another text: its hash differs")
    place = changed(source, re.findall("....", certificate["rows"]))
    try:
        bare = in_c = plain(source) if certificate["file"].endswith(".c") else source
        if certificate["translated"]:  # a file beside this one writes Python, JavaScript and batches as C of one state
            in_c = runpy.run_path(str(pathlib.Path(__file__).with_name("as_c.py")))["as_c"](certificate, bare)
        text = Text(in_c, certificate)
        kind, others = certificate["file"][-2:] + text.real, text.others(certificate, bare, header)
        some = [x for x in others if digest(kind + x)[:19] not in KNOWN]  # helpers are known alone, the rest at once
        known = any(digest(" ".join([kind, *rest]))[:19] in KNOWN for rest in (others, some))
        need(known, "there are other lines outside the functions of the robot than there should be")
        literals_checked(certificate, text)
        for key, value in (("seed", seed(certificate)), ("result", said := checked(certificate, text))):
            need(certificate.get(key, value) == value, f"the certificate states another {key}")
        need(not place, "this line is not that of the certificate, although all results are still right")
        return said
    except Exception as error:  # whatever goes wrong, the text is not proved
        why = error if isinstance(error, Refused) else f"it cannot be read, {error!r}"
        raise Refused(f"{place or 'certificate (no line of the text differs)'}: {why}") from None
def checked(certificate, text):
    said = []
    for name, function in certificate["functions"].items():
        try:
            odds = min(function["points"], 1) * (521 - math.ceil(math.log2(proved(certificate, text, name))))
            need(odds >= ODDS, f"{name}: {function['points']} points leave a chance of 2^-{odds}, above 2^-{ODDS}")
            said.append(f"{name}: equals {asked(function)} at a random point; degree below 2^{521 - odds}, "
                        f"modulo 2^521 - 1; chance of an error 2^-{odds}")
        except Unknown as reason: said.append(f"{name}: NOT CHECKED, {reason}")
    return said
def opened(folder):  # the certificate of a directory, its text and, of C, its header
    [place] = folder.glob("*.proof.json")
    certificate = json.loads(place.read_text(encoding="utf-8"))
    R, file = certificate["prefix"], certificate["file"]
    named = f"{R}.proof.json" == place.name and file in (f"{R}.c", f"{R}_dynamics.py", f"{R}_dynamics.mjs")
    need(named and re.fullmatch(r"[a-zA-Z_]\w*", R, re.A), f"{place.name} is not the certificate of {file!r}")
    names = [file, f"{R}.h"] if file.endswith(".c") else [file]
    return certificate, *((folder / name).read_bytes().decode().replace("\r\n", "\n") for name in names)
def main(words):
    try:
        certificate, *texts = opened(pathlib.Path(words[0]) if words else pathlib.Path(__file__).parent)
        robots = [hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest() for file in words[1:]]
        need({*robots} <= {certificate["robot_file"]}, "the certificate is of another robot file: its hash differs")
        print("\n".join(ascii(said)[1:-1] for said in check(certificate, *texts)))
    except Exception as error:
        return print(f"refused: {error if isinstance(error, Refused) else f'no certificate is read, {error!r}'}") or 1
KNOWN = set("""
0511db5fd0e5755225a 0a88f0858e06cf8a72d 0cf26a74e07d6430dfd 169986f58c553e03dd9 1ccabc628500cace273 4638632113267d50153
515c5641967b1f290ed 5ab09f0edaafc976fc6 6134a919e8ff273d4f8 62f6068af470fe929f2 645e795826645a57926 72658a6c87431593b46
7f866120f0b343e6731 8926c89192c43a79974 9ada47a36c7145ee8c7 9f0527f38c1530bc1a8 ad5f903d9db21590e0b af0290bb2050df5e126
c0d5f83d04dbbf2dff3 c80756bf15edd8cffa9 d7649b663b739d49420 ddd4e126c7aeb71a531 fce95e3dad5cee24aa1 fdf4144213b61fc52d9
""".split())  # hashes of lines that are the same for every robot: includes, sines, stores
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
