"""The files in deploy/ work as they are: the sample loads, the unit is sound."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from referee import resources
from referee.config import load_settings
from referee.config.keys import sample

DEPLOY = resources.path("schemas").parent / "deploy"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a copy of the sample with the files it names beside it."""
    file = tmp_path / "referee.toml"
    shutil.copy(DEPLOY / "referee.toml", file)
    (tmp_path / "mail-password").write_text("secret\n", encoding="utf-8")
    (tmp_path / "referee.key").write_bytes(bytes(32))
    (tmp_path / "referee.key").chmod(0o600)
    return file


@pytest.mark.fast
def test_the_sample_configuration_loads(installed: Path) -> None:
    """The commented sample is a configuration that works once its files are there."""
    settings = load_settings(installed, {"REFEREE_PASSWORD_FILE": "mail-password"})
    assert settings.address == "referee@example.org"
    assert settings.imap.password == settings.smtp.password == "secret"
    assert settings.database == f"sqlite:///{installed.parent}/referee.db"


@pytest.mark.fast
def test_the_sample_is_up_to_date() -> None:
    """It is the file that `make sample` writes from the table of settings."""
    assert (DEPLOY / "referee.toml").read_text(encoding="utf-8") == sample({})


@pytest.mark.fast
def test_the_page_names_every_file() -> None:
    """Each file that lies in the folder stands in its table, and nothing else does."""
    text = (DEPLOY / "README.md").read_text(encoding="utf-8")
    table = "\n".join(line for line in text.splitlines() if line.startswith("| ["))
    named = set(re.findall(r"\[`[^`]+`\]\(([^)]+)\)", table))
    there = {str(each.relative_to(DEPLOY)) for each in DEPLOY.rglob("*") if each.is_file()}
    assert named == there - {"README.md"}


@pytest.fixture
def service() -> configparser.SectionProxy:
    """Return the service section of the unit."""
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "referee.service", encoding="utf-8")
    return unit["Service"]


@pytest.mark.fast
def test_the_unit_confines_the_service(service: configparser.SectionProxy) -> None:
    """The service gains nothing, writes nowhere but in its own folder and leaves no core dump."""
    assert service["User"] == "referee"
    assert service["ReadWritePaths"] == "/var/lib/referee"
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert service["CapabilityBoundingSet"] == ""
    assert service["LimitCORE"] == "0"


def analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run systemd-analyze."""
    command = ["systemd-analyze", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def version() -> int:
    """Return the version of systemd here, 0 where there is none."""
    if not shutil.which("systemd-analyze"):
        return 0
    found = re.search(r"systemd (\d+)", analyze("--version").stdout)
    return int(found[1]) if found else 0


needs_systemd = pytest.mark.skipif(version() < 250, reason="needs systemd 250")


@needs_systemd
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    """Systemd finds no fault in the unit, the program's own path apart."""
    unit = tmp_path / "referee.service"
    text = (DEPLOY / "referee.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/referee/bin/referee", "/bin/true"), encoding="utf-8")
    ran = analyze("verify", unit)
    assert (ran.returncode, ran.stderr) == (0, "")


@needs_systemd
def test_the_service_is_hardly_exposed() -> None:
    """Systemd rates the exposure of the service at most 2 of 10."""
    unit = DEPLOY / "referee.service"
    ran = analyze("security", "--offline=true", "--threshold=20", "--no-pager", unit)
    assert ran.returncode == 0, ran.stdout[-300:]
