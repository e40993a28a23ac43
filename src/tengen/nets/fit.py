"""Does a network fit? Tried on a small batch before a run begins, so that a mistake costs nothing."""

from __future__ import annotations

import torch
from torch import Tensor

from tengen.errors import TengenError
from tengen.nets.encodings import derived
from tengen.nets.network import NetworkSpec, PolicyValueNetwork, build_network
from tengen.nets.onnx import export_onnx
from tengen.nets.registry import network_class
from tengen.plugins import PluginError, place_of, raised_at

BATCH = 2


def check_fits(spec: NetworkSpec) -> None:
    """Builds the network and has it judge, learn and be exported once. Raises PluginError with file and line."""
    where = f"network '{spec.network}' ({place_of(network_class(spec.network)) or 'built in'})"
    if encoding := derived(spec.encoding):
        where += f" with the encoding '{spec.encoding}' ({place_of(encoding)})"
    try:
        with torch.random.fork_rng():
            network = build_network(spec)
            check_outputs(network.eval(), _planes(spec))
            _check_gradients(network, _planes(spec))
            export_onnx(network)
    except TengenError as error:
        raise PluginError(f"{where} does not fit: {error}") from None
    except Exception as error:
        reason = " ".join(str(error).split())[:300]
        place = f" at {at}" if (at := raised_at(error)) else ""
        raise PluginError(f"{where} does not work: {type(error).__name__}{place}: {reason}") from error


def check_outputs(network: PolicyValueNetwork, planes: Tensor) -> None:
    """Shapes and ranges of policy and value, and that the positions of a batch do not mix."""
    batch, cells = len(planes), planes.shape[2] * planes.shape[3]
    with torch.no_grad():
        outputs, alone = network(planes), network(planes[:1])
    for name, shape in (("policy", (batch, cells)), ("value", (batch,))):
        output = outputs[name]
        if tuple(output.shape) != shape:
            raise TengenError(f"its {name} has shape {tuple(output.shape)}, not {shape}")
        if not torch.isfinite(output).all():
            raise TengenError(f"its {name} is not finite")
        if not torch.allclose(output[:1], alone[name], atol=1e-4):
            raise TengenError("what it says of a position depends on the others of the batch")
    if outputs["value"].abs().max() > 1:
        raise TengenError("a value is outside of -1 to 1")


def _check_gradients(network: PolicyValueNetwork, planes: Tensor) -> None:
    outputs = network.train()(planes)
    (outputs["policy"].sum() + outputs["value"].sum()).backward()
    idle = [name for name, p in network.body.named_parameters() if p.requires_grad and p.grad is None]
    if idle:
        raise TengenError(f"these parameters take no part in policy or value: {', '.join(idle)}")


def _planes(spec: NetworkSpec) -> Tensor:
    """Stones here and there; on the mask of a size-free network every cell."""
    generator = torch.Generator().manual_seed(0)
    planes = (torch.rand(BATCH, spec.core_planes, spec.height, spec.width, generator=generator) < 0.2).float()
    if spec.core_encoding == "shapes":
        planes[:, 0] = 1
    return planes
