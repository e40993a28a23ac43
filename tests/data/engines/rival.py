"""A small Gomocup engine that behaves, or misbehaves as its first argument says. Written for the tests."""

import os
import subprocess
import sys
import time
from pathlib import Path

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
log = Path(sys.argv[2]).open("a") if len(sys.argv) > 2 else None  # noqa: SIM115
size, taken = 15, set()


def say(text):
    print(text, flush=True)


def first_free():
    return next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)


def misbehave():
    if mode == "crash":
        sys.stderr.write("thread 'main' panicked\nout of ideas\n")
        sys.exit(3)
    if mode == "signal":
        os.kill(os.getpid(), 11)
    if mode == "hang":
        time.sleep(60)
    if mode == "deaf":
        os.close(1)
        time.sleep(60)
    if mode == "chatter":
        while True:
            say("MESSAGE still thinking")
    if mode == "endless":
        while True:
            sys.stdout.write("x" * 65536)
    if mode == "memory":
        hoard = bytearray(300 << 20)
        hoard[::4096] = b"x" * len(hoard[::4096])
        time.sleep(60)
    if mode == "child-memory":
        code = "import time; h = bytearray(300 << 20); h[::4096] = b'x' * len(h[::4096]); time.sleep(60)"
        subprocess.Popen([sys.executable, "-c", code])
        time.sleep(60)
    if mode == "confused":
        say("ERROR what board?")
        time.sleep(60)


def move():
    misbehave()
    if mode == "occupied" and taken:
        x, y = next(iter(taken))
    elif mode == "outside":
        x, y = size, 0
    elif mode == "suggest":
        x, y = first_free()
        say(f"SUGGEST {x},{y}")
        return
    else:
        x, y = first_free()
    taken.add((x, y))
    say("MESSAGE a line the referee must skip")
    say("")
    say(f"{x},{y}")


if mode == "stillborn":
    sys.exit(1)
if mode == "slow-start":
    time.sleep(2)
block = None
for line in sys.stdin:
    if log:
        log.write(line.strip() + "\n")
        log.flush()
    word, _, rest = line.strip().partition(" ")
    if block is not None and word != "DONE":
        x, y, _ = map(int, word.split(","))
        taken.add((x, y))
    elif word in ("START", "RESTART"):
        if mode == "refuse":
            say("ERROR size not supported")
            continue
        size, taken = int(rest or size), set()
        say("OK")
    elif word == "BEGIN":
        move()
    elif word == "TURN":
        taken.add(tuple(map(int, rest.split(","))))
        move()
    elif word == "PLAY":
        taken.add(tuple(map(int, rest.split(","))))
        say(rest)
    elif word == "BOARD":
        block = []
    elif word == "DONE":
        block = None
        move()
    elif word == "END":
        if mode == "stubborn":
            time.sleep(60)
        break
