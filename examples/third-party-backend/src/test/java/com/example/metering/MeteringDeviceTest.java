package com.example.metering;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.metering.Meter.Activity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Stream;

/** What the device counts. */
class MeteringDeviceTest {
  private final MeteringDevice device = new MeteringDevice(new DeviceId("metering", 0));
  private final NaiveAllocator allocator = new NaiveAllocator(device);
  private final Stream stream = device.openStream();

  @AfterEach
  void closeTheDevice() {
    stream.close();
    allocator.close();
    device.close();
  }

  @Test
  void everyByteIsCounted() {
    try (Tensor there = upload(2, 3);
        Tensor again = DeviceTensors.copyTo(there, allocator, stream)) {
      assertThat(again.toHost().toFloatArray()).hasSize(6);
    }
    assertThat(device.meter().report())
        .isEqualTo(
            "2 allocations (48 bytes); 2 frees (48 bytes); 1 copies in (24 bytes);"
                + " 1 copies out (24 bytes); 1 copies within (24 bytes);"
                + " 0 kernel calls (0 operations)");
  }

  @Test
  void everyOperationIsCounted() {
    try (Tensor a = upload(2, 3);
        Tensor b = upload(3, 4);
        Tensor bias = upload(4);
        Tensor out = upload(2, 4)) {
      kernel("matmul").invoke(a, b, null, false, false, "none", out);
      assertThat(device.meter().amount(Activity.KERNEL)).isEqualTo(2 * 4 * (3 + 3));
      kernel("matmul").invoke(a, b, bias, false, false, "relu", out);
      assertThat(device.meter().amount(Activity.KERNEL)).isEqualTo(2 * 4 * (3 + 3) * 2 + 2 * 8);
      kernel("softmax").invoke(out, 1, out);
      kernel("add").invoke(out, bias, out);
      assertThat(device.meter().amount(Activity.KERNEL)).isEqualTo(96 + 16 + 5 * 8 + 8);
      assertThat(device.meter().times(Activity.KERNEL)).isEqualTo(4);
    }
  }

  @Test
  void operationsInThePaddingAreNotCounted() {
    try (Tensor image = upload(1, 1, 2, 2);
        Tensor weight = upload(1, 1, 3, 3);
        Tensor out = upload(1, 1, 2, 2)) {
      Shape one = Shape.of(1, 1);
      Shape padding = Shape.of(1, 1, 1, 1);
      kernel("conv2d").invoke(image, weight, null, one, padding, one, 1, "none", out);
      assertThat(device.meter().amount(Activity.KERNEL)).isEqualTo(2 * 4 * 4);
      kernel("max_pool2d").invoke(image, Shape.of(3, 3), one, padding, one, false, out);
      assertThat(device.meter().amount(Activity.KERNEL)).isEqualTo(2 * 4 * 4 + 4 * 4);
    }
  }

  private PackedFunc kernel(String name) {
    return device.library().find("relaxvm." + name).orElseThrow();
  }

  private Tensor upload(long... shape) {
    return DeviceTensors.copyTo(Tensor.zeros(DType.FLOAT32, Shape.of(shape)), allocator, stream);
  }
}
