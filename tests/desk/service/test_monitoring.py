"""The alert rules and the dashboard of deploy/: they ask for series that the referee exposes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client.exposition import generate_latest
from support import pages
from support.club import Club

from referee.desk.service.metrics import Metrics

pytestmark = pytest.mark.fast

MONITORING = Path(pages.__file__).parents[2] / "deploy" / "monitoring"


def exposed(club: Club) -> set[str]:
    """Return the names of all series the referee exposes."""
    text = generate_latest(Metrics(club.desk).registry).decode()
    names = set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE))
    return names | {f"{name}{end}" for name in names for end in ("_bucket", "_count", "_sum")}


def expressions() -> list[str]:
    """Return every expression of the alert rules and the dashboard."""
    alerts = yaml.safe_load((MONITORING / "alerts.yml").read_text(encoding="utf-8"))
    board = json.loads((MONITORING / "grafana.json").read_text(encoding="utf-8"))
    return [rule["expr"] for group in alerts["groups"] for rule in group["rules"]] + [
        target["expr"] for panel in board["panels"] for target in panel["targets"]
    ]


def test_rules_and_dashboard_ask_for_what_there_is(club: Club) -> None:
    """Each series that an alert or a panel names is one the referee exposes."""
    named = {each for text in expressions() for each in re.findall(r"\breferee_\w+", text)}
    assert len(named) > 8
    assert named <= exposed(club)


def test_the_scrape_finds_its_rules() -> None:
    """The scrape configuration names the rules beside it and the address of the documents."""
    found = yaml.safe_load((MONITORING / "prometheus.yml").read_text(encoding="utf-8"))
    assert all((MONITORING / each).is_file() for each in found["rule_files"])
    assert found["scrape_configs"][0]["static_configs"][0]["targets"] == ["127.0.0.1:9108"]


def test_no_rule_knows_how_often_the_mailbox_is_read() -> None:
    """That is a setting of up to an hour, by which the level is told; a bound of its own errs."""
    alerts = yaml.safe_load((MONITORING / "alerts.yml").read_text(encoding="utf-8"))
    rules = [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    assert not [rule for rule in rules if "poll_age" in rule]
    assert "referee_level == 2" in rules
