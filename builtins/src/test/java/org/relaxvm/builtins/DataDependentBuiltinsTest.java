package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class DataDependentBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  @Test
  void aShapeBecomesATensor() {
    Tensor tensor = vm.call("relax.run.shape_to_tensor", Shape.of(4, 0, -1)).asTensor();
    assertThat(tensor).hasToString("int64[3] on cpu:0");
    assertThat(tensor.toLongArray()).containsExactly(4, 0, -1);
  }

  @Test
  void uniqueElementsAreSorted() {
    Tensor x = Tensor.of(new int[] {3, -1, 3, 2, -1, 3}, Shape.of(2, 3));
    Tensor values = vm.call("relax.run.unique", x, true, false, false, false).asTensor();
    assertThat(values).hasToString("int32[3] on cpu:0");
    assertThat(values.toLongArray()).containsExactly(-1, 2, 3);
  }

  @Test
  void uniqueGivesFirstIndicesInverseAndCounts() {
    Tensor x = Tensor.of(new int[] {3, -1, 3, 2, -1, 3}, Shape.of(2, 3));
    Tuple all = vm.call("relax.run.unique", x, 1, 1, 1, 1, null).asTuple();
    assertThat(all.size()).isEqualTo(4);
    assertThat(all.at(0).asTensor().toLongArray()).containsExactly(-1, 2, 3);
    assertThat(all.at(1).asTensor().toLongArray()).containsExactly(1, 3, 0);
    assertThat(all.at(2).asTensor().toLongArray()).containsExactly(2, 0, 2, 1, 0, 2);
    assertThat(all.at(3).asTensor().toLongArray()).containsExactly(2, 1, 3);
    Tuple counted = vm.call("relax.run.unique", x, 1, 0, 0, 1).asTuple();
    assertThat(counted.size()).isEqualTo(2);
    assertThat(counted.at(1).asTensor().toLongArray()).containsExactly(2, 1, 3);
  }

  @Test
  void unsortedUniqueElementsAreInTheOrderOfTheirFirstOccurrence() {
    Tensor x = Tensor.of(new int[] {3, -1, 3, 2, -1, 3}, Shape.of(2, 3));
    Tensor values = vm.call("relax.run.unique", x, false, false, false, false).asTensor();
    assertThat(values.toLongArray()).containsExactly(3, -1, 2);
    Tuple all = vm.call("relax.run.unique", x, 0, 1, 1, 1).asTuple();
    assertThat(all.at(0).asTensor().toLongArray()).containsExactly(3, -1, 2);
    assertThat(all.at(1).asTensor().toLongArray()).containsExactly(0, 1, 3);
    assertThat(all.at(2).asTensor().toLongArray()).containsExactly(0, 1, 0, 2, 1, 0);
    assertThat(all.at(3).asTensor().toLongArray()).containsExactly(3, 2, 1);
  }

  @Test
  void unsortedUniqueSlicesAreInTheOrderOfTheirFirstOccurrence() {
    Tensor x = Tensor.of(new float[] {5, 1, 5, 0, 6, 2, 6, 0}, Shape.of(2, 4));
    Tuple columns = vm.call("relax.run.unique", x, 0, 1, 1, 1, 1).asTuple();
    assertThat(columns.at(0).asTensor().toFloatArray()).containsExactly(5, 1, 0, 6, 2, 0);
    assertThat(columns.at(1).asTensor().toLongArray()).containsExactly(0, 1, 3);
    assertThat(columns.at(2).asTensor().toLongArray()).containsExactly(0, 1, 0, 2);
    assertThat(columns.at(3).asTensor().toLongArray()).containsExactly(2, 1, 1);
  }

  @Test
  void uniqueSlicesAlongAnAxis() {
    Tensor x =
        Tensor.of(
            new float[] {
              2, 1, 2, //
              5, 4, 5
            },
            Shape.of(2, 3));
    Tuple columns = vm.call("relax.run.unique", x, 1, 1, 0, 0, -1).asTuple();
    assertThat(columns.at(0).asTensor().shape()).isEqualTo(Shape.of(2, 2));
    assertThat(columns.at(0).asTensor().toFloatArray()).containsExactly(1, 2, 4, 5);
    assertThat(columns.at(1).asTensor().toLongArray()).containsExactly(1, 0);
    Tensor rows = vm.call("relax.run.unique", x, 1, 0, 0, 0, 0).asTensor();
    assertThat(rows.toFloatArray()).containsExactly(2, 1, 2, 5, 4, 5);
  }

  @Test
  void notANumberIsLastAndOneValueAndZeroHasNoSign() {
    Tensor x = Tensor.of(new float[] {Float.NaN, -0f, 1, Float.NaN, 0f}, Shape.of(5));
    Tensor values = vm.call("relax.run.unique", x, 1, 0, 0, 0).asTensor();
    assertThat(values.toFloatArray()).hasSize(3);
    assertThat(values.toFloatArray()[0]).isZero();
    assertThat(values.toFloatArray()[1]).isEqualTo(1f);
    assertThat(values.toFloatArray()[2]).isNaN();
  }

  @Test
  void unsignedIntegersAreSortedAsSuch() {
    Tensor x = Tensor.of(new long[] {-1, 1}, Shape.of(2)).reinterpret(Shape.of(2), DType.UINT64);
    Tensor values = vm.call("relax.run.unique", x, 1, 0, 0, 0).asTensor();
    assertThat(values.toLongArray()).containsExactly(1, -1);
  }

  @Test
  void emptyAndScalarTensorsHaveUniqueElements() {
    Tensor none = Tensor.zeros(DType.INT64, Shape.of(0, 3));
    assertThat(vm.call("relax.run.unique", none, 1, 0, 0, 0).asTensor().shape())
        .isEqualTo(Shape.of(0));
    assertThat(vm.call("relax.run.unique", Tensor.scalar(5L), 1, 0, 0, 0).asTensor().toLongArray())
        .containsExactly(5);
  }

  @Test
  void anAxisOutsideOfTheTensorIsRefused() {
    assertFails(
        ErrorKind.INDEX,
        "axis 2 is out of bounds for a tensor of 2 dimensions",
        () -> vm.call("relax.run.unique", Tensor.zeros(DType.INT8, Shape.of(1, 1)), 1, 0, 0, 0, 2));
  }

  @Test
  void moreSlicesThanAJavaArrayHoldsAreRefused() {
    Tensor empty = Tensor.zeros(DType.INT8, Shape.of(1L << 33, 0));
    assertFails(
        ErrorKind.VALUE,
        "cannot find the distinct ones among 8589934592 elements or slices: at most 2147483639 can"
            + " be compared at once",
        () -> vm.call("relax.run.unique", empty, 1, 0, 0, 0, 0));
  }

  @Test
  void nonzeroGivesCoordinatesByAxis() {
    Tensor x = Tensor.of(new int[] {0, 7, 0, 0, 8, 9}, Shape.of(2, 3));
    Tensor coordinates = vm.call("relax.run.nonzero", x).asTensor();
    assertThat(coordinates).hasToString("int64[2, 3] on cpu:0");
    assertThat(coordinates.toLongArray()).containsExactly(0, 1, 1, 1, 1, 2);
    Tensor floats = Tensor.of(new float[] {0, Float.NaN, -0f, 1e-30f}, Shape.of(4));
    assertThat(vm.call("relax.run.nonzero", floats).asTensor().toLongArray()).containsExactly(1, 3);
    assertThat(vm.call("relax.run.nonzero", Tensor.scalar(1L)).asTensor().shape())
        .isEqualTo(Shape.of(0, 1));
    assertThat(
            vm.call("relax.run.nonzero", Tensor.zeros(DType.BOOL, Shape.of(2, 2)))
                .asTensor()
                .shape())
        .isEqualTo(Shape.of(2, 0));
  }
}
