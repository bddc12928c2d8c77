"""What a view shows and does: its fields, columns, filters, messages and background jobs; knows no host."""
