from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kartatest.recording.mask import mask, mask_objects
from kartatest.recording.model import Frame, GangExpectation, Recording
from kartatest.source import same
from tests import realdata

UID = "3f2a1b9c-0d4e-4f5a-8b6c-7d8e9f0a1b2c"
OTHER = "11111111-2222-4333-8444-555555555555"


def pod(name: str = "a-x7k2p", **extra: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "generateName": "a-",
            "uid": OTHER,
            "resourceVersion": "81",
            "managedFields": [{"manager": "kubectl"}],
            "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "keep": "1"},
            "ownerReferences": [{"kind": "TrainRig", "name": "a", "uid": UID}],
        },
        **extra,
    }


def test_references_still_meet() -> None:
    rig = {"kind": "TrainRig", "metadata": {"name": "a", "uid": UID}, "status": {"pods": ["a-x7k2p", "lab/a-x7k2p"]}}
    masked_rig, masked_pod = mask_objects([rig, pod()])
    assert masked_rig["metadata"]["uid"] == masked_pod["metadata"]["ownerReferences"][0]["uid"] != UID
    assert masked_pod["metadata"]["uid"] != masked_rig["metadata"]["uid"]
    assert masked_pod["metadata"]["name"] == "a-00001"
    assert masked_rig["status"]["pods"] == ["a-00001", "lab/a-00001"]
    assert masked_pod["metadata"].keys() == {"name", "generateName", "uid", "annotations", "ownerReferences"}
    assert masked_pod["metadata"]["annotations"] == {"keep": "1"}


def test_times_keep_their_distances() -> None:
    status = {
        "start": "2026-03-01T10:00:00+02:00",
        "end": "2026-03-01T08:00:07.5Z",
        "never": "0001-01-01T00:00:00Z",
        "wrong": "2026-13-41T99:00:00Z",
        "message": "since 2026-03-01T08:01:00Z",
    }
    (masked,) = mask_objects([{"status": status}])
    assert masked["status"] == {
        "start": "2000-01-01T00:00:00Z",
        "end": "2000-01-01T00:00:07.5Z",
        "never": "0001-01-01T00:00:00Z",
        "wrong": "2026-13-41T99:00:00Z",
        "message": "since 2000-01-01T00:01:00Z",
    }


def test_nodes_and_addresses() -> None:
    spec = {"nodeName": "worker", "containers": [{"name": "worker", "image": "img:10.2.3.4"}]}
    status = {
        "podIP": "10.2.3.4",
        "podIPs": [{"ip": "10.2.3.4"}, {"ip": "2001:db8::7"}],
        "hostIP": "192.168.0.9",
        "conditions": [{"message": "assigned a to worker at 10.2.3.4:80"}],
    }
    (masked,) = mask_objects([pod(spec=spec, status=status)])
    assert masked["spec"]["nodeName"] == "node-1"
    assert masked["spec"]["containers"][0]["name"] == "worker"
    assert masked["status"]["podIP"] == masked["status"]["podIPs"][0]["ip"] != masked["status"]["hostIP"]
    assert masked["status"]["podIPs"][1]["ip"].startswith("fd00::")
    text = masked["status"]["conditions"][0]["message"]
    assert "node-1" in text
    assert f"{masked['status']['podIP']}:80" in text
    (service,) = mask_objects([{"spec": {"clusterIP": "None"}}])
    assert service["spec"]["clusterIP"] == "None"


@pytest.mark.parametrize(
    "container",
    [
        {"env": [{"name": "HF_TOKEN", "value": "SECRET-x1"}]},
        {"env": [{"name": "aws_secret_access_key", "value": "SECRET-x1"}]},
        {"args": ["--api-key=SECRET-x1"]},
        {"command": ["sh", "-c", "curl --password SECRET-x1 http://host"]},
        {"args": ["Authorization: Bearer SECRET-x1-abcdef"]},
        {"args": ["hf_SECRET1234567890abcdef"]},
        {"env": [{"name": "STORE", "value": "redis://user:SECRET-x1@host/0"}]},
    ],
    ids=str,
)
def test_secrets_go(container: dict[str, Any]) -> None:
    (masked,) = mask_objects([{"spec": {"containers": [container]}}])
    assert "SECRET" not in json.dumps(masked)
    assert "masked-secret-1" in json.dumps(masked)


@pytest.mark.parametrize(
    "container",
    [
        {"env": [{"name": "TOKEN_PATH", "value": "/var/run/token"}]},
        {"env": [{"name": "PASSWORD_FILE", "value": "/etc/p"}]},
        {"env": [{"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "token"}}}]},
        {"args": ["--token-file=/etc/token"]},
        {"args": ["--max-tokens", "12"]},
    ],
    ids=str,
)
def test_what_only_sounds_like_a_secret_stays(container: dict[str, Any]) -> None:
    obj = {"spec": {"containers": [container]}}
    assert mask_objects([obj]) == (obj,)


@pytest.mark.parametrize(
    "annotations",
    [
        {"example.com/api-key": "SECRET"},
        {"example.com/pod": '{"spec": {"containers": [{"env": [{"name": "TOKEN", "value": "SECRET"}]}]}}'},
    ],
    ids=str,
)
def test_secrets_of_annotations_go(annotations: dict[str, str]) -> None:
    (masked,) = mask_objects([{"metadata": {"annotations": annotations}}])
    assert "SECRET" not in json.dumps(masked)
    assert list(masked["metadata"]["annotations"]) == list(annotations)


def test_names_of_pod_groups_meet_those_of_the_pods() -> None:
    said = GangExpectation("definition", {f"pg-{UID}-gang": 2}, {"a-x7k2p": f"pg-{UID}-gang lead"})
    frame = Frame(0, {"kind": "TrainRig", "metadata": {"name": "a", "uid": UID}}, (pod(),), gang=(said,))
    once = mask(Recording("x.yaml", "", "", "", "x", (frame,)))
    (masked,) = once.frames
    uid = masked.obj["metadata"]["uid"]
    assert masked.gang == (GangExpectation("definition", {f"pg-{uid}-gang": 2}, {"a-00001": f"pg-{uid}-gang lead"}),)
    assert mask(once) == once


texts = st.sampled_from(
    [
        UID,
        f"see {OTHER}",
        "node-2",
        "worker-a",
        "10.1.2.3",
        "10.0.0.2",
        "2026-03-01T08:00:00Z",
        "2025-01-01T00:00:00.250Z",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "a-x7k2p",
        "a-00002",
        "kube-api-access-x7k2p",
        "kube-api-access-00002",
        "Bearer abcdefgh12345",
        "--token=abcdef --token=masked-secret-1",
        "Running",
        "amqp://me:abcdef@host",
        '{"env": [{"name": "token", "value": "abcdef"}]}',
    ]
)
keys = st.sampled_from(
    [
        "uid",
        "nodeName",
        "podIP",
        "podIPs",
        "ip",
        "message",
        "metadata",
        "name",
        "generateName",
        "value",
        "env",
        "status",
        "token",
        "annotations",
    ]
)
objects = st.dictionaries(
    keys,
    st.recursive(
        texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
    ),
    max_size=5,
)


@given(st.lists(objects, max_size=3))
def test_masking_twice_is_masking_once(given_objects: list[dict[str, Any]]) -> None:
    once = mask_objects(given_objects)
    assert mask_objects(once) == once


@given(st.lists(st.uuids(), unique=True, max_size=6))
def test_distinct_stay_distinct(uids: list[Any]) -> None:
    masked = mask_objects([{"metadata": {"uid": str(uid)}} for uid in uids])
    assert len({m["metadata"]["uid"] for m in masked}) == len(uids)


@given(objects, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_show(obj: dict[str, Any], random: Any) -> None:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: shuffled(value[k]) for k in random.sample(sorted(value), len(value))}
        return [shuffled(v) for v in value] if isinstance(value, list) else value

    assert same(mask_objects([obj])[0], mask_objects([shuffled(obj)])[0])


@pytest.mark.skipif(realdata.recorded() is None, reason=realdata.ABSENT)
def test_real_flows() -> None:
    for flow in realdata.recorded_flows():
        once = mask(flow)
        assert mask(once) == once
        for before, after in zip(flow.frames, once.frames, strict=True):
            assert before.expected == after.expected
            for key in ("replicas", "phase", "restarts"):
                assert before.obj.get("status", {}).get(key) == after.obj.get("status", {}).get(key)
