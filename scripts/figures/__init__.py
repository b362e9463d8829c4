"""docs/figures.md and README's table, from what synthesis and bench measured: ``make figures``."""
