"""The functions a robot can be asked for: one record each, one file a family, one table of arguments.

A family file has a tuple ``QUESTIONS``; :mod:`taut.questions.table` finds it. A record holds what the function takes,
what it returns, by which algorithms it is computed and how it is tightened; every other part of taut reads it there.
"""
