"""Functions of a robot as tasks that run at rates of their own: background tasks and a synchronous one."""
