package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class RowBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  private static Tensor row(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private Tuple rows(long expected) {
    return vm.call("relaxvm.rows", expected).asTuple();
  }

  private Tuple appended(Tuple rows, Tensor row) {
    return vm.call("relaxvm.rows_append", rows, row).asTuple();
  }

  private Tensor tensor(Tuple rows) {
    return vm.call("relaxvm.rows_tensor", rows, Shape.of(2), DType.FLOAT32).asTensor();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 50, 1000})
  void rowsBecomeATensor(long expected) {
    Tuple rows = rows(expected);
    for (int i = 0; i < 50; i++) {
      Tuple next = appended(rows, row(i, -i));
      rows.close();
      rows = next;
    }
    Tensor tensor = tensor(rows);
    assertThat(tensor.shape()).isEqualTo(Shape.of(50, 2));
    assertThat(tensor.doubleAt(49, 1)).isEqualTo(-49);
    assertThat(tensor.doubleAt(7, 0)).isEqualTo(7);
    rows.close();
    tensor.close();
    assertThat(vm.allocator(-1).liveBlocks() + vm.allocator(0).liveBlocks()).isZero();
  }

  @Test
  void eachTupleKeepsItsRows() {
    Tuple one = appended(rows(8), row(1, 1));
    Tensor before = tensor(one);
    Tuple two = appended(one, row(2, 2));
    Tuple other = appended(one, row(3, 3));
    assertThat(before.toFloatArray()).containsExactly(1, 1);
    assertThat(tensor(one).toFloatArray()).containsExactly(1, 1);
    assertThat(tensor(two).toFloatArray()).containsExactly(1, 1, 2, 2);
    assertThat(tensor(other).toFloatArray()).containsExactly(1, 1, 3, 3);
  }

  @Test
  void withoutRowsTheTensorIsEmpty() {
    assertThat(tensor(rows(5)).shape()).isEqualTo(Shape.of(0, 2));
  }

  @Test
  void rowsOfAnotherShapeAreRefused() {
    Tuple one = appended(rows(0), row(1, 1));
    assertFails(
        ErrorKind.VALUE,
        "all iterations must give tensors of one shape, but iteration 1 gives float32[1] on cpu:0,"
            + " and the first one [2]",
        () -> appended(one, row(1)));
  }
}
