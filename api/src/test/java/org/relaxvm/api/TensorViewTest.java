package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.HostMemory;

class TensorViewTest {
  private static Tensor counting(long... dims) {
    Shape shape = Shape.of(dims);
    int[] values = new int[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return Tensor.of(values, shape);
  }

  @Test
  void reshapeSharesTheElements() {
    Tensor tensor = counting(2, 3);
    Tensor view = tensor.reshape(Shape.of(3, 2));
    view.segment().setAtIndex(ValueLayout.JAVA_INT, 5, 99);
    assertThat(tensor.longAt(1, 2)).isEqualTo(99);
    assertThat(tensor.reshape(Shape.of(2)).toLongArray()).containsExactly(0, 1);
  }

  @Test
  void aTensorThatTakesAnOwnerOfItsStorageTakesItOnlyWhereItIsMade() {
    Storage storage =
        new Storage(
            HostDevice.INSTANCE,
            new HostMemory(MemorySegment.ofArray(new byte[16])),
            16,
            "",
            null,
            null);
    assertThatThrownBy(() -> Tensor.viewTaking(storage, 0, DType.INT64, Shape.of(3)))
        .hasMessage("a tensor of 24 bytes at offset 0 does not fit a storage of 16 bytes");
    assertThat(storage.isLive()).isTrue();

    Tensor tensor = Tensor.viewTaking(storage, 8, DType.INT64, Shape.of(1));

    assertThat(tensor.byteOffset()).isEqualTo(8);
    tensor.release();
    assertThat(storage.isLive()).isFalse();
  }

  @Test
  void reshapeThatNeedsMoreBytesIsRefused() {
    Tensor tensor = counting(2, 3);
    assertThatThrownBy(() -> tensor.reshape(Shape.of(7)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "a view of 28 bytes (int32[7]) at byte offset 0 does not fit a tensor "
                + "of 24 bytes (int32[2, 3])");
  }

  @Test
  void reinterpretChangesTheDtype() {
    Tensor tensor = Tensor.of(new float[] {1f}, Shape.of(1));
    assertThat(tensor.reinterpret(Shape.of(1), DType.INT32).toLongArray())
        .containsExactly(0x3F800000);
    assertThat(tensor.reinterpret(Shape.of(4), DType.UINT8).toLongArray())
        .containsExactly(0, 0, 0x80, 0x3F);
  }

  @Test
  void stridedTensorsCannotBeReshaped() {
    Tensor tensor = counting(2, 3).permute(1, 0);
    assertThatThrownBy(() -> tensor.reshape(Shape.of(6)))
        .hasMessage(
            "only a contiguous tensor can be reinterpreted, but this one has "
                + "strides [1, 3], for shape [3, 2]");
  }

  @Test
  void permuteReordersTheAxes() {
    Tensor tensor = counting(2, 3, 4);
    Tensor view = tensor.permute(2, 0, 1);
    assertThat(view.shape()).isEqualTo(Shape.of(4, 2, 3));
    assertThat(view.strides()).containsExactly(1, 12, 4);
    assertThat(view.longAt(3, 1, 2)).isEqualTo(tensor.longAt(1, 2, 3));
    assertThat(view.isContiguous()).isFalse();
    assertThat(tensor.permute(0, 1, 2).isContiguous()).isTrue();
    for (int[] axes : new int[][] {{0, 1}, {0, 0, 1}, {0, 1, 3}, {-1, 0, 1}}) {
      assertThatThrownBy(() -> tensor.permute(axes))
          .hasMessage(
              "axes " + Arrays.toString(axes) + " are not a permutation for shape [2, 3, 4]");
    }
  }

  @Test
  void sliceTakesARange() {
    Tensor tensor = counting(3, 4);
    assertThat(tensor.slice(0, 1, 3).toLongArray()).containsExactly(4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(tensor.slice(0, 1, 3).isContiguous()).isTrue();
    assertThat(tensor.slice(1, 1, 3).toLongArray()).containsExactly(1, 2, 5, 6, 9, 10);
    assertThat(tensor.slice(1, 4, 4).toLongArray()).isEmpty();
    assertThat(tensor.slice(0, 2, 3).slice(1, 3, 4).toLongArray()).containsExactly(11);
    assertThatThrownBy(() -> tensor.slice(1, 2, 5))
        .hasMessage("cannot take [2, 5) of axis 1 of shape [3, 4]");
    assertThatThrownBy(() -> tensor.slice(2, 0, 0))
        .hasMessage("cannot take [0, 0) of axis 2 of shape [3, 4]");
  }

  @Test
  void stridesMayRepeatAndGoBackwards() {
    Tensor tensor = counting(4);
    Tensor reversed = tensor.stridedView(Shape.of(4), new long[] {-1}, 3);
    assertThat(reversed.toLongArray()).containsExactly(3, 2, 1, 0);
    Tensor repeated = tensor.stridedView(Shape.of(2, 4), new long[] {0, 1}, 0);
    assertThat(repeated.toLongArray()).containsExactly(0, 1, 2, 3, 0, 1, 2, 3);
    assertThat(repeated.isContiguous()).isFalse();
  }

  @Test
  void viewsOutsideOfTheStorageAreRefused() {
    Tensor tensor = counting(4);
    assertThatThrownBy(() -> tensor.stridedView(Shape.of(3), new long[] {2}, 0))
        .hasMessage(
            "a view with shape [3], strides [2] and offset 0 reaches outside of the storage of 16"
                + " bytes");
    assertThatThrownBy(() -> tensor.stridedView(Shape.of(2), new long[] {-1}, 0))
        .hasMessageContaining("reaches outside");
    assertThatThrownBy(() -> tensor.stridedView(Shape.of(1L << 60), new long[] {1L << 60}, 0))
        .hasMessageContaining("reaches outside");
    assertThatThrownBy(() -> tensor.stridedView(Shape.of(0), new long[] {1}, 5))
        .hasMessageContaining("reaches outside");
    assertThatThrownBy(() -> tensor.stridedView(Shape.of(2), new long[] {1, 1}, 0))
        .hasMessage("shape [2] needs as many strides, but got 2");
  }

  @Test
  void axesOfExtentOneDoNotBreakContiguity() {
    Tensor tensor = counting(4);
    Tensor view = tensor.stridedView(Shape.of(2, 1, 2), new long[] {2, 77, 1}, 0);
    assertThat(view.isContiguous()).isTrue();
    assertThat(view.reshape(Shape.of(4)).toLongArray()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void stridesOfACompactTensorAreRowMajor() {
    Tensor tensor = counting(2, 3, 4);
    assertThat(tensor.strides()).containsExactly(12, 4, 1);
    assertThat(tensor.stride(0)).isEqualTo(12);
    assertThat(tensor.byteOffset()).isZero();
    assertThat(tensor.slice(0, 1, 2).byteOffset()).isEqualTo(48);
  }
}
