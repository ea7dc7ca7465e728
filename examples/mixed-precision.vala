// Copyright 2026 The c2g authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// A network of two layers that learns XOR on mixed precision.
//
// The weights are floats, so that small steps are not lost. The layers read them as float16, which each
// blob converts from the floats when they have changed. All else is computed as doubles.

const C2g.DataType FLOAT = C2g.DataType.FLOAT;
const C2g.DataType FLOAT16 = C2g.DataType.FLOAT16;

// Two inputs, and the expected result.
const double[,] SAMPLES = { { 0, 0, 0 }, { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } };
const int N_HIDDEN = 4;
const int N_STEPS = 200;
const double RATE = 0.1;

C2g.CaffeBlob new_weights (int n) throws Error {
  // The data are float, the gradients only float16.
  var weights = new C2g.CaffeBlob (FLOAT, FLOAT16, { n }, null);
  for (int i = 0; i < n; i++)
    weights.set_value_at (C2g.CaffeParts.DATA, { i }, Math.sin (i + 1));
  return weights;
}

double[] read_halves (C2g.CaffeBlob weights) throws Error {
  var tensor = weights.ref_data_tensor (FLOAT16, null);
  var numbers = new double[tensor.get_n_elements ()];
  for (int i = 0; i < numbers.length; i++)
    numbers[i] = tensor.get_value (i);
  return numbers;
}

void step (C2g.CaffeBlob weights, double[] gradients) throws Error {
  for (int i = 0; i < gradients.length; i++)
    weights.set_value_at (C2g.CaffeParts.DIFF, { i }, RATE * gradients[i]);
  weights.update ();
}

// Does a forward and a backward pass, and returns the loss.
double train (C2g.CaffeBlob hidden, C2g.CaffeBlob output) throws Error {
  var w = read_halves (hidden);
  var v = read_halves (output);
  var dw = new double[w.length];
  var dv = new double[v.length];
  var h = new double[N_HIDDEN];
  double loss = 0;

  for (int i = 0; i < SAMPLES.length[0]; i++) {
    // Two weights and a bias for each hidden number, one weight and a bias for the result.
    double a = SAMPLES[i, 0], b = SAMPLES[i, 1], error = v[N_HIDDEN] - SAMPLES[i, 2];
    for (int j = 0; j < N_HIDDEN; j++) {
      h[j] = Math.tanh (w[3 * j] * a + w[3 * j + 1] * b + w[3 * j + 2]);
      error += v[j] * h[j];
    }
    loss += error * error / 2;

    dv[N_HIDDEN] += error;
    for (int j = 0; j < N_HIDDEN; j++) {
      dv[j] += error * h[j];
      double slope = error * v[j] * (1 - h[j] * h[j]);
      dw[3 * j] += slope * a;
      dw[3 * j + 1] += slope * b;
      dw[3 * j + 2] += slope;
    }
  }

  step (hidden, dw);
  step (output, dv);
  return loss;
}

void run () throws Error {
  var hidden = new_weights (3 * N_HIDDEN);
  var output = new_weights (N_HIDDEN + 1);
  for (int i = 0; i <= N_STEPS; i++) {
    var loss = train (hidden, output);
    if (i % 40 == 0)
      print ("step %d: loss %.4f\n", i, loss);
  }

  foreach (C2g.DataType type in new C2g.DataType[] { FLOAT, FLOAT16 })
    print ("%s: %zu bytes\n", type.get_name (), hidden.data.get_cpu_memory_use (type));
}

int main () {
  Intl.setlocale ();

  try {
    run ();
  } catch (Error error) {
    printerr ("mixed-precision: %s\n", error.message);
    return 1;
  }

  return 0;
}
