"""What a robot's torques tell about its inertial parameters."""
