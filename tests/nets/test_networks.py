"""Networks: the published shapes and sizes, size-freedom, and ONNX files that say the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

torch = pytest.importorskip("torch")

from tengen import plugins  # noqa: E402
from tengen.errors import TengenError  # noqa: E402
from tengen.nets.base import BaseNet, BaseOptions  # noqa: E402
from tengen.nets.network import NetworkSpec, build_network, count_parameters  # noqa: E402
from tengen.nets.onnx import check_parity, export_onnx  # noqa: E402
from tengen.nets.registry import network_class, network_names  # noqa: E402

PEBBLE = '''
import torch

from tengen.nets.body import Options, Prediction


class PebbleOptions(Options):
    channels: int = 5


class PebbleNet(torch.nn.Module):
    """One convolution; policy and value are read off its channels."""

    size_free, encodings, options = True, ("shapes",), PebbleOptions

    def __init__(self, planes, width, height, options=PebbleOptions()):
        super().__init__()
        self.features = options.channels
        self.conv = torch.nn.Conv2d(planes, options.channels, 3, padding=1)

    def forward(self, planes):
        x = torch.relu(self.conv(planes))
        return Prediction(x[:, 0].flatten(1), torch.tanh(x[:, 1].mean(dim=(1, 2))), x, planes[:, :1])


NETWORKS = {"pebble": PebbleNet, "half": object}
'''


@pytest.fixture
def pebble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network from outside the package, in a file of a user's own."""
    (tmp_path / "pebble.py").write_text(PEBBLE)
    monkeypatch.setenv("TENGEN_PLUGINS", str(tmp_path / "pebble.py"))


def conv(inputs: int, outputs: int, kernel: int, bias: bool = True) -> int:
    return inputs * outputs * kernel * kernel + outputs * bias


def dense(inputs: int, outputs: int) -> int:
    return (inputs + 1) * outputs


def base_parameters(cells: int, value_hidden: int) -> int:
    trunk = conv(4, 32, 3) + conv(32, 64, 3) + conv(64, 128, 3)
    policy = conv(128, 4, 1) + dense(4 * cells, cells)
    return trunk + policy + conv(128, 2, 1) + dense(2 * cells, value_hidden) + dense(value_hidden, 1)


@pytest.mark.parametrize(("width", "height"), [(9, 9), (8, 8), (15, 15), (7, 9)])
def test_base_has_the_parameters_of_the_paper(width: int, height: int) -> None:
    assert count_parameters(BaseNet(4, width, height)) == base_parameters(width * height, 64)
    assert count_parameters(BaseNet(4, width, height, BaseOptions(value_hidden=256))) == base_parameters(
        width * height, 256
    )


def test_enhanced_has_the_parameters_of_the_report() -> None:
    norm = 2 * 128
    trunk = conv(4, 128, 3, bias=False) + norm + 12 * (conv(128, 128, 3, bias=False) + norm)
    policy = conv(128, 4, 1, bias=False) + 8 + dense(4 * 81, 81)
    value = conv(128, 2, 1, bias=False) + 4 + dense(2 * 81, 128) + dense(128, 1)
    network = build_network(NetworkSpec("enhanced", "stones", 9, 9))
    assert count_parameters(network) == trunk + policy + value
    assert 1.75e6 < count_parameters(network) < 1.9e6


def test_tengen_is_small() -> None:
    assert count_parameters(build_network(NetworkSpec("tengen", "shapes", 9, 9))) < 200_000


def random_planes(network: object, batch: int, height: int, width: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    planes = (rng.random((batch, network.spec.planes, height, width)) < 0.3).astype(np.float32)  # type: ignore[attr-defined]
    if network.spec.size_free:  # type: ignore[attr-defined]
        planes[:, 0] = 1
    return planes


def warmed(spec: NetworkSpec) -> object:
    """A network whose batch norms have seen data, so that they are not the identity."""
    torch.manual_seed(3)
    network = build_network(spec)
    with torch.no_grad():
        for seed in range(5):
            network(torch.from_numpy(random_planes(network, 16, spec.height, spec.width, seed)))
    return network.eval()


@pytest.mark.parametrize("name", [*network_names(), "pebble"])
def test_outputs_and_onnx_parity(name: str, pebble: None) -> None:
    spec = NetworkSpec(name, network_class(name).encodings[0], 7, 6, heads=("counts", "reply"))
    network = warmed(spec)
    model = export_onnx(network)
    for batch in (1, 5):
        planes = random_planes(network, batch, 6, 7)
        outputs = network(torch.from_numpy(planes))
        assert outputs["policy"].shape == (batch, 42)
        assert outputs["value"].shape == (batch,) and outputs["value"].abs().max() <= 1
        assert outputs["counts"].shape == (batch, 6) and outputs["reply"].shape == (batch, 1, 6, 7)
        assert check_parity(network, model, planes) < 1e-4


def test_parity_check_notices_a_changed_network() -> None:
    network = warmed(NetworkSpec("base", "stones", 6, 6))
    model = export_onnx(network)
    with torch.no_grad():
        network.body.policy_dense.bias[3] += 1
    with pytest.raises(ValueError, match="differs"):
        check_parity(network, model, random_planes(network, 2, 6, 6))


def test_one_set_of_weights_plays_every_size() -> None:
    network = warmed(NetworkSpec("tengen", "shapes", 9, 9))
    session = ort.InferenceSession(export_onnx(network))
    for height, width in [(6, 6), (9, 9), (15, 15), (20, 20), (8, 11)]:
        policy, value = session.run(None, {"planes": random_planes(network, 3, height, width)})
        assert policy.shape == (3, height * width) and value.shape == (3,)


def test_padding_changes_nothing_on_the_board() -> None:
    network = warmed(NetworkSpec("tengen", "shapes", 9, 9, heads=("counts",)))
    planes = random_planes(network, 4, 7, 8)
    padded = np.zeros((4, 16, 11, 12), np.float32)
    padded[:, :, :7, :8] = planes
    bare, wide = network(torch.from_numpy(planes)), network(torch.from_numpy(padded))
    assert torch.allclose(bare["value"], wide["value"], atol=1e-5)
    assert torch.allclose(bare["counts"], wide["counts"], atol=1e-4)
    on_board = wide["policy"].reshape(4, 11, 12)[:, :7, :8].reshape(4, -1)
    assert torch.allclose(bare["policy"], on_board, atol=1e-4)
    assert torch.softmax(wide["policy"], 1).reshape(4, 11, 12)[:, 7:].max() < 1e-6


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (NetworkSpec("bse", "stones", 9, 9), "base, compact, enhanced, tengen"),
        (NetworkSpec("base", "stnes", 9, 9), "unknown encoding 'stnes'; choose one of stones, shapes, two-stones"),
        (NetworkSpec("base", "stones", 9, 9, {"blocks": 3}), "no option 'blocks'; its options: value_hidden"),
        (NetworkSpec("base", "stones", 9, 9, {"value_hidden": 1}), "value_hidden = 1 must be at least 4"),
        (NetworkSpec("base", "stones", 9, 9, heads=("eyes",)), "unknown head 'eyes'"),
        (NetworkSpec("tengen", "stones", 9, 9), "needs the encoding 'shapes', not 'stones'"),
    ],
)
def test_a_wrong_spec_is_explained(spec: NetworkSpec, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_network(spec)


def test_a_network_of_a_users_file_is_known_by_its_name(pebble: None) -> None:
    assert "pebble" in network_names()
    built = build_network(NetworkSpec("pebble", "shapes", 9, 9, {"channels": 7}))
    assert built.spec.size_free and built.body.conv.out_channels == 7
    with pytest.raises(TengenError, match=r"network 'half' of .*pebble\.py: its class lacks size_free"):
        network_class("half")


def test_a_package_offers_a_network_by_an_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gravel.py").write_text(PEBBLE)
    about = tmp_path / "gravel-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: gravel\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[tengen.networks]\ngravel = gravel:PebbleNet\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    plugins._discover.cache_clear()
    assert "gravel" in network_names()
    assert network_class("gravel").encodings == ("shapes",)
    plugins._discover.cache_clear()


@pytest.mark.parametrize(
    ("name", "options", "names"),
    [
        ("base", {}, "ab9715dea1386ed2"),
        ("enhanced", {"blocks": 2, "channels": 16}, "b28cb0c7e69099b2"),
        ("tengen", {}, "6013b4fd946bbcba"),
    ],
)
def test_weights_keep_the_names_and_shapes_of_stored_checkpoints(name: str, options: dict, names: str) -> None:
    """The digest is that of version 0.1.0: with another one no older run could be resumed or exported."""
    spec = NetworkSpec(name, network_class(name).encodings[0], 9, 9, options, ("counts", "reply", "shapes"))
    text = "\n".join(f"{key} {tuple(t.shape)}" for key, t in build_network(spec).state_dict().items())
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == names
