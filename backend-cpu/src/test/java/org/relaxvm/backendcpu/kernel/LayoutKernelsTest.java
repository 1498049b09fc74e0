package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class LayoutKernelsTest {
  private static Tensor floats(long... dims) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(dims));
  }

  private static void refuses(String message, String name, @Nullable Object... args) {
    assertThatThrownBy(() -> Kernels.call(name, args))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
  }

  @Test
  void theLargestBeginsEndsAndStridesAreLegal() {
    assertThat(slice(0, Long.MAX_VALUE, Long.MAX_VALUE, 1)).containsExactly(0);
    assertThat(slice(1, Long.MAX_VALUE, 2, 2)).containsExactly(1, 3);
    assertThat(slice(-1, Long.MIN_VALUE, -1, 5)).containsExactly(4, 3, 2, 1, 0);
    assertThat(slice(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, 1)).containsExactly(4);
    assertThat(slice(4, 2, 1, 0)).isEmpty();
    assertThat(slice(-1, -1, -1, 0)).isEmpty();
  }

  private static float[] slice(long begin, long end, long stride, long length) {
    Tensor out = floats(length);
    Kernels.call(
        "strided_slice",
        Tensor.of(new float[] {0, 1, 2, 3, 4}, Shape.of(5)),
        Shape.of(0),
        Shape.of(begin),
        Shape.of(end),
        Shape.of(stride),
        out);
    return out.toFloatArray();
  }

  @Test
  void marginsMirrorRepeatOrGoRound() {
    assertThat(padded("constant")).containsExactly(9, 9, 1, 2, 3, 9, 9);
    assertThat(padded("reflect")).containsExactly(3, 2, 1, 2, 3, 2, 1);
    assertThat(padded("replicate")).containsExactly(1, 1, 1, 2, 3, 3, 3);
    assertThat(padded("circular")).containsExactly(2, 3, 1, 2, 3, 1, 2);
  }

  private static float[] padded(String mode) {
    Tensor out = floats(7);
    Tensor x = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    Kernels.call("pad", x, Shape.of(2, 2), mode, 9, out);
    return out.toFloatArray();
  }

  @Test
  void trianglesTakeAnyDiagonal() {
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    assertThat(triangle("tril", x, 0)).containsExactly(1, 0, 0, 4, 5, 0);
    assertThat(triangle("triu", x, 1)).containsExactly(0, 2, 3, 0, 0, 6);
    assertThat(triangle("tril", x, Long.MAX_VALUE)).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(triangle("triu", x, Long.MAX_VALUE)).containsOnly(0);
    assertThat(triangle("tril", x, Long.MIN_VALUE)).containsOnly(0);
    assertThat(triangle("triu", x, Long.MIN_VALUE)).containsExactly(1, 2, 3, 4, 5, 6);
  }

  private static float[] triangle(String name, Tensor x, long diagonal) {
    Tensor out = floats(2, 3);
    Kernels.call(name, x, diagonal, out);
    return out.toFloatArray();
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    Tensor x = floats(2, 3);
    refuses(
        "relaxvm.strided_slice: argument #1 'axes' must be distinct axes of a tensor of rank 2 but"
            + " is [1, -1]",
        "strided_slice",
        x,
        Shape.of(1, -1),
        Shape.of(0, 0),
        Shape.of(1, 1),
        null,
        x);
    refuses(
        "relaxvm.strided_slice: argument #2 'begin' must be 1 numbers, one for each of 'axes', but"
            + " is []",
        "strided_slice",
        x,
        Shape.of(1),
        Shape.of(),
        Shape.of(1),
        null,
        x);
    refuses(
        "relaxvm.strided_slice: argument #4 'strides' must be steps other than 0 but is [0]",
        "strided_slice",
        x,
        Shape.of(1),
        Shape.of(0),
        Shape.of(1),
        Shape.of(0),
        x);
    refuses(
        "relaxvm.strided_slice: argument #5 'out' must be shape [2, 1] but is shape [2, 3]",
        "strided_slice",
        x,
        Shape.of(1),
        Shape.of(0),
        Shape.of(1),
        null,
        x);
    refuses(
        "relaxvm.tile: argument #1 'repeats' must be numbers of at least 0 but is [-1]",
        "tile",
        x,
        Shape.of(-1),
        x);
    refuses(
        "relaxvm.tile: argument #2 'out' must be shape [2, 9223372036854775807] but is shape [2,"
            + " 3]",
        "tile",
        x,
        Shape.of(Long.MAX_VALUE / 2),
        x);
    refuses(
        "relaxvm.repeat: argument #1 'repeats' must be at least 0 but is -2",
        "repeat",
        x,
        -2,
        0,
        x);
    refuses(
        "relaxvm.repeat: argument #3 'out' must be shape [12] but is shape [2, 3]",
        "repeat",
        x,
        2,
        null,
        x);
    refuses(
        "relaxvm.flip: argument #0 'x' must be a tensor of rank 1 or more but is shape []",
        "flip",
        floats(),
        0,
        floats());
    refuses(
        "relaxvm.pad: argument #1 'pad_width' must be 4 numbers of at least 0 but is [0, 0, -1, 0]",
        "pad",
        x,
        Shape.of(0, 0, -1, 0),
        "constant",
        0,
        x);
    refuses(
        "relaxvm.pad: argument #1 'pad_width' must be at most 1 beside axis 0 of extent 2 for"
            + " reflect but is [2, 0, 0, 0]",
        "pad",
        x,
        Shape.of(2, 0, 0, 0),
        "reflect",
        0,
        floats(4, 3));
    refuses(
        "relaxvm.pad: argument #2 'pad_mode' must be 'constant', 'reflect', 'replicate' or"
            + " 'circular' but is 'edge'",
        "pad",
        x,
        Shape.of(0, 0, 0, 0),
        "edge",
        0,
        x);
    refuses(
        "relaxvm.tril: argument #0 'x' must be a tensor of rank 2 or more but is shape [3]",
        "tril",
        floats(3),
        0,
        floats(3));
  }
}
