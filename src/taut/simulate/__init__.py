"""Motion of a robot under given torques: integrators, torques, results."""
