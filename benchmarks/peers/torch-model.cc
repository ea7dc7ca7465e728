/* Copyright 2026 The c2g authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* Runs a model that torch_script.py has written as TorchScript, on the same weights and the same
 * input as c2g: one cell of the table in each process.
 *
 * "eager" runs the operators one by one as they stand there, as a program in Python does; what
 * Python itself takes for each of them is not in it. "optimized" is what optimize_for_inference
 * makes of the frozen module. */

#include "../bench-cell.h"

#include <ATen/Parallel.h>
#include <torch/script.h>
#include <torch/csrc/api/include/torch/version.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace
{

struct Cell
{
  torch::jit::Module module;
  std::vector<torch::jit::IValue> inputs;
  torch::Tensor output;
};

std::ifstream
open_file (const std::string &path)
{
  std::ifstream file (path, std::ios::binary);

  if (!file)
    throw std::runtime_error ("cannot open " + path);
  return file;
}

torch::Tensor
read_floats (std::ifstream &file, const std::vector<int64_t> &dims)
{
  torch::Tensor tensor = torch::empty (dims, torch::kFloat32);

  if (!file.read (static_cast<char *> (tensor.data_ptr ()), tensor.nbytes ()))
    throw std::runtime_error ("a file is too short");
  return tensor;
}

/* Each line of the list is a name, where its floats begin, and the shape. */
void
register_weights (torch::jit::Module &module, const std::string &folder)
{
  std::ifstream list = open_file (folder + "/weights.list");
  std::ifstream file = open_file (folder + "/weights.safetensors");
  std::string line;

  while (std::getline (list, line))
    {
      std::istringstream words (line);
      std::vector<int64_t> dims;
      std::string name;
      std::streamoff offset;
      int64_t dim;

      words >> name >> offset;
      while (words >> dim)
        dims.push_back (dim);
      file.seekg (offset);
      module.register_parameter (name, read_floats (file, dims), false);
    }
}

torch::jit::Module
load (const std::string &folder)
{
  torch::jit::Module module ("Model");
  std::ostringstream script;

  register_weights (module, folder);
  module.register_attribute ("training", torch::jit::BoolType::get (), false);
  script << open_file (folder + "/net.torchscript").rdbuf ();
  module.define (script.str ());
  return module;
}

/* The shape is written as 16,3,32,32. */
torch::Tensor
read_input (const std::string &path, const std::string &shape)
{
  std::ifstream file = open_file (path);
  std::istringstream words (shape);
  std::vector<int64_t> dims;
  std::string word;

  while (std::getline (words, word, ','))
    dims.push_back (std::stoll (word));
  return read_floats (file, dims);
}

void
run_cell (void *data)
{
  auto *self = static_cast<Cell *> (data);

  self->output = self->module.forward (self->inputs).toTensor ();
}

void
write_output (const torch::Tensor &output, const std::string &path)
{
  const torch::Tensor floats = output.contiguous ();
  std::ofstream file (path, std::ios::binary);

  file.write (static_cast<const char *> (floats.data_ptr ()), floats.nbytes ());
  if (!file.flush ())
    throw std::runtime_error ("cannot write " + path);
}

void
measure (const std::string &how, char **arguments)
{
  const int n_threads = std::stoi (arguments[3]);
  torch::NoGradGuard no_grad;
  Cell cell;

  at::set_num_threads (n_threads);
  at::set_num_interop_threads (1);
  cell.module = load (arguments[0]);
  if (how == "optimized")
    cell.module = torch::jit::optimize_for_inference (cell.module);
  else
    torch::jit::setGraphExecutorOptimize (false);
  cell.inputs.emplace_back (read_input (arguments[1], arguments[2]));

  bench_cell_measure ("PyTorch", TORCH_VERSION, run_cell, &cell);
  write_output (cell.output, arguments[4]);
}

} // namespace

int
main (int argc, char **argv)
{
  const std::string how = argc == 7 ? argv[1] : "";

  bench_cell_begin ();
  if (how != "eager" && how != "optimized")
    {
      std::fprintf (stderr, "usage: %s eager|optimized FOLDER INPUT SHAPE N_THREADS OUTPUT\n", argv[0]);
      return EXIT_FAILURE;
    }
  try
    {
      measure (how, argv + 2);
    }
  catch (const std::exception &error)
    {
      std::fprintf (stderr, "peer-torch-model: %s\n", error.what ());
      return EXIT_FAILURE;
    }
  return EXIT_SUCCESS;
}
