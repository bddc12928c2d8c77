"""Text of any origin, made fit to be shown: beside nodes and over clusters."""
