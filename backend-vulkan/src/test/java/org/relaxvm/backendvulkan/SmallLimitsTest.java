package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendvulkan.driver.TimelinePoint;

/** Devices with small limits run what others run; and what streams wait for of each other. */
@NeedsVulkan
class SmallLimitsTest {
  private static final int WORK_GROUPS = 3;

  private static final String KERNELS =
      """
      # relaxvm tir 1
      @T.prim_func(private=True)
      def doubled(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("B"):
                  v = T.axis.spatial(n, i)
                  B[v] = A[v] * T.float32(2)


      @T.prim_func(private=True)
      def added(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[v] + B[v]
      """;

  private final FaultyDriver driver = new FaultyDriver();
  private Backend backend;
  private VulkanDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @BeforeEach
  void open() {
    driver.answer("report", Reports.few(Reports.real(), WORK_GROUPS, 2));
    backend = new VulkanBackendProvider(driver::driver).open();
    device = (VulkanDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void close() {
    stream.close();
    allocator.close();
    backend.close();
  }

  private static ModuleImage kernels() {
    return new ModuleImage(
        "tir",
        List.of("doubled", "added"),
        MemorySegment.ofArray(KERNELS.getBytes(StandardCharsets.UTF_8)));
  }

  /** A work-group has 1024 work-items at most, so that several dispatches are needed. */
  @Test
  void moreWorkGroupsThanADispatchHasTakeSeveral() {
    int length = 10 * WORK_GROUPS * 1024 + 7;
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = i;
    }
    try (Module module = device.loadModule(kernels());
        Tensor from = DeviceTensors.copyTo(Tensor.of(values, Shape.of(length)), allocator, stream);
        Tensor to =
            DeviceTensors.copyTo(
                Tensor.zeros(DType.FLOAT32, Shape.of(length)), allocator, stream)) {
      long before = driver.calls("dispatch");
      module.find("doubled").orElseThrow().invoke(from, to).close();
      float[] got = to.toHost().toFloatArray();
      for (int i = 0; i < length; i++) {
        assertThat(got[i]).as("element %d", i).isEqualTo(2f * i);
      }
      assertThat(driver.calls("dispatch") - before).isGreaterThan(9);
    }
  }

  /** The one with three buffers addresses them; its neighbour is not made to. */
  @Test
  void aKernelWithManyBuffersLeavesOthersAlone() {
    try (Module module = device.loadModule(kernels());
        Tensor from =
            DeviceTensors.copyTo(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)), allocator, stream);
        Tensor to =
            DeviceTensors.copyTo(Tensor.zeros(DType.FLOAT32, Shape.of(3)), allocator, stream);
        Tensor sum =
            DeviceTensors.copyTo(Tensor.zeros(DType.FLOAT32, Shape.of(3)), allocator, stream)) {
      module.find("doubled").orElseThrow().invoke(from, to).close();
      module.find("added").orElseThrow().invoke(from, to, sum).close();
      assertThat(to.toHost().toFloatArray()).containsExactly(2, 4, 6);
      assertThat(sum.toHost().toFloatArray()).containsExactly(3, 6, 9);
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void theLaterOfTwoEventsIsWaitedForInWhateverOrder() {
    List<TimelinePoint> waits = new CopyOnWriteArrayList<>();
    driver.observe("submit", args -> waits.addAll((List<TimelinePoint>) args[1]));
    // Nothing is known to be done, so that it is waited for.
    driver.answer("timelineValue", 0L);
    DeviceMemory block = device.allocate(64, 16, "");
    DeviceMemory other = device.allocate(64, 16, "");
    device.copyWithin(block, 0, other, 0, 64, stream);
    try (Stream second = device.openStream();
        Event first = stream.record()) {
      // So many that some are submitted.
      for (int i = 0; i < 100; i++) {
        device.copyWithin(block, 0, other, 0, 64, stream);
      }
      try (Event later = stream.record()) {
        second.waitFor(later);
        second.waitFor(first);
        device.copyWithin(other, 0, block, 0, 64, second);
        second.synchronize();
      }
    } finally {
      device.free(block);
      device.free(other);
    }
    assertThat(waits).hasSize(1);
    assertThat(waits.getFirst().value()).isGreaterThan(1);
  }
}
