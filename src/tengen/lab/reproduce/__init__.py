"""Reproductions: experiments of the sources run again, their figures beside ours."""
