"""What the pages share: state, the matrix grid, figures, exports, the solution tray."""
