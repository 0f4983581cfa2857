"""What every web server of ours shares: board and desk, and the virtual table."""
