"""What is done to vectors when their training is over."""
