"""What people learn with: lessons, puzzles, reviews, libraries. Below the page, so that commands can use it too."""
