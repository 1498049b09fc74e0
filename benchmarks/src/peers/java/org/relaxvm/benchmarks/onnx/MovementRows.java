package org.relaxvm.benchmarks.onnx;

import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/** Calls that move elements or put them in order. */
final class MovementRows {
  private MovementRows() {}

  static List<Row> all() {
    return List.of(
        transpose("matrix [512, 1024]", new long[] {512, 1024}, 1, 0),
        transpose("heads [1, 512, 8, 64]", new long[] {1, 512, 8, 64}, 0, 2, 1, 3),
        transpose("to channels last [1, 64, 56, 56]", new long[] {1, 64, 56, 56}, 0, 2, 3, 1),
        transpose("to channels first [1, 56, 56, 64]", new long[] {1, 56, 56, 64}, 0, 3, 1, 2),
        concat(),
        slice("columns 128 to 895", 128, 896, 1),
        slice("every other column", 0, 1024, 2),
        pad(),
        take(),
        broadcast(),
        largest(10),
        largest(1000));
  }

  private static Row transpose(String what, long[] dims, int... axes) {
    Tensor x = Row.random(1, dims);
    long[] outDims = new long[dims.length];
    long[] permutation = new long[dims.length];
    for (int i = 0; i < dims.length; i++) {
      outDims[i] = dims[axes[i]];
      permutation[i] = axes[i];
    }
    Tensor out = Row.zeros(outDims);
    return new Row(
        "movement: transpose " + what,
        "permute_dims",
        OnnxModel.of("Transpose").input("x", dims).attribute("perm", permutation),
        List.of(x),
        out,
        args(x, Shape.of(permutation), out),
        0);
  }

  private static Row concat() {
    Tensor a = Row.random(1, 512, 512);
    Tensor b = Row.random(2, 512, 512);
    Tensor out = Row.zeros(512, 1024);
    return new Row(
        "movement: concat of two [512, 512] along the last axis",
        "concat",
        OnnxModel.of("Concat").input("a", 512, 512).input("b", 512, 512).attribute("axis", 1),
        List.of(a, b),
        out,
        args(Tuple.of(a, b), 1, out),
        0);
  }

  private static Row slice(String what, long begin, long end, long step) {
    Tensor x = Row.random(1, 512, 1024);
    Tensor out = Row.zeros(512, (end - begin) / step);
    return new Row(
        "movement: slice [512, 1024], " + what,
        "strided_slice",
        OnnxModel.of("Slice")
            .input("x", 512, 1024)
            .indices("starts", begin)
            .indices("ends", end)
            .indices("axes", 1)
            .indices("steps", step),
        List.of(x),
        out,
        args(x, Shape.of(1), Shape.of(begin), Shape.of(end), Shape.of(step), out),
        0);
  }

  private static Row pad() {
    Tensor x = Row.random(1, 1, 64, 56, 56);
    Tensor out = Row.zeros(1, 64, 58, 58);
    return new Row(
        "movement: pad [1, 64, 56, 56] by 1",
        "pad",
        OnnxModel.of("Pad").input("x", 1, 64, 56, 56).indices("pads", 0, 0, 1, 1, 0, 0, 1, 1),
        List.of(x),
        out,
        args(x, Shape.of(0, 0, 0, 0, 1, 1, 1, 1), "constant", 0, out),
        0);
  }

  private static Row take() {
    Tensor x = Row.random(1, 4096, 256);
    long[] indices = new Random(1).longs(512, 0, 4096).toArray();
    Tensor out = Row.zeros(512, 256);
    return new Row(
        "movement: take 512 rows of [4096, 256]",
        "take",
        OnnxModel.of("Gather").input("x", 4096, 256).indices("indices", indices),
        List.of(x),
        out,
        args(x, Tensor.of(indices, Shape.of(512)), 0, "fast", out),
        0);
  }

  private static Row broadcast() {
    Tensor x = Row.random(1, 512, 1);
    Tensor out = Row.zeros(512, 1024);
    return new Row(
        "movement: broadcast [512, 1] to [512, 1024]",
        "copy",
        OnnxModel.of("Expand").input("x", 512, 1).indices("shape", 512, 1024),
        List.of(x),
        out,
        args(x, out),
        0);
  }

  private static Row largest(long count) {
    Tensor x = Row.random(1, 512, 1000);
    Tensor out = Row.zeros(512, count);
    return new Row(
        "movement: the %d largest of each row of [512, 1000], in order".formatted(count),
        "topk",
        OnnxModel.of("TopK").input("x", 512, 1000).indices("k", count).indicesOutput(512, count),
        List.of(x),
        out,
        args(x, 1, true, out),
        0);
  }

  private static Object[] args(@Nullable Object... args) {
    return args;
  }
}
