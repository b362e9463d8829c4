"""What every code saves on the tensors in ``data/``: ``make study``."""
