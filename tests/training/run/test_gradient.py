"""The one gradient step: downhill, and no further than the clip allows."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from tengen.training.run.gradient import descend  # noqa: E402


@pytest.mark.parametrize(("clip", "norm", "moved"), [(None, 0.0, 5.0), (100.0, 5.0, 5.0), (1.0, 5.0, 1.0)])
def test_a_step_goes_downhill(clip: float | None, norm: float, moved: float) -> None:
    layer = torch.nn.Linear(2, 1, bias=False)
    before = layer.weight.detach().clone()
    optimizer = torch.optim.SGD(layer.parameters(), lr=1.0)
    assert descend((layer.weight * torch.tensor([[3.0, 4.0]])).sum(), layer, optimizer, clip) == pytest.approx(norm)
    assert torch.linalg.norm(before - layer.weight.detach()) == pytest.approx(moved, rel=1e-4)
