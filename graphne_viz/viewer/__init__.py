"""Looking at layouts."""
