package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.ofRank;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;

class PaddingTest {
  private static final RelaxVar X = floats("x", 2, 3);

  @Test
  void derivesTheShape() {
    assertThat(textOf(Padding.pad(X, List.of(1L, 2L, 0L, -1L), 0)))
        .isEqualTo("R.Tensor((5, 2), dtype=\"float32\")");
    assertThat(textOf(Padding.pad(X, List.of(-3L, 0L, 0L, 0L), 0)))
        .isEqualTo("R.Tensor((0, 3), dtype=\"float32\")");
    assertThat(textOf(Padding.pad(floats("x", symbol("n"), 3), List.of(1L, 2L, 0L, 0L), 0)))
        .isEqualTo("R.Tensor((n + 3, 3), dtype=\"float32\")");
    assertThat(textOf(Padding.pad(unknown("x"), List.of(1L, 2L, 0L, 0L), 0)))
        .isEqualTo("R.Tensor(ndim=2)");
    assertThat(textOf(Padding.pad(tensor("x", DType.BOOL, 3), List.of(2L, 2L), "reflect")))
        .isEqualTo("R.Tensor((7,), dtype=\"bool\")");
    assertThat(textOf(Padding.pixelShuffle(floats("x", symbol("n"), 8, 2, symbol("w")), 2)))
        .isEqualTo("R.Tensor((n, 2, 4, w * 2), dtype=\"float32\")");
    assertThat(textOf(Padding.pixelShuffle(ofRank("x", DType.INT8, 3), 2)))
        .isEqualTo("R.Tensor(dtype=\"int8\", ndim=3)");
    assertThat(textOf(Padding.batchFlatten(floats("x", symbol("n"), 2, 3, 4))))
        .isEqualTo("R.Tensor((n, 24), dtype=\"float32\")");
    assertThat(textOf(Padding.batchFlatten(unknown("x")))).isEqualTo("R.Tensor(ndim=2)");
    assertThat(Padding.pad(X, List.of(1L, 2L, 0L, 0L), 0.5))
        .hasToString("R.nn.pad(x, pad_width=[1, 2, 0, 0], pad_value=0.5, pad_mode=constant)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Padding.pad(X, List.of(1L, 1L), 0),
            "nn.pad: pad_width must be two numbers for each of 2 axes, but is [1, 1]"),
        Arguments.of(
            Padding.pad(unknown("x"), List.of(1L), 0),
            "nn.pad: pad_width must be two numbers for each axis, but is [1]"),
        Arguments.of(
            Padding.pad(X, List.of(0L, 0L, -1L, 0L), "reflect"),
            "nn.pad: pad_width must be at least 0 unless a constant is padded, but is"
                + " [0, 0, -1, 0]"),
        Arguments.of(
            Padding.pad(X, List.of(0L, 0L, 3L, 0L), "reflect"),
            "nn.pad: pad_width of axis 1 must be at most 2, for the extent is 3, but is 3"),
        Arguments.of(
            Padding.pad(X, List.of(0L, 0L, 0L, 4L), "circular"),
            "nn.pad: pad_width of axis 1 must be at most 3, for the extent is 3, but is 4"),
        Arguments.of(
            Padding.pad(floats("x", 0), List.of(0L, 1L), "replicate"),
            "nn.pad: pad_width of axis 0 must be at most 0, for the extent is 0, but is 1"),
        Arguments.of(
            Padding.pad(X, List.of(0L, 0L, 0L, 1L), "mirror"),
            "nn.pad: pad_mode must be \"constant\", \"reflect\", \"replicate\" or \"circular\","
                + " but is \"mirror\""),
        Arguments.of(
            Padding.pixelShuffle(X, 2),
            "nn.pixel_shuffle: the argument data must be a tensor with 3 axes or more, but is"
                + " R.Tensor((2, 3), dtype=\"float32\")"),
        Arguments.of(
            Padding.pixelShuffle(floats("x", 6, 2, 2), 2),
            "nn.pixel_shuffle: the 6 channels cannot be divided by 4, the square of"
                + " upscale_factor"),
        Arguments.of(
            Padding.pixelShuffle(floats("x", 6, 2, 2), 0),
            "nn.pixel_shuffle: upscale_factor must be from 1 to 32767, but is 0"),
        Arguments.of(
            Padding.batchFlatten(floats("x")),
            "nn.batch_flatten: the argument data must be a tensor with 1 axis or more, but is"
                + " R.Tensor((), dtype=\"float32\")"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void computesEachMode() {
    RelaxVar line = tensor("x", DType.INT32, 3);
    Tensor data = Tensor.of(new int[] {1, 2, 3}, Shape.of(3));
    List<Long> widths = List.of(2L, 1L);
    assertThat(compute(Padding.pad(line, widths, 7), data).getFirst().toLongArray())
        .containsExactly(7, 7, 1, 2, 3, 7);
    assertThat(compute(Padding.pad(line, widths, "reflect"), data).getFirst().toLongArray())
        .containsExactly(3, 2, 1, 2, 3, 2);
    assertThat(compute(Padding.pad(line, widths, "replicate"), data).getFirst().toLongArray())
        .containsExactly(1, 1, 1, 2, 3, 3);
    assertThat(compute(Padding.pad(line, widths, "circular"), data).getFirst().toLongArray())
        .containsExactly(2, 3, 1, 2, 3, 1);
    assertThat(compute(Padding.pad(line, List.of(-1L, 1L), 0), data).getFirst().toLongArray())
        .containsExactly(2, 3, 0);
  }

  @Test
  void computesOtherPlaces() {
    Tensor data = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(4, 1, 1));
    assertThat(compute(Padding.pixelShuffle(floats("x", 4, 1, 1), 2), data).getFirst().shape())
        .isEqualTo(Shape.of(1, 2, 2));
    assertThat(compute(Padding.batchFlatten(floats("x", 4, 1, 1)), data).getFirst().shape())
        .isEqualTo(Shape.of(4, 1));
  }
}
