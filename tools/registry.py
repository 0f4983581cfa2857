"""What a registry of packages shows of Schiri, for the build backend.

Links and pictures of the README lead to files beside it, which a registry has not. Who publishes
Schiri says where they are, `SCHIRI_URL`: a repository that lies as on GitHub or GitLab. Without it
pictures go, and links become their words.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

URL_VARIABLE = "SCHIRI_URL"
_LINKED_PICTURE = re.compile(r"\[!\[([^]]*)\]\((?!\w+:)([^)]*)\)\]\((?!\w+:)([^)]*)\)")
_LINK = re.compile(r"(!?)\[([^]]*)\]\((?!\w+:)([^)]*)\)")


class RegistryHook(MetadataHookInterface):
    """Sets what pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, object]) -> None:
        url = os.environ.get(URL_VARIABLE, "").rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf8")
        shown = described(text, url, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": shown}
        metadata["urls"] = addresses(url)


def addresses(url: str) -> dict[str, str]:
    """Of the project; none if nobody said where it is."""
    if not url:
        return {}
    return {
        "Homepage": url,
        "Documentation": f"{url}/blob/main/docs/README.md",
        "Changelog": f"{url}/blob/main/CHANGELOG.md",
        "Issues": f"{url}/issues",
    }


def described(text: str, url: str, tag: str) -> str:
    """The README as it reads away from its folder."""

    def replaced(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if not url:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({url}/{kind}/{tag}/{path})"

    def led(found: re.Match[str]) -> str:
        """A picture that is a link."""
        words, picture, page = found.groups()
        shown = f"![{words}]({url}/raw/{tag}/{picture})"
        return f"[{shown}]({url}/blob/{tag}/{page})" if url else ""

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(replaced, _LINKED_PICTURE.sub(led, text)))
