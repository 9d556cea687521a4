"""The container's files: whole, without loose ends, and an entrypoint that works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from support import pages

from referee.errors import UNFIT

ROOT = Path(pages.__file__).parents[2]
FOLDER = ROOT / "deploy" / "container"
GIVEN = {
    "REFEREE_ADDRESS": "referee@example.test",
    "REFEREE_IMAP": "imap://referee%40example.test@127.0.0.1:9",
    "REFEREE_SMTP": "smtp://127.0.0.1:9",
    "REFEREE_PASSWORD": "open-sesame",
}


def entered(
    folder: Path, given: Mapping[str, str], *words: str
) -> subprocess.CompletedProcess[str]:
    """Run the entrypoint in a folder, as the container does."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    return subprocess.run(
        ["sh", FOLDER / "entrypoint.sh", *words], cwd=folder, env={**kept, "PATH": path, **given},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_entrypoint_sets_up_once(tmp_path: Path) -> None:
    """The first start makes the installation, the second one uses it; no password is written."""
    assert entered(tmp_path, GIVEN, "match", "list").returncode == 0
    key = (tmp_path / "referee.key").read_bytes()
    assert "open-sesame" not in (tmp_path / "referee.toml").read_text()
    ran = entered(tmp_path, {**GIVEN, "UPGRADE": "yes"}, "match", "list", "--json")
    assert (ran.returncode, ran.stdout) == (0, "Nothing to upgrade.\n[]\n")
    assert (tmp_path / "referee.key").read_bytes() == key


def test_the_entrypoint_takes_the_password_from_a_file(tmp_path: Path) -> None:
    """That is how compose.yaml gives it; the settings name no password."""
    secret = tmp_path / "secret"
    secret.write_text("open-sesame\n")
    (tmp_path / "club").mkdir()
    given = {name: each for name, each in GIVEN.items() if name != "REFEREE_PASSWORD"}
    given["REFEREE_PASSWORD_FILE"] = str(secret)
    assert entered(tmp_path / "club", given, "match", "list").returncode == 0
    assert "open-sesame" not in (tmp_path / "club" / "referee.toml").read_text()


@pytest.mark.parametrize("missing", ["REFEREE_ADDRESS", "REFEREE_IMAP", "REFEREE_SMTP"])
def test_the_entrypoint_names_what_is_missing(tmp_path: Path, missing: str) -> None:
    """Without a setting that a first start needs nothing is made, and the setting is named."""
    given = {name: each for name, each in GIVEN.items() if name != missing}
    ran = entered(tmp_path, given, "run")
    assert (ran.returncode, missing in ran.stderr) == (UNFIT, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.fast
@pytest.mark.parametrize("name", ["Containerfile", "Mailfile"])
def test_an_image_copies_what_there_is(name: str) -> None:
    """Each file that is copied from the checkout exists; the process gets its signal to stop."""
    text = (FOLDER / name).read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
    assert text.count("ENTRYPOINT") == 1
    assert "STOPSIGNAL SIGTERM" in text


@pytest.mark.fast
@pytest.mark.parametrize("name", ["entrypoint.sh", "mail.sh"])
def test_a_script_is_sound(name: str) -> None:
    """The shell finds no fault in it, and a fault while it runs ends it."""
    assert subprocess.run(["sh", "-n", FOLDER / name], check=False).returncode == 0
    assert "\nset -eu\n" in (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.fast
def test_a_mail_container_started_again_finds_its_files_as_they_were(tmp_path: Path) -> None:
    """A domain that begins with the example's is put in once, and no line stands there twice."""
    script = (FOLDER / "mail.sh").read_text(encoding="utf-8")
    copies = tmp_path / "usr" / "local" / "share" / "mail"
    for folder in (copies, tmp_path / "etc" / "postfix", tmp_path / "etc" / "dovecot"):
        folder.mkdir(parents=True)
    for name in ("main.cf", "mailboxes", "dovecot.conf"):
        (copies / name).write_bytes((ROOT / "deploy" / "mail" / name).read_bytes())
    for name in ("postfix", "dovecot", "sleep"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    for folder in ("etc", "usr/local"):
        script = re.sub(rf"(?<=[ \">])/{folder}/", f"{tmp_path}/{folder}/", script)
    written: list[dict[str, str]] = []
    for _ in range(2):
        subprocess.run(
            ["sh", "-c", script], check=True, timeout=60,
            env={"PATH": f"{tmp_path}:/usr/bin:/bin", "DOMAIN": "example.org.test"},
        )  # fmt: skip
        files = sorted((tmp_path / "etc").glob("*/*"))
        written.append({file.name: file.read_text(encoding="utf-8") for file in files})
    assert written[0] == written[1]
    assert "myorigin = example.org.test\n" in written[0]["main.cf"]
    assert len(written[0]) == 3


@pytest.mark.fast
def test_the_compose_file_has_no_loose_ends() -> None:
    """Each file, volume and secret it names is declared or shipped; passwords are no variables."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
    services = found["services"]
    assert set(services) == {"referee", "db", "mail"}
    for service in services.values():
        if "build" in service:
            assert (FOLDER / service["build"]["context"] / service["build"]["dockerfile"]).exists()
        assert set(service.get("secrets", [])) <= set(found["secrets"])
        named = [each.partition(":")[0] for each in service.get("volumes", [])]
        assert {each for each in named if not each.startswith(".")} <= set(found["volumes"])
        assert set(service.get("depends_on", {})) <= set(services)
    told = (FOLDER / "env.example").read_text(encoding="utf-8")
    assert "PASSWORD" not in re.sub(r"^#.*$", "", told, flags=re.MULTILINE)


@pytest.mark.fast
def test_what_is_secret_stays_out_of_images_and_git() -> None:
    """Each file of the host that compose.yaml names lies where neither of them looks."""
    found: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
    named = [each["file"] for each in found["secrets"].values()]
    named += [each["env_file"] for each in found["services"].values() if "env_file" in each]
    for service in found["services"].values():
        named += [each.partition(":")[0] for each in service.get("volumes", []) if each[0] == "."]
    tops = {Path(each).parts[0] for each in named}
    assert tops == {".env", "secrets", "ssl"}
    for file in (".dockerignore", ".gitignore"):
        lines = (ROOT / file).read_text(encoding="utf-8").split()
        assert {f"deploy/container/{each}" for each in tops} <= {each.rstrip("/") for each in lines}


@pytest.mark.fast
def test_the_password_may_be_read_by_the_user_of_the_image_alone() -> None:
    """The page gives the file to the number that the image's user has."""
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    (number,) = re.findall(r"useradd --system --uid (\d+)", text)
    page = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    assert f"\nchown {number} secrets/mail-password\n" in page


@pytest.mark.fast
def test_commands_in_containers_name_what_the_compose_file_has() -> None:
    """A command, a copy and a dump name a service; files lie on a volume where commands run."""
    page = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]
    run = re.findall(r"^podman compose exec(?: -T)? (\w+) (\w+)", page, re.MULTILINE)
    assert set(run) == {("referee", "referee"), ("db", "pg_dump"), ("db", "pg_restore")}
    assert {service for service, _ in run} <= set(services)
    assert f"-U {services['db']['environment']['POSTGRES_USER']}" in page
    (volume,) = (each.partition(":")[2] for each in services["referee"]["volumes"])
    copied = re.findall(r"^podman compose cp .*?(\w+):(\S+)/", page, re.MULTILINE)
    assert copied == [("referee", volume)] * 2
    assert f"\nWORKDIR {volume}\n" in (FOLDER / "Containerfile").read_text(encoding="utf-8")


@pytest.mark.fast
def test_each_block_of_the_page_says_where_it_runs() -> None:
    """Files of the checkout are named by blocks that run in it."""
    page = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    parts = re.split(r"```\n", page)
    for above, block in zip(parts[::2], parts[1::2], strict=False):
        if re.search(r"^(install .* deploy/|cd deploy/)", block, re.MULTILINE):
            assert "checkout" in above.lower().replace("\n", " ")[-40:], block
