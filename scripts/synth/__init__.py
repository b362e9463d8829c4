"""Synthesis of the RTL, and its results: ``make synth``."""
