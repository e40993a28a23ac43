#include <nanobind/nanobind.h>

#include <stdexcept>

namespace nb = nanobind;

void bind_board(nb::module_& m);
void bind_solver(nb::module_& m);
void bind_greedy(nb::module_& m);
void bind_vecenv(nb::module_& m);
void bind_minimax(nb::module_& m);
void bind_mcts(nb::module_& m);
void bind_weight(nb::module_& m);
void bind_alphabeta(nb::module_& m);
void bind_person(nb::module_& m);
void bind_bench(nb::module_& m);
void bind_encode(nb::module_& m);
void bind_puct(nb::module_& m);
void bind_selfplay(nb::module_& m);
void bind_lines(nb::module_& m);
void bind_line_search(nb::module_& m);
void bind_line_learning(nb::module_& m);
void bind_study(nb::module_& m);

// A wrong argument is the caller's mistake: Python sees tengen.errors.TengenError, with the same one line.
void translate_errors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& error, void*) {
        try {
          std::rethrow_exception(error);
        } catch (const std::invalid_argument& wrong) {
          const nb::object kind = nb::module_::import_("tengen.errors").attr("TengenError");
          PyErr_SetString(kind.ptr(), wrong.what());
        }
      },
      nullptr);
}

NB_MODULE(_core, m) {
  m.doc() = "Native core of tengen: rules, shapes and searches.";
#ifdef NDEBUG
  nb::set_leak_warnings(false);  // Python ends with objects alive in globals; nobody can do anything about that
#endif
  translate_errors();
  bind_board(m);
  bind_solver(m);
  bind_greedy(m);
  bind_vecenv(m);
  bind_minimax(m);
  bind_mcts(m);
  bind_weight(m);
  bind_alphabeta(m);
  bind_person(m);
  bind_bench(m);
  bind_encode(m);
  bind_puct(m);
  bind_selfplay(m);
  bind_lines(m);
  bind_line_search(m);
  bind_line_learning(m);
  bind_study(m);
}
