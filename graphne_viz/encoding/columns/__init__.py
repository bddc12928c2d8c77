"""What is known of every node or edge under one name: classes, numbers, dates, colours, text."""
