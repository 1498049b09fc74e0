package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.fakes.FakeDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Stream;

class TensorCopyTest {
  private static Tensor counting(DType dtype, long... dims) {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(dims));
    Tensor flat = tensor.reshape(Shape.of(tensor.elementCount()));
    for (long i = 0; i < flat.elementCount(); i++) {
      flat.slice(0, i, i + 1).fill(i);
    }
    return tensor;
  }

  @Test
  void stridedCopiesAgreeWithElementAccess() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("TensorCopyTest seed: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    DType[] dtypes = {DType.INT8, DType.INT16, DType.INT32, DType.FLOAT64};
    for (int round = 0; round < 300; round++) {
      DType dtype = dtypes[random.nextInt(dtypes.length)];
      Tensor source = randomView(counting(dtype, 3, 4, 5), random);
      Tensor target = randomView(Tensor.zeros(dtype, Shape.of(5, 6, 7)), random, source.shape());
      source.copyInto(target);
      assertThat(target.toDoubleArray()).isEqualTo(elementwise(source));
      assertThat(source.toHost().isContiguous()).isTrue();
      assertThat(source.toHost().toDoubleArray()).isEqualTo(elementwise(source));
    }
  }

  private static Tensor randomView(Tensor tensor, Random random) {
    Tensor view = tensor;
    if (random.nextBoolean()) {
      int axis = random.nextInt(3);
      view = view.slice(axis, random.nextInt(2), view.shape().dim(axis));
    }
    if (random.nextBoolean()) {
      view = view.permute(random.nextBoolean() ? new int[] {1, 0, 2} : new int[] {2, 1, 0});
    }
    return view;
  }

  /** A view of a given shape in the middle of a larger tensor, or a compact one. */
  private static Tensor randomView(Tensor tensor, Random random, Shape shape) {
    if (random.nextBoolean()) {
      return Tensor.zeros(tensor.dtype(), shape);
    }
    Tensor view = tensor;
    for (int axis = 0; axis < 3; axis++) {
      view = view.slice(axis, 0, Math.min(shape.dim(axis), view.shape().dim(axis)));
    }
    return view.shape().equals(shape) ? view : Tensor.zeros(tensor.dtype(), shape);
  }

  private static double[] elementwise(Tensor tensor) {
    double[] values = new double[(int) tensor.elementCount()];
    int n = 0;
    for (long i = 0; i < tensor.shape().dim(0); i++) {
      for (long j = 0; j < tensor.shape().dim(1); j++) {
        for (long k = 0; k < tensor.shape().dim(2); k++) {
          values[n++] = tensor.doubleAt(i, j, k);
        }
      }
    }
    return values;
  }

  @Test
  void copiesBetweenDifferentShapesKeepRowMajorOrder() {
    Tensor source = counting(DType.INT32, 2, 3).permute(1, 0);
    Tensor flat = Tensor.zeros(DType.INT32, Shape.of(6));
    source.copyInto(flat);
    assertThat(flat.toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
    Tensor column = Tensor.zeros(DType.INT32, Shape.of(6, 2)).slice(1, 1, 2);
    source.copyInto(column);
    assertThat(column.toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
    Tensor bytes = Tensor.zeros(DType.UINT8, Shape.of(24));
    counting(DType.INT32, 2, 3).copyInto(bytes);
    assertThat(bytes.longAt(4)).isOne();
  }

  @Test
  void copiesOfAnotherSizeAreRefused() {
    Tensor source = counting(DType.INT32, 2);
    Tensor target = Tensor.zeros(DType.INT32, Shape.of(3));
    assertThatThrownBy(() -> source.copyInto(target))
        .hasMessage(
            "cannot copy int32[2] on cpu:0 to int32[3] on cpu:0: the source has 8 "
                + "bytes, the target 12");
  }

  @Test
  void aStreamOfAnUnrelatedDeviceIsRefused() {
    Tensor source = counting(DType.INT32, 2);
    Tensor target = Tensor.zeros(DType.INT32, Shape.of(2));
    try (Stream stream = new FakeDevice("fake:0").openStream()) {
      assertThatThrownBy(() -> source.copyInto(target, stream))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "cannot copy from cpu:0 to cpu:0 with a stream of fake:0\n"
                  + "  what to do: give a stream of one of the two devices");
    }
  }

  @Test
  void stridedCopiesBetweenElementSizesAreRefused() {
    Tensor source = counting(DType.INT32, 2, 2).permute(1, 0);
    Tensor target = Tensor.zeros(DType.INT64, Shape.of(2));
    assertThatThrownBy(() -> source.copyInto(target))
        .hasMessage(
            "cannot copy strided int32[2, 2] on cpu:0 to int64[2] on cpu:0: element sizes differ");
  }

  @Test
  void copiesToADeviceAndBackUseItsCopies() {
    FakeDevice device = new FakeDevice("fake:0");
    try (Allocator allocator = new NaiveAllocator(device);
        Stream stream = device.openStream()) {
      Tensor source = counting(DType.INT32, 2, 3);
      try (Tensor there = DeviceTensors.copyTo(source, allocator, stream)) {
        assertThat(there.device()).isSameAs(device);
        assertThat(there).hasToString("int32[2, 3] on fake:0");
        assertThat(device.copiesIn()).isOne();
        assertThat(there.toLongArray()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(device.copiesOut()).isOne();
        assertThatThrownBy(there::segment)
            .hasMessage(
                "the elements of this tensor are on fake:0\n"
                    + "  what to do: copy it to the host with toHost()");
        try (Tensor second = DeviceTensors.copyTo(there, allocator, stream)) {
          assertThat(device.copiesWithin()).isOne();
          assertThat(second.longAt(1, 2)).isEqualTo(5);
        }
      }
    }
    assertThat(device.liveBlocks()).isZero();
  }

  @Test
  void copiesBetweenDevicesAreStagedInHostMemory() {
    FakeDevice one = new FakeDevice("fake:0");
    FakeDevice other = new FakeDevice("fake:1");
    try (Allocator here = new NaiveAllocator(one);
        Allocator there = new NaiveAllocator(other);
        Stream stream = one.openStream();
        Tensor source = DeviceTensors.copyTo(counting(DType.INT32, 3), here, stream);
        Tensor target = DeviceTensors.copyTo(source, there, stream)) {
      assertThat(one.copiesOut()).isOne();
      assertThat(other.copiesIn()).isOne();
      assertThat(target.toLongArray()).containsExactly(0, 1, 2);
    }
  }

  @Test
  void stridedTensorsOnADeviceAreReadThroughTheHost() {
    FakeDevice device = new FakeDevice("fake:0");
    try (Allocator allocator = new NaiveAllocator(device);
        Stream stream = device.openStream();
        Tensor there = DeviceTensors.copyTo(counting(DType.INT32, 2, 3), allocator, stream);
        Tensor transposed = there.permute(1, 0);
        Tensor reversed = there.stridedView(Shape.of(6), new long[] {-1}, 5);
        Tensor column = there.slice(1, 1, 2)) {
      assertThat(transposed.toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
      assertThat(reversed.toLongArray()).containsExactly(5, 4, 3, 2, 1, 0);
      assertThat(column.longAt(1, 0)).isEqualTo(4);
      try (Tensor compact = DeviceTensors.copyTo(transposed, allocator, stream)) {
        assertThat(compact.isContiguous()).isTrue();
        assertThat(compact.toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
      }
      Tensor host = counting(DType.INT32, 3, 2);
      assertThatThrownBy(() -> host.copyInto(transposed))
          .hasMessage(
              "cannot copy into a strided tensor on fake:0: shape [3, 2], strides [1, 3]; copy into"
                  + " a contiguous one");
    }
  }
}
