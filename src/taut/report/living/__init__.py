"""The living report: one self-contained page of a robot, with its equations, its motion and its code."""
