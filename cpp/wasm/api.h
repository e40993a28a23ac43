// The browser's door to the core: one board, the engines, the solvers and the review behind plain C calls.
//
// Lists of numbers go in and out through the buffer, 32-bit integers in the module's memory. A WebAssembly instance has
// one thread and one of everything, so nothing is created or freed by the caller; a search that must stop is stopped by
// ending the worker that runs it.
#pragma once

#include <cstdint>

#define TENGEN_API extern "C" __attribute__((visibility("default"), used))

// Told after each finished depth or slice of a search; the page's worker sends the report on.
extern "C" __attribute__((import_module("tengen"), import_name("progress"))) void tengen_progress();

TENGEN_API std::int32_t* tengen_buffer();

// 0 for success, else the number of a message in tengen.js.
TENGEN_API int tengen_new_board(int width, int height, int k, int rule);
// An empty board with stones on it: `black` cells stand first in the buffer, then `white` cells. `turn`: 0 black, 1
// white.
TENGEN_API int tengen_set_up(int black, int white, int turn);
TENGEN_API int tengen_play(int move);
TENGEN_API int tengen_undo();

// Writes [turn, stones, ply, result, n, n cells of the winning row]. Result: 0 goes on, 1 black won, 2 white won, 3
// drawn.
TENGEN_API void tengen_state();
// Writes one number per cell: 0 black, 1 white, 2 empty.
TENGEN_API void tengen_cells();
// Writes [n, n pairs of cell and reason]: what black may not play under renju.
TENGEN_API void tengen_forbidden();
// Writes [n, n times the image of every cell]: the turns and reflections of the board, the identity first.
TENGEN_API void tengen_symmetries();
// Writes [n, n cells]: the legal moves within `radius` of a stone, or the centre of an empty board.
TENGEN_API void tengen_near(int radius);
// Writes one number per cell: the threat a stone of `color` would make there.
TENGEN_API void tengen_threats(int color);

// Searches the board, which must not be over, and writes a report; 0 nodes, seconds or depth: no such limit. `network`:
// the one that was taken, which must fit, values positions. After each
// depth the report so far is in the buffer while the import `progress` is called.
// [depth, selective depth, nodes low, nodes high, milliseconds, n, then n times: move, plies to a proven win (negative
// to a proven loss, 0 not proven), value in millionths, length of the line, its moves]
TENGEN_API void tengen_search(int hash_megabytes, int seed, double nodes, double seconds, int depth, int lines,
                              int network);
// Forgets what earlier searches found, so that the next one does not depend on them.
TENGEN_API void tengen_clear();

// Seconds to spend on a move of the board, with `left` of the game's time and `increment` after each move.
TENGEN_API double tengen_budget(double left, double increment);

// A forced win of `attacker` by fours (vct = 0) or by threes and fours (vct = 1), whoever is to move.
// Writes [found, exhausted, nodes low, nodes high, length, moves].
TENGEN_API void tengen_solve(int vct, int attacker, double nodes, double seconds);

// A move of one of the simple players: 0 random, 1 greedy, 2 weight, 3 minimax (`depth`), 4 pure MCTS (`nodes` are
// playouts), 5 person (`sees`, `reads`, `nodes`). The same seed on the same board gives the same move. Returns the
// cell.
TENGEN_API int tengen_choose(int player, int seed, double nodes, double seconds, int depth, double sees, double reads);

// What is proven of the board, for whichever side wins it; or a win of `attacker` if it were its turn now.
// Writes [found, then a proof: winner, force, moves, length, line].
TENGEN_API void tengen_prove(double fours, double threats);
TENGEN_API void tengen_win(double fours, double threats, int attacker);

// A review of the `moves` cells in the buffer, played from the board on, by the engine with the network or without it.
// Each step looks at one position; it returns 0 when there is nothing left to do, and else writes [n, then n findings:
// ply, sweep, look, 0 or 1 and a verdict].
// Look: [value (two numbers), side, best or -1, length, line, 0 or 1 and a proof].
// Verdict: [mark, drop (two numbers), 0 or 1 and: why, instead, moves, force or -1, length, line, length, shape].
// Behind the moves stand `known` proofs of positions, each with its ply before it.
TENGEN_API void tengen_review(int moves, int known, int hash_megabytes, int network);
TENGEN_API int tengen_review_step();
// Is the legal move good enough on the board, of which a review had the look in the buffer? Writes a verdict.
TENGEN_API void tengen_retry(int move, int hash_megabytes, int network);
// The verdict that follows from two looks in the buffer, at the board and at what the legal move makes of it.
TENGEN_API void tengen_judge(int move);

// Judges the legal move in a puzzle: `known` says that it solves it, `defence` that it is to stop a win. Writes [state,
// reply or -1, whether the refutation wins, length, refutation].
TENGEN_API void tengen_puzzle(int move, int known, int defence);
// Writes [length, the win that is left].
TENGEN_API void tengen_puzzle_line();
// What the legal move does: the number of an idea.
TENGEN_API int tengen_idea(int move, int defence);
// The puzzle in the position, if there is one: writes [0 or 1, kind, choices, length, line, length, solutions, number
// of themes, themes].
TENGEN_API void tengen_mine();
// How hard a puzzle is. In the buffer are `count` pairs: thousandths of a level's rating, and of how often it finds a
// solution.
TENGEN_API int tengen_puzzle_rating(int count, int attacks, int choices, int solutions);
// Writes a person's rating, deviation and volatility (two numbers each) after a puzzle of this rating.
TENGEN_API void tengen_rate(double value, double deviation, double volatility, double puzzle, int solved);
// A person's rating by the results against `count` opponents, in the buffer as [thousandths of its rating, half points,
// games]. Writes [0 or 1, rating, low and high end of its interval (two numbers each)].
TENGEN_API void tengen_estimate(int count);
// When a puzzle comes back; `step` < 0: it was not to come back before. Writes [0 or 1, step, due (two numbers)].
TENGEN_API void tengen_repeat(int step, double due, int solved, double now);

// Room for the arrays of a line network, one behind the other as its file holds them: `size` bytes.
TENGEN_API std::uint8_t* tengen_network_file(int size);
// Makes the network of them. 1 for success, else writes [length, letters of what is wrong].
TENGEN_API int tengen_network(int k, int rule, int channels, int hidden, double temperature);
// 1 if there is a network that plays the board's game.
TENGEN_API int tengen_network_fits();
// Tree search with the network, from the board, which must not be over; 0 simulations or seconds: no such limit.
// Reports go to the buffer and to the import `progress`, as in tengen_search. [depth, simulations low, high,
// milliseconds, value (two numbers), n, then n times: move, plies to a proven win (negative to a proven loss, 0 not
// proven), value (two numbers), visits, prior (two numbers), length, line]
TENGEN_API void tengen_think(double sims, double seconds, int lines, double memory_megabytes);
