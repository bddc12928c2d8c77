"""A layout that forms in the background: its states, commands, thread, history and recording."""
