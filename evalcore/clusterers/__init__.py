"""Clusterers whose solutions the measures judge: Li and Abe; Pereira, Tishby and Lee; k-means and others."""
