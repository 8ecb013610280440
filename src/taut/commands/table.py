"""The commands as the help lists them; the module of a command is imported when it is run, for a quick start."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from taut.commands.command import Command


@dataclass(frozen=True)
class Entry:
    """The help of a command.

    Attributes:
        name: the verb, and the module in this folder that holds its :class:`taut.commands.command.Command`.
        summary: what it does, in one line.
        examples: lines a reader can type, each followed by what it does.
    """

    name: str
    summary: str
    examples: tuple[str, ...]

    @property
    def command(self) -> Command:
        """The command's arguments and what it does, imported now."""
        found: Command = import_module(f"taut.commands.{self.name}").COMMAND
        return found


ENTRIES = (
    Entry(
        "list",
        "list the robots taut brings along",
        (
            "taut list",
            "taut list --functions",
            "taut list --json",
        ),
    ),
    Entry(
        "show",
        "show a robot: tree, geometry, inertias, limits, drives",
        (
            "taut show puma560   tables and a drawing in text",
            "taut show arm.urdf --check   exit code 1 when a link could not exist",
            "taut show quadruped.urdf --base free   with its base floating; --lock JOINT=VALUE holds a joint",
            "taut show arm.urdf --parameters   every number by name, with unit, body and reference point",
            "taut show puma560 --json   the same for a program",
            "taut show puma560 --plot puma.png   a picture (needs matplotlib)",
        ),
    ),
    Entry(
        "derive",
        "derive a function of a robot as exact equations with few operations",
        (
            "taut derive puma560 --function gravity   the equations, and the count after every pass",
            "taut derive puma560 --explain   the counts alone",
            "taut derive panda --parameters symbolic -o panda.txt   into a file",
            "taut derive ur5e --objective cycles --effort max   what runs fastest here, not what counts least",
            "taut derive scara --function mass_matrix --program   one operation a line, with its stage",
            "taut derive puma560 --form explicit --latex -o p.tex   M, b, c and g element by element, for a reader",
            "taut derive puma560 --form hierarchy   the same by constants K, terms T and V, as EMDEG does",
            "taut derive stanford_rrp --form matrices   M, B, C, G and the products and squares of rates",
            "taut derive stanford --form kinematics   pose, Jacobian, its inverse, singular configurations",
        ),
    ),
    Entry(
        "count",
        "count the operations of a robot's tightened functions",
        (
            "taut count puma560   torque: mul, add, total, trig, depth",
            "taut count panda --function all --effort none   every function, without search",
            "taut count puma560 --effort max --budget 300s --fresh   searched for five minutes, nothing known before",
            "taut count iiwa14 --parameters symbolic --json   ten free parameters a link, for a program",
            "taut count arm.urdf --lock gripper=0 --base free   one joint held, base floating",
        ),
    ),
    Entry(
        "compare",
        "compare the papers' algorithms on a robot, as printed and tightened",
        (
            "taut compare puma560   torque: Newton-Euler, Kane, Lagrange, ...",
            "taut compare puma560 --effort none   as traced, without search",
            "taut compare stanford --function mass_matrix --json   for a program",
        ),
    ),
    Entry(
        "abbreviate",
        "leave small terms out of the explicit equations, and measure the torque error",
        (
            "taut abbreviate puma560 --threshold 0.01   Armstrong's rule: 1 % of an element, 0.1 % of a joint",
            "taut abbreviate puma560 --rule torque   no torque off by more than 1 % of the greatest, guaranteed",
            "taut abbreviate puma560 --operations 200   the most accurate model of 200 operations",
            "taut abbreviate stanford --scenario task.toml   where the robot file lacks limits, or a task is narrower",
            "taut abbreviate puma560 --plot curve.svg   operations against error",
        ),
    ),
    Entry(
        "generate",
        "write a robot's functions as code that was run and compared first",
        (
            "taut generate ur5e -o ur5e   C for one state: source, header, self-test, page",
            "taut generate panda -o out --functions inverse_dynamics --batch --effort max",
            "taut generate puma560 -o out --parameters symbolic   numbers of the robot read at run time",
            "taut generate panda -o out --keep m7,rz7   these two at run time, the rest in the code",
            "taut generate ur5e -o out --load flange   a load as an input of every function",
            "taut generate scara -o out --functions jacobian:link4 --language python",
            "taut generate panda -o out --tasks two-rate   background tasks and a small synchronous one",
            "taut generate puma560 -o out --form hierarchy   constants K, terms T and V, elements, as printed",
            "taut generate puma560 -o out --abbreviate 0.01   small terms left out, error bound in the comments",
            "taut generate puma560 -o out --abbreviate 0.01 --tasks two-rate",
        ),
    ),
    Entry(
        "verify",
        "check generated C against its certificate",
        (
            "taut verify out   every function of the text against the model of its certificate",
            "taut verify out arm.urdf   also that the model is that of this robot",
        ),
    ),
    Entry(
        "rates",
        "attainable rates of tasks on a processor, and the torque error of values held between their runs",
        (
            "taut rates puma560 --flops 100k --schedule 4:1   on the processor of Armstrong's Table 2",
            "taut rates panda --measure --rate 1k --schedule 10:1   utilisation of this machine at 1 kHz",
            "taut rates ur5e --trajectory motion.csv --json   errors along a motion of yours",
            "taut rates puma560 --processors 1,2,4,6   torque on several processors, two forms of it",
        ),
    ),
    Entry(
        "measure",
        "turn raw measurements of a robot's parts into a robot file with tolerances",
        (
            "taut measure sheet.toml -o robot.toml   quantities, cross-checks, and the robot file",
            "taut measure sheet.toml --json   the same for a program",
        ),
    ),
    Entry(
        "calibrate",
        "fit a robot's geometry to measured poses",
        (
            "taut calibrate ur5e poses.csv --offsets   joint offsets alone",
            "taut calibrate arm.urdf poses.csv -o corrected.urdf   lengths, twists, offsets, base and tool",
            "taut calibrate panda poses.csv --next 10 -o next.csv   ten more poses to measure",
            "taut calibrate panda poses.csv --json   the same for a program",
        ),
    ),
    Entry(
        "excite",
        "a trajectory within the limits that excites every parameter, to record and identify from",
        (
            "taut excite panda -o excite.csv   ten seconds at 100 Hz, at rest at both ends",
            "taut excite arm.toml -o e.csv --period 20 --form polynomial",
            "taut excite arm.toml -o next.csv --after log.csv   what to record next, given what was",
        ),
    ),
    Entry(
        "identify",
        "fit inertias and friction to recordings; held-out errors, report, code",
        (
            "taut identify arm.toml log.csv   columns t, q1.., tau1..; the last 30 % held out",
            "taut identify arm.toml log.csv -o fitted   fitted robot as TOML, URDF and C, with a report",
            "taut identify arm.urdf a.npz b.npz --test c.npz --json",
            "taut identify arm.toml log.mcap --mapping drives.toml --blocks",
            "taut identify arm.toml empty.csv --payload loaded.csv",
        ),
    ),
    Entry(
        "validate",
        "errors of a robot's torques on recordings; two models side by side",
        (
            "taut validate fitted/robot.toml other.csv   RMSE in % of the RMS torque for each joint",
            "taut validate fitted/robot.toml other.csv --beside cad.toml   errors and parameters of both",
            "taut validate fitted/robot.toml loaded.csv --payload   mass, centre and inertia of a load",
            "taut validate arm.urdf log.npz -o page.html   measured and predicted torques on a page",
        ),
    ),
    Entry(
        "simulate",
        "simulate a robot's motion under given torques",
        (
            "taut simulate puma560 -t 2 -o motion.csv   released at rest, no torque",
            "taut simulate ur5e --q0=0,-1,1,0,0,0 --torque tau.csv   under a table of torques",
            "taut simulate pendulum.urdf --base free --qd0=0,0,1,0,0,2,0   a free base",
            "taut simulate panda -t 10 --method DOP853 --step 0.01   with error control",
            "taut simulate puma560 -t 2 --drives --stops --restitution 0.3 --animate fall.html",
        ),
    ),
    Entry(
        "torque",
        "compute the torques along a trajectory",
        (
            "taut torque puma560 motion.csv -o tau.csv   q, qd, qdd by column; differentiated where missing",
            "taut torque ur5e motion.csv --drives --json   with friction, for a program",
            "taut torque puma560 motion.csv --plot tau.svg   every joint's torque by origin, along the motion",
        ),
    ),
    Entry(
        "ik",
        "find the positions at which a frame has a pose",
        (
            "taut ik ur5e --pose=0.4,0.2,0.3,0,3.14159,0   all solutions of the closed form",
            "taut ik panda --pose=0.4,0.1,0.5 --start=0,0,0,-1,0,1,0   a place alone, near a position",
            "taut ik arm.urdf --frame tool0 --pose=0.4,0,0.3,0,0,0 --json",
        ),
    ),
    Entry(
        "report",
        "write a page to read, move and simulate a robot in a browser",
        (
            "taut report puma560 -o puma560.html   equations, counts, simulation, C in one file",
            "taut report arm.urdf --effort none   in seconds, with functions that are not searched",
            "taut report panda --terms 40000   explicit equations, however long",
        ),
    ),
    Entry(
        "bench",
        "time a robot's generated code on this machine, and the packages that are installed",
        (
            "taut bench ur5e   C and Python, Pinocchio, MuJoCo, CasADi, ...",
            "taut bench panda --functions inverse_dynamics,regressor --peers casadi",
            "taut bench puma560 --effort none --peers none --json",
        ),
    ),
    Entry(
        "completion",
        "write a script that completes commands, options and robots in a shell",
        (
            "taut completion bash > ~/.local/share/bash-completion/completions/taut   for bash",
            "taut completion zsh >> ~/.zshrc   for zsh",
            "taut completion fish > ~/.config/fish/completions/taut.fish   for fish",
        ),
    ),
)
"""The commands, in the order of the help."""

TABLE = {entry.name: entry for entry in ENTRIES}
