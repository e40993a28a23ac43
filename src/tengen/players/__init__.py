"""Players. Each module holds one; `tengen.registry` names them."""
