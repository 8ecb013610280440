"""The explicit equations of motion: every element of M, b, c and g as a sum a person can read."""

from taut.explicit.build import explicit as explicit
from taut.explicit.build import explicit_size as explicit_size
from taut.explicit.model import Element as Element
from taut.explicit.model import ExplicitModel as ExplicitModel
from taut.explicit.model import LumpedConstant as LumpedConstant
from taut.explicit.model import Relation as Relation
from taut.explicit.model import Term as Term
