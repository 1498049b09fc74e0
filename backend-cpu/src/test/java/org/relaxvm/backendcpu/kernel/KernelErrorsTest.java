package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Wrong arguments: each message is asserted whole. */
class KernelErrorsTest {
  private static final Shape ONE = Shape.of(1, 1);
  private static final Shape NO_PADDING = Shape.of(0, 0, 0, 0);
  private static final String FLOATS = "float16, bfloat16, float32 or float64";

  private static Tensor floats(long... dims) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(dims));
  }

  private static void refuses(
      ErrorKind kind, String message, String name, @Nullable Object... args) {
    assertThatThrownBy(() -> Kernels.call(name, args))
        .isInstanceOfSatisfying(CallException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessage(message);
  }

  private static void refuses(String message, String name, @Nullable Object... args) {
    refuses(ErrorKind.VALUE, message, name, args);
  }

  @Test
  void argumentsOfAnotherNumberOrKind() {
    refuses(
        ErrorKind.TYPE,
        "relaxvm.add(a, b, out) takes 3 arguments, but got 2",
        "add",
        floats(1),
        floats(1));
    refuses(
        ErrorKind.TYPE,
        "relaxvm.add: argument #1 'b' must be a tensor but is int",
        "add",
        floats(1),
        3,
        floats(1));
    refuses(
        ErrorKind.TYPE,
        "relaxvm.softmax: argument #1 'axis' must be an int but is float",
        "softmax",
        floats(1),
        1.0,
        floats(1));
    refuses(
        ErrorKind.TYPE,
        "relaxvm.matmul: argument #2 'bias' must be a tensor or null but is ffi.String",
        "matmul",
        floats(1, 1),
        floats(1, 1),
        "none",
        false,
        false,
        "none",
        floats(1, 1));
  }

  @Test
  void tensorsOfAnotherDtype() {
    Tensor ints = Tensor.zeros(DType.INT32, Shape.of(2));
    refuses(
        ErrorKind.TYPE,
        "relaxvm.exp: argument #0 'x' must be a tensor of " + FLOATS + " but is int32[2] on cpu:0",
        "exp",
        ints,
        ints);
    refuses(
        ErrorKind.TYPE,
        "relaxvm.add: argument #2 'out' must be a tensor of float32, the dtype of 'a', but is"
            + " int32[2] on cpu:0",
        "add",
        floats(2),
        floats(2),
        ints);
    try (Tuple mixed = Tuple.of(floats(2), ints);
        Tuple none = Tuple.of()) {
      refuses(
          ErrorKind.TYPE,
          "relaxvm.concat: argument #0 'xs' must be a tuple of tensors of one dtype of float16,"
              + " bfloat16, float32, float64, int8 to int64, uint8 to uint64 or bool but is a tuple"
              + " whose field 1 is int32[2] on cpu:0",
          "concat",
          mixed,
          0,
          floats(4));
      refuses(
          ErrorKind.TYPE,
          "relaxvm.concat: argument #0 'xs' must be a tuple of at least one tensor but is []",
          "concat",
          none,
          0,
          floats(4));
    }
  }

  @Test
  void shapesThatDoNotBroadcast() {
    refuses(
        "relaxvm.add: argument #1 'b' must be a shape that broadcasts to [2, 3] but is shape [2]",
        "add",
        floats(2, 3),
        floats(2),
        floats(2, 3));
    refuses(
        "relaxvm.add: argument #2 'out' must be the broadcast shape of the inputs, none of which"
            + " has axis 0 but is shape [2, 3]",
        "add",
        floats(3),
        floats(1, 3),
        floats(2, 3));
  }

  @Test
  void matrixProductsThatDoNotFit() {
    refuses(
        "relaxvm.matmul: argument #1 'b' must be a matrix of 3 rows to multiply [2, 3] with but is"
            + " shape [4, 5]",
        "matmul",
        floats(2, 3),
        floats(4, 5),
        null,
        false,
        false,
        "none",
        floats(2, 5));
    refuses(
        "relaxvm.matmul: argument #6 'out' must be shape [2, 5] but is shape [5, 2]",
        "matmul",
        floats(2, 3),
        floats(5, 3),
        null,
        false,
        true,
        "none",
        floats(5, 2));
    refuses(
        "relaxvm.matmul: argument #0 'a' must be a tensor of rank 2 or more but is shape [3]",
        "matmul",
        floats(3),
        floats(3, 3),
        null,
        false,
        false,
        "none",
        floats(3));
    refuses(
        "relaxvm.matmul: argument #1 'b' must be a shape whose leading axes broadcast with those of"
            + " [2, 1, 1] but is shape [3, 1, 1]",
        "matmul",
        floats(2, 1, 1),
        floats(3, 1, 1),
        null,
        false,
        false,
        "none",
        floats(2, 1, 1));
  }

  @Test
  void activationsThatDoNotExistOrDoNotFit() {
    refuses(
        "relaxvm.matmul: unknown activation 'swish'; expected none, relu, gelu, silu, sigmoid or"
            + " tanh",
        "matmul",
        floats(1, 1),
        floats(1, 1),
        null,
        false,
        false,
        "swish",
        floats(1, 1));
    Tensor ints = Tensor.zeros(DType.INT32, ONE);
    refuses(
        "relaxvm.matmul: argument #5 'activation' must be 'none' or 'relu' for int32 but is 'tanh'",
        "matmul",
        ints,
        ints,
        null,
        false,
        false,
        "tanh",
        ints);
  }

  @Test
  void convolutionsThatDoNotFit() {
    convolution(
        "relaxvm.conv2d: argument #0 'data' must be rank 4 but is shape [3, 8, 8]",
        floats(3, 8, 8),
        floats(4, 3, 3, 3),
        ONE,
        1,
        floats(1, 4, 6, 6));
    convolution(
        "relaxvm.conv2d: argument #1 'weight' must be a shape [o, 3, kh, kw] for 3 input channels"
            + " in 1 groups but is shape [4, 2, 3, 3]",
        floats(1, 3, 8, 8),
        floats(4, 2, 3, 3),
        ONE,
        1,
        floats(1, 4, 6, 6));
    convolution(
        "relaxvm.conv2d: argument #6 'groups' must be a positive divisor of 3 input and 4 output"
            + " channels but is 2",
        floats(1, 3, 8, 8),
        floats(4, 3, 3, 3),
        ONE,
        2,
        floats(1, 4, 6, 6));
    convolution(
        "relaxvm.conv2d: argument #3 'strides' must be 2 numbers of at least 1 but is [0, 1]",
        floats(1, 3, 8, 8),
        floats(4, 3, 3, 3),
        Shape.of(0, 1),
        1,
        floats(1, 4, 6, 6));
    convolution(
        "relaxvm.conv2d: argument #8 'out' must be shape [1, 4, 6, 6] but is shape [1, 4, 8, 8]",
        floats(1, 3, 8, 8),
        floats(4, 3, 3, 3),
        ONE,
        1,
        floats(1, 4, 8, 8));
    convolution(
        "relaxvm.conv2d: argument #1 'weight' must be a shape whose last two extents are at least 1"
            + " but is shape [4, 3, 0, 3]",
        floats(1, 3, 8, 8),
        floats(4, 3, 0, 3),
        ONE,
        1,
        floats(1, 4, 8, 8));
  }

  private static void convolution(
      String message, Tensor data, Tensor weight, Shape strides, long groups, Tensor out) {
    refuses(message, "conv2d", data, weight, null, strides, NO_PADDING, ONE, groups, "none", out);
  }

  @Test
  void poolsThatDoNotFit() {
    refuses(
        "relaxvm.max_pool2d: argument #3 'padding' must be 4 numbers of at least 0 but is [1, 1]",
        "max_pool2d",
        floats(1, 1, 4, 4),
        Shape.of(2, 2),
        ONE,
        ONE,
        ONE,
        false,
        floats(1, 1, 3, 3));
    refuses(
        "relaxvm.avg_pool2d: argument #7 'out' must be shape [1, 1, 3, 3] but is shape [1, 1, 2,"
            + " 2]",
        "avg_pool2d",
        floats(1, 1, 4, 4),
        Shape.of(2, 2),
        ONE,
        NO_PADDING,
        ONE,
        false,
        false,
        floats(1, 1, 2, 2));
  }

  @Test
  void axesThatDoNotExist() {
    refuses(
        "relaxvm.softmax: argument #1 'axis' must be an axis from -2 to 1 but is 2",
        "softmax",
        floats(2, 3),
        2,
        floats(2, 3));
    refuses(
        "relaxvm.softmax: argument #0 'x' must be a tensor of rank 1 or more but is shape []",
        "softmax",
        floats(),
        0,
        floats());
    refuses(
        "relaxvm.sum: argument #1 'axes' must be distinct axes of a tensor of rank 2 but is [0,"
            + " -2]",
        "sum",
        floats(2, 3),
        Shape.of(0, -2),
        false,
        floats(3));
    refuses(
        "relaxvm.permute_dims: argument #1 'axes' must be a permutation of 2 axes but is [0, 0]",
        "permute_dims",
        floats(2, 3),
        Shape.of(0, 0),
        floats(2, 3));
  }

  @Test
  void reductionsThatDoNotFit() {
    refuses(
        "relaxvm.mean: argument #3 'out' must be shape [2, 1] but is shape [2]",
        "mean",
        floats(2, 3),
        Shape.of(1),
        true,
        floats(2));
    refuses(
        "relaxvm.min: argument #0 'x' must be not empty along the reduced axes but is shape [0, 0]",
        "min",
        floats(0, 0),
        Shape.of(1),
        false,
        floats(0));
    refuses(
        "relaxvm.max: argument #0 'x' must be not empty along the reduced axes but is shape [2, 0]",
        "max",
        floats(2, 0),
        Shape.of(1),
        false,
        floats(2));
  }

  @Test
  void movesThatDoNotFit() {
    refuses(
        "relaxvm.reshape: argument #1 'out' must be a shape of 6 elements as [2, 3] but is shape"
            + " [5]",
        "reshape",
        floats(2, 3),
        floats(5));
    try (Tuple parts = Tuple.of(floats(2, 3), floats(3, 3))) {
      refuses(
          "relaxvm.concat: argument #0 'xs' must be of shapes that equal [2, 6], the shape of"
              + " 'out', but for axis 1 but is of shape [3, 3] in field 1",
          "concat",
          parts,
          1,
          floats(2, 6));
      refuses(
          "relaxvm.concat: argument #2 'out' must be a shape of extent 5 along axis 0 but is shape"
              + " [6, 3]",
          "concat",
          parts,
          0,
          floats(6, 3));
    }
    refuses(
        "relaxvm.arange: argument #2 'out' must be rank 1 but is shape [2, 2]",
        "arange",
        0,
        1,
        floats(2, 2));
  }

  @Test
  void memoryThatCannotBeUsed() {
    Tensor closed = floats(2);
    closed.close();
    refuses(
        "relaxvm.exp: argument #0 'x' must be an open tensor but is closed",
        "exp",
        closed,
        floats(2));
    Tensor constant =
        Tensor.wrap(MemorySegment.ofArray(new float[2]).asReadOnly(), DType.FLOAT32, Shape.of(2));
    refuses(
        "relaxvm.exp: argument #1 'out' must be writable memory but is read-only",
        "exp",
        floats(2),
        constant);
    refuses(
        "relaxvm.exp: argument #1 'out' must be a tensor without repeated elements but is repeated"
            + " along axis 0 (stride 0)",
        "exp",
        floats(2),
        floats(1).stridedView(Shape.of(2), new long[] {0}, 0));
  }

  @Test
  void readOnlyAndHeapMemoryMayBeRead() {
    Tensor constant =
        Tensor.wrap(
            MemorySegment.ofArray(new float[] {1, 4}).asReadOnly(), DType.FLOAT32, Shape.of(2));
    Tensor out = floats(2);
    Kernels.call("sqrt", constant, out);
    assertThat(out.toFloatArray()).containsExactly(1, 2);
  }
}
