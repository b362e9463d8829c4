"""Verification components shared by all benches."""
