"""A third-party learner on our environment: MaskablePPO of sb3-contrib learns noughts and crosses.

    pip install 'tengen[train,examples]'
    python examples/maskable_ppo.py --steps 8192
    python examples/maskable_ppo.py --size 4 --k 3 --steps 8192
    python examples/maskable_ppo.py --size 7 --k 5 --steps 100000

It needs nothing from us but `gymnasium.make`: the learner finds the legal cells by itself through `action_masks()`.
"""

from __future__ import annotations

import argparse

import gymnasium
from sb3_contrib import MaskablePPO

import tengen.envs  # registers tengen/Gomoku-v0


def make_env(size: int, k: int, opponent: str) -> gymnasium.Env:
    reward = tengen.envs.SPARSE.model_dump()  # 1 for a win, -1 for a loss, 0 for a draw
    return gymnasium.make(
        "tengen/Gomoku-v0", size=size, k=k, opponent=opponent, seat="random", reward=reward, observation="planes"
    )


def learner(env: gymnasium.Env, seed: int) -> MaskablePPO:
    return MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, learning_rate=1e-3, gamma=0.95, seed=seed)


def results(model: MaskablePPO, env: gymnasium.Env, games: int, seed: int) -> dict[str, int]:
    """Wins, draws and losses without exploration."""
    count = {"wins": 0, "draws": 0, "losses": 0}
    for game in range(games):
        planes, info = env.reset(seed=seed + game)
        done, reward = False, 0.0
        while not done:
            action, _ = model.predict(planes, action_masks=info["action_mask"].astype(bool), deterministic=True)
            planes, reward, done, _, info = env.step(int(action))
        count["wins" if reward > 0 else "losses" if reward < 0 else "draws"] += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=3)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--opponent", default="random", help="any player spec")
    parser.add_argument("--steps", type=int, default=8_192)
    parser.add_argument("--games", type=int, default=200, help="games that measure it")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    env = make_env(args.size, args.k, args.opponent)
    model = learner(env, args.seed)
    print("before:", results(model, env, args.games, 1_000_000))
    model.learn(args.steps)
    print("after: ", results(model, env, args.games, 1_000_000))


if __name__ == "__main__":
    main()
