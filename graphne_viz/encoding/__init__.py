"""From a column of values to what is drawn: colours, sizes, labels."""
