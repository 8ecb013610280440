"""Names for the numbers of a robot: which are symbols, which are zero or equal, and the robot in these symbols."""
