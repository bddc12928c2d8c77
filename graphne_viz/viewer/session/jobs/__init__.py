"""What a session computes in the background while the view goes on."""
