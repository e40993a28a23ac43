"""What a position is worth and which moves look good: networks, caches, tables, all behind one face."""
