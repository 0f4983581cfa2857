"""`python -m schiri`."""

from schiri import main

main()
