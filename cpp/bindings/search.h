// Conversions shared by the bindings of tree searches.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tree/encode.h"
#include "tree/search_options.h"

namespace tengen {

namespace nb = nanobind;

using Planes = nb::ndarray<float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using DictList = nb::typed<nb::list, Dict>;

Encoding encoding_from_name(const std::string& name);
// Keys are the fields of SearchOptions; an unknown key is an error that lists the known ones.
SearchOptions options_from_dict(const Dict& values);
// What every field holds where nothing is given.
Dict option_defaults();

// A new numpy array that owns a copy of `data`.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(const std::vector<T>& data, std::vector<std::size_t> shape) {
  auto* copy = new T[data.size() ? data.size() : 1];
  std::copy(data.begin(), data.end(), copy);
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(copy, shape.size(), shape.data(), owner);
}

void check_planes(const Planes& planes, Encoding encoding, int height, int width, std::size_t least);
void check_answers(const Rows& logits, const Values& values, std::size_t leaves, std::size_t cells);

}  // namespace tengen
