"""The few parts of `unittest` that the rules tests use, for the MicroPython VM, which has none."""


class TestCase:
    """A test class: its methods `test_…` are run one by one on a fresh object."""

    def setUp(self) -> None:
        """Before each test."""

    def assertEqual(self, first: object, second: object) -> None:
        """Equal values; of lists and tuples the type counts too on both interpreters."""
        if not first == second:
            raise AssertionError(repr(first) + " is not " + repr(second))

    def assertNotEqual(self, first: object, second: object) -> None:
        """Different values."""
        if first == second:
            raise AssertionError("both are " + repr(first))

    def assertTrue(self, value: object) -> None:
        """Something that counts as true."""
        if not value:
            raise AssertionError(repr(value) + " is not true")

    def assertFalse(self, value: object) -> None:
        """Something that counts as false."""
        if value:
            raise AssertionError(repr(value) + " is not false")

    def assertIsNone(self, value: object) -> None:
        """None."""
        if value is not None:
            raise AssertionError(repr(value) + " is not None")

    def assertIn(self, item: object, container: "list[object]") -> None:
        """An item of a container."""
        if item not in container:
            raise AssertionError(repr(item) + " is not in " + repr(container))

    def assertRaises(self, kind: "type[BaseException]") -> "_Raises":
        """`with self.assertRaises(Malformed) as caught:`; `caught.exception` afterwards."""
        return _Raises(kind)


class _Raises:
    def __init__(self, kind: "type[BaseException]") -> None:
        self._kind = kind
        self.exception: BaseException | None = None

    def __enter__(self) -> "_Raises":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if error is None:
            raise AssertionError("nothing was raised")
        if not isinstance(error, self._kind):
            return False
        self.exception = error
        return True
