"""Programs that come with taut, by the structure of a robot."""
