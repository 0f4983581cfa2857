"""A dry run of a whole tournament: simulated people, real rules, real journals, real desk."""
