"""Settings: what is misspelt is named with the nearest right one, and a file `.env` is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.test_backup import ROOT


def migrated(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The shortest command that reads the settings, started in a folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CONTRAIL_")}
    env = {**kept, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-m", "app", "migrate"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("CONTRAIL_PROT", "CONTRAIL_PORT"),
        ("CONTRAIL_DATE", "CONTRAIL_DATA"),
        ("CONTRAIL_PUBLIC_ULR", "CONTRAIL_PUBLIC_URL"),
        ("contrail_secure_cookie", "CONTRAIL_SECURE_COOKIES"),
    ],
)
def test_a_misspelt_setting_is_named(tmp_path: Path, wrong: str, right: str) -> None:
    """In the environment and in `.env`; nothing is made in a folder that was not meant."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / ".env").write_text(f"{wrong}=1\n")
    for done in (migrated(tmp_path, **{wrong: "1"}), migrated(tmp_path / "in")):
        assert done.returncode != 0
        assert len(done.stderr.splitlines()) == 1
        assert f"{wrong.upper()} is no setting; is it {right}?" in done.stderr
    assert not (tmp_path / "data").exists()


def test_what_is_near_to_nothing_is_told(tmp_path: Path) -> None:
    done = migrated(tmp_path, CONTRAIL_WEATHER="fine")
    assert done.returncode == 0
    assert "CONTRAIL_WEATHER is no setting" in done.stderr


def test_a_file_is_read_and_the_environment_wins(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# where it is\nCONTRAIL_DATA=from-file\nOTHER=x\n")
    assert migrated(tmp_path).returncode == 0
    assert (tmp_path / "from-file" / "contrail.db").exists()
    assert migrated(tmp_path, CONTRAIL_DATA="from-environment").returncode == 0
    assert (tmp_path / "from-environment" / "contrail.db").exists()


def test_a_file_that_can_t_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"CONTRAIL_DATA=\xff\xfe\n")
    done = migrated(tmp_path)
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1
    assert ".env cannot be read" in done.stderr


def test_a_wrong_value_is_told_without_a_password(tmp_path: Path) -> None:
    done = migrated(tmp_path, CONTRAIL_DATABASE_URL="hush hush", CONTRAIL_PORT="many")
    assert done.returncode != 0
    assert len(done.stderr.splitlines()) == 1
    assert "CONTRAIL_PORT='many'" in done.stderr
    assert "CONTRAIL_DATABASE_URL: is no address" in done.stderr
    assert "hush" not in done.stderr
