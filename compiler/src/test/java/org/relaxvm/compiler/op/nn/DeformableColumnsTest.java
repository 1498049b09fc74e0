package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;

class DeformableColumnsTest {
  private static Call columns(RelaxVar data, RelaxVar offset, RelaxVar mask, int groups) {
    return DeformableColumns.deformableColumns(
        data, offset, Optional.of(mask), PoolOptions.of(1, 2), groups);
  }

  @Test
  void derivesTheShape() {
    RelaxVar data = floats("x", symbol("n"), 2, 4, 5);
    RelaxVar offset = floats("o", symbol("n"), 4, 4, symbol("w"));
    assertThat(
            textOf(
                DeformableColumns.deformableColumns(
                    data, offset, Optional.empty(), PoolOptions.of(1, 2), 1)))
        .isEqualTo("R.Tensor((n, 2, 2, 4, w), dtype=\"float32\")");
    assertThat(
            textOf(
                DeformableColumns.deformableColumns(
                    unknown("x"), offset, Optional.empty(), PoolOptions.of(1, 2), 1)))
        .isEqualTo("R.Tensor(ndim=5)");
  }

  static Stream<Arguments> mistakes() {
    RelaxVar data = floats("x", 1, 3, 2, 2);
    RelaxVar offset = floats("o", 1, 4, 2, 1);
    RelaxVar mask = floats("m", 1, 2, 2, 1);
    return Stream.of(
        Arguments.of(
            columns(data, mask, mask, 1),
            "nn.deformable_columns: the argument offset must be a tensor of 4 channels, but is"
                + " R.Tensor((1, 2, 2, 1), dtype=\"float32\")"),
        Arguments.of(
            columns(data, offset, offset, 1),
            "nn.deformable_columns: the argument mask must be a tensor of 2 channels, but is"
                + " R.Tensor((1, 4, 2, 1), dtype=\"float32\")"),
        Arguments.of(
            columns(data, floats("o", 1, 8, 2, 1), floats("m", 1, 4, 2, 1), 2),
            "nn.deformable_columns: the 3 channels cannot be divided into 2 groups of offsets"),
        Arguments.of(
            columns(data, offset, mask, 0),
            "nn.deformable_columns: offset_groups must be from 1 to 2147483647, but is 0"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void interpolatesBetweenElements() {
    Tensor data = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(1, 1, 2, 2));
    // Of the first element half a row down, of the second one a column to the right.
    float[] apart = {0.5f, 0, 0, 0, 0, 0, 1, 0.25f};
    Tensor offset = Tensor.of(apart, Shape.of(1, 4, 2, 1));
    Tensor mask = Tensor.of(new float[] {1, 2, 1, 4}, Shape.of(1, 2, 2, 1));
    Call call =
        columns(floats("x", 1, 1, 2, 2), floats("o", 1, 4, 2, 1), floats("m", 1, 2, 2, 1), 1);
    Tensor result = compute(call, data, offset, mask).getFirst();
    assertThat(result.shape()).isEqualTo(Shape.of(1, 1, 2, 2, 1));
    assertThat(result.toFloatArray()).containsExactly(2, 6, 0, 12);
  }
}
