"""What may be rewritten?  Passes from program to program, each exact."""
