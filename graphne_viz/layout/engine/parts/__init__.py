"""The parts of a graph on their way: what each kind of part is optimised by."""
