"""The fixture `package`: see story.py."""

from tests.walkthrough.story import package  # noqa: F401
