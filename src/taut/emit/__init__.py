"""How is a program written down?  One small file a language; all say what ``Program.evaluate`` says."""
