"""The printed case: one file of dimensions, one OpenSCAD source, and the checks that all fits."""
