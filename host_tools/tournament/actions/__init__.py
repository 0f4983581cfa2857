"""What the desk may do, and when, a module for each subject.

Each function judges a command against the state and returns the events it makes; nothing here
writes. A refused one raises UserError with one sentence; `force` is the jury's. With a
service: `service.do("Anna", "", command(matches.call, "A-1"))`.
"""
