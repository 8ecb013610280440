"""How does generated code run here?  Knows neither robots nor expressions."""
