"""FMI 3.0 co-simulation units with their C sources: forward dynamics as a plant, inverse dynamics as a block.

The unit is a ZIP with ``modelDescription.xml`` and ``sources``: the generated C of the function, and ``fmu.c`` with the
interface. Forward dynamics has the torques as inputs and positions and rates as outputs, integrated by the classical
Runge-Kutta method; inverse dynamics has positions, rates and accelerations as inputs and the torques as outputs.
Source: FMI Specification 3.0.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import quoteattr

from taut.emit.c.module import Module
from taut.emit.names import remark
from taut.errors import InputError

DYNAMIC, ALGEBRAIC = "forward_dynamics", "inverse_dynamics"
DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file in the ZIP: the same unit gives the same bytes."""


def fmu_files(module: Module) -> dict[str, str]:
    """Return {name in the ZIP: text} of the unit of a module with one function, numbers written into the code."""
    [routine] = module.routines
    if routine.name not in (DYNAMIC, ALGEBRAIC) or not module.baked:
        advice = f"derive {DYNAMIC} or {ALGEBRAIC} with all numbers in the code"
        raise InputError(f"taut writes no {routine.name} as an FMU", "fmu", advice)
    widths = {name: len(symbols) for name, symbols in routine.arguments.items()}
    if widths["q"] != widths["qd"]:
        raise InputError("an FMU cannot integrate the quaternion of a free joint", "fmu", "fix the base")
    n, dynamic = widths["q"], routine.name == DYNAMIC
    inputs = ["tau"] if dynamic else list(routine.arguments)
    outputs = ["q", "qd"] if dynamic else [routine.result.letter]
    R, code = module.prefix, module.source()
    token = sha256(code.encode()).hexdigest()[:32]
    known = {
        "R": R,
        "function": routine.name,
        "n": n,
        "inputs": n * len(inputs),
        "outputs": n * len(outputs),
        "dynamic": int(dynamic),
        "token": token,
        "pointers": ", ".join(f"given + {n * k}" for k in range(len(inputs))),
    }
    interface = (files("taut") / "emit" / "fmu" / "fmu.c").read_text("utf-8")
    for key, value in known.items():
        interface = interface.replace(f"@{key}@", str(value))
    return {
        "modelDescription.xml": _description(module, token, inputs, outputs, n, dynamic),
        "sources/buildDescription.xml": _build(R),
        "sources/fmu.c": interface,
        f"sources/{R}.c": code,
        f"sources/{R}.h": module.header(),
    }


def write_fmu(path: str | Path, texts: dict[str, str]) -> None:
    """Write the ZIP of a unit."""
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in texts.items():
                archive.writestr(zipfile.ZipInfo(name, DATE), text)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", str(path), "name a file that you may write") from None


def _description(
    module: Module, token: str, inputs: Sequence[str], outputs: Sequence[str], n: int, dynamic: bool
) -> str:
    """Return modelDescription.xml."""
    rows, unknown, reference = [], [], 2
    for name in inputs:
        for k in range(n):
            rows.append(f'<Float64 name="{name}{k + 1}" valueReference="{reference}" causality="input" start="0"/>')
            reference += 1
    for name in outputs:
        for k in range(n):
            start = 'initial="exact" start="0"' if dynamic else 'initial="calculated"'
            rows.append(f'<Float64 name="{name}{k + 1}" valueReference="{reference}" causality="output" {start}/>')
            unknown.append(reference)
            reference += 1
    structure = [f'<Output valueReference="{k}"/>' for k in unknown]
    structure += [] if dynamic else [f'<InitialUnknown valueReference="{k}"/>' for k in unknown]
    listed, shown = "\n    ".join(rows), "\n    ".join(structure)
    about = quoteattr(f"{module.routines[0].name} of {remark(module.robot)}")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(module.prefix)} instantiationToken="{token}"
    description={about} generationTool="taut" variableNamingConvention="flat">
  <CoSimulation modelIdentifier="{module.prefix}" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="step" valueReference="1" causality="parameter" variability="fixed" start="0.001"
        description="largest step of the integrator [s]"/>
    {listed}
  </ModelVariables>
  <ModelStructure>
    {shown}
  </ModelStructure>
</fmiModelDescription>
"""


def _build(prefix: str) -> str:
    """Return buildDescription.xml."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiBuildDescription fmiVersion="3.0">
  <BuildConfiguration modelIdentifier="{prefix}">
    <SourceFileSet language="C99">
      <SourceFile name="fmu.c"/>
      <SourceFile name="{prefix}.c"/>
    </SourceFileSet>
  </BuildConfiguration>
</fmiBuildDescription>
"""
