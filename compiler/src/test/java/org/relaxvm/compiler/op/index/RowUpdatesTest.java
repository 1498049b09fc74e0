package org.relaxvm.compiler.op.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.refused;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Var;

class RowUpdatesTest {
  private final Var n = Var.index("n");

  @Test
  void derivesTheType() {
    is(
        RowUpdates.rowUpdate(floats(n, 5, 2), floats(n, 3, 2), ints(n), 1, false),
        "R.Tensor((n, 5, 2), dtype=\"float32\")");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    refused(
        RowUpdates.rowUpdate(floats(2, 5), floats(2, 3), ints(2), 0, false),
        "row_update: the axis must not be the first one, which has the rows");
    refused(
        RowUpdates.rowUpdate(floats(2, 5, 2), floats(2, 3, 4), ints(2), 1, false),
        "row_update: the extents of axis 2 of data and source must be equal, but are 2 and 4");
    refused(
        RowUpdates.rowUpdate(floats(2, 5), floats(2, 3), ints(3), 1, false),
        "row_update: the extents of the first axes of data and begin must be equal, but are 2 and"
            + " 3");
  }

  @Test
  void slicesGoOnAtTheBeginningOrEnd() {
    Tensor data = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    Tensor source = Tensor.of(new float[] {10, 20, 30, 40}, Shape.of(2, 2));
    Tensor begin = Tensor.of(new long[] {2, 0}, Shape.of(2));
    assertThat(
            Execution.text(
                RowUpdates.rowUpdate(floats(2, 3), floats(2, 2), ints(2), 1, false),
                data,
                source,
                begin))
        .isEqualTo("float32 [2, 3] [1.0, 2.0, 10.0, 30.0, 40.0, 6.0]");
    assertThat(
            Execution.text(
                RowUpdates.rowUpdate(floats(2, 3), floats(2, 2), ints(2), 1, true),
                data,
                source,
                begin))
        .isEqualTo("float32 [2, 3] [20.0, 2.0, 10.0, 30.0, 40.0, 6.0]");
  }
}
