"""Reports: facts from records, charts from facts, one page from both."""
