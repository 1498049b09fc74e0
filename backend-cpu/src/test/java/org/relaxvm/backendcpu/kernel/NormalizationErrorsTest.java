package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Wrong arguments of normalizations and attention: each message is asserted whole. */
class NormalizationErrorsTest {
  private static Tensor floats(long... dims) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(dims));
  }

  private static void refuses(String message, String name, @Nullable Object... args) {
    assertThatThrownBy(() -> Kernels.call(name, args))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessage(message);
  }

  @Test
  void axesThatATensorDoesNotHave() {
    Tensor x = floats(2, 6);
    refuses(
        "relaxvm.layer_norm: argument #3 'axes' must be distinct axes of a tensor of rank 2 but is"
            + " [2]",
        "layer_norm",
        x,
        null,
        null,
        Shape.of(2),
        1e-5,
        x);
    refuses(
        "relaxvm.rms_norm: argument #2 'axes' must be distinct axes of a tensor of rank 2 but is"
            + " [1, -1]",
        "rms_norm",
        x,
        null,
        Shape.of(1, -1),
        1e-5,
        x);
    refuses(
        "relaxvm.group_norm: argument #5 'axes' must be axes without 1, that of the channels, but"
            + " is [0, 1]",
        "group_norm",
        x,
        null,
        null,
        3,
        1,
        Shape.of(0, 1),
        1e-5,
        x);
    refuses(
        "relaxvm.group_norm: argument #0 'x' must be a tensor of rank 1 or more but is shape []",
        "group_norm",
        floats(),
        null,
        null,
        1,
        0,
        Shape.of(),
        1e-5,
        floats());
    refuses(
        "relaxvm.batch_norm: argument #5 'axis' must be an axis from -2 to 1 but is -3",
        "batch_norm",
        x,
        null,
        null,
        floats(6),
        floats(6),
        -3,
        1e-5,
        x);
  }

  @Test
  void factorsThatDoNotFit() {
    Tensor x = floats(2, 6);
    refuses(
        "relaxvm.layer_norm: argument #1 'gamma' must be shape [6] but is shape [2]",
        "layer_norm",
        x,
        floats(2),
        null,
        Shape.of(-1),
        1e-5,
        x);
    refuses(
        "relaxvm.batch_norm: argument #4 'variance' must be shape [2] but is shape [6]",
        "batch_norm",
        x,
        null,
        null,
        floats(2),
        floats(6),
        0,
        1e-5,
        x);
    refuses(
        "relaxvm.group_norm: argument #3 'num_groups' must be a divisor of 6 but is 4",
        "group_norm",
        x,
        null,
        null,
        4,
        1,
        Shape.of(),
        1e-5,
        x);
  }

  @Test
  void attentionWhoseTensorsDoNotFit() {
    Tensor q = floats(2, 3, 4, 5);
    attention(
        "argument #0 'q' must be rank 4 but is shape [3, 4, 5]",
        floats(3, 4, 5),
        q,
        q,
        null,
        "none");
    attention(
        "argument #1 'k' must be shape [2, sk, nk, 5] but is shape [2, 3, 4, 6]",
        q,
        floats(2, 3, 4, 6),
        q,
        null,
        "none");
    attention(
        "argument #1 'k' must be a tensor whose number of heads divides 4 but is shape"
            + " [2, 3, 3, 5]",
        q,
        floats(2, 3, 3, 5),
        q,
        null,
        "none");
    attention(
        "argument #2 'v' must be shape [2, 3, 4, dv] but is shape [2, 7, 4, 5]",
        q,
        q,
        floats(2, 7, 4, 5),
        null,
        "none");
    attention(
        "argument #3 'bias' must be a shape that broadcasts to [2, 4, 3, 3] but is shape [5]",
        q,
        q,
        q,
        floats(5),
        "none");
    attention(
        "argument #5 'causal_mask' must be 'none', 'TopLeft' or 'BottomRight' but is 'topleft'",
        q,
        q,
        q,
        null,
        "topleft");
  }

  private static void attention(
      String message, Tensor q, Tensor k, Tensor v, @Nullable Tensor bias, String mask) {
    refuses(
        "relaxvm.attention: " + message,
        "attention",
        q,
        k,
        v,
        bias,
        null,
        mask,
        floats(2, 3, 4, 5));
  }
}
