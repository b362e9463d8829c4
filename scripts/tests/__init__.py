"""Tests of the scripts, of what they write, and of the project's own files."""
