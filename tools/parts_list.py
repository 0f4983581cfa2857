"""The parts that a release needs, as a CycloneDX document (SBOM): from the lock files, so that it
is the same wherever it is made.

    run.lock            every Python package that `make run` installs, by hash; a wheel alone needs
                        fewer: its own METADATA says which belong to which extra
    package-lock.json   the MicroPython VM; what is for tests only is left out
    the image's tag     MicroPython, if the release has images

A licence is what the package says of itself where it is installed, as in every developer's .venv.
"""

import json
import re
import uuid
from base64 import b64decode
from collections.abc import Iterator
from datetime import datetime
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

_PACKAGE = re.compile(r"^([\w.-]+)==([^\s;]+)(.*?)(?=^\S|\Z)", re.M | re.S)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_MODULES = "node_modules/"
_ELSEWHERE = {"colorama": "BSD-3-Clause", "pywin32": "PSF-2.0", "tzdata": "Apache-2.0"}
"""What is installed on another system only, and so tells nothing here."""
_SPDX = {
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "ISC License (ISCL)": "ISC",
    "Apache Software License": "Apache-2.0",
    "PSFL": "PSF-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "SIL OFL 1.1": "OFL-1.1",
    "SIL Open Font License 1.1 (OFL-1.1)": "OFL-1.1",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""Words of older metadata -> the licence's SPDX id. "BSD License" may be several: it stays so."""


def parts_list(root: Path, version: str, day: datetime, micropython: str = "") -> str:
    """The document. `micropython`: the tag that images were built from, if there are any."""
    lock = (root / "requirements" / "run.lock").read_text(encoding="utf8")
    node = json.loads((root / "package-lock.json").read_text(encoding="utf8"))
    parts = [*python_parts(lock), *node_parts(node["packages"])]
    if micropython:
        parts.append(micropython_part(micropython))
    ours = Component(
        name="schiri",
        version=version,
        type=ComponentType.APPLICATION,
        purl=PackageURL("generic", None, "schiri", version),
        bom_ref="schiri",
        licenses=[DisjunctiveLicense(id="MIT")],
    )
    bom = Bom(components=parts)
    bom.metadata.component = ours
    bom.metadata.timestamp = day
    content = "\n".join([version, lock, json.dumps(node), micropython])
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_OID, content)
    bom.register_dependency(ours, parts)
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def python_parts(lock: str) -> Iterator[Component]:
    """Of a lock file with hashes: one of each file that may be fetched."""
    for name, version, rest in _PACKAGE.findall(lock):
        yield _part(
            PackageURL("pypi", None, name, version),
            [HashType(alg=HashAlgorithm.SHA_256, content=each) for each in _HASH.findall(rest)],
            licence_of(name),
        )


def node_parts(packages: dict[str, dict[str, str]]) -> Iterator[Component]:
    """Of npm's lock file, but for what only tests need."""
    for path, row in packages.items():
        if path and not row.get("dev"):
            group, _, name = path.rpartition(_MODULES)[2].rpartition("/")
            algorithm, _, digest = row["integrity"].partition("-")
            assert algorithm == "sha512", path
            yield _part(
                PackageURL("npm", group or None, name, row["version"]),
                [HashType(alg=HashAlgorithm.SHA_512, content=b64decode(digest).hex())],
                row.get("license", ""),
            )


def micropython_part(tag: str) -> Component:
    """What `make image` builds for the boards."""
    return _part(PackageURL("github", "micropython", "micropython", tag), [], "MIT")


def licence_of(package: str) -> str:
    """An SPDX expression, else the words of its metadata; "" if it says nothing."""
    try:
        said: Message = metadata(package)  # type: ignore[assignment]
    except PackageNotFoundError:
        return _ELSEWHERE.get(package, "")
    classifiers = said.get_all("Classifier") or []
    words = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    text = str(said["License-Expression"] or "")
    short = str(said["License"] or "").partition("\n")[0].strip()
    for known in (text, _SPDX.get(short, ""), *(_SPDX.get(each, "") for each in words)):
        if known:
            return known
    return short if short not in ("", "UNKNOWN", "BSD") else ", ".join(words)


def _licences(said: str) -> list[Any]:
    if not said:
        return []
    if re.search(r" (AND|OR|WITH) ", said):
        return [LicenseExpression(said)]
    is_id = " " not in said
    return [DisjunctiveLicense(id=said) if is_id else DisjunctiveLicense(name=said)]


def _part(purl: PackageURL, hashes: list[HashType], licence: str = "") -> Component:
    return Component(
        name=purl.name,
        group=purl.namespace,
        version=purl.version,
        purl=purl,
        bom_ref=purl.to_string(),
        hashes=hashes,
        licenses=_licences(licence),
    )
