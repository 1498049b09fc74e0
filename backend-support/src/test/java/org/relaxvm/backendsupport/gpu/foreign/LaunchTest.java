package org.relaxvm.backendsupport.gpu.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/** What a call gives a kernel, and how many work-items it starts. */
class LaunchTest {
  private final ReferenceDevice device = new ReferenceDevice(new DeviceId("reference", 0));
  private final NaiveAllocator allocator = new NaiveAllocator(device);

  @AfterEach
  void close() {
    allocator.close();
    device.close();
  }

  @Test
  void memoryIsABlockAndAnOffsetAndNumbersAreBits() {
    KernelEntry entry =
        new KernelEntry(
            "k",
            List.of(
                KernelEntry.HANDLE,
                KernelEntry.HANDLE,
                DType.INT64,
                DType.INT32,
                DType.UINT32,
                DType.FLOAT64,
                DType.FLOAT32),
            List.of());
    try (Stream stream = device.openStream();
        Tensor x =
            DeviceTensors.copyTo(Tensor.zeros(DType.FLOAT32, Shape.of(4)), allocator, stream);
        Tensor tail = x.stridedView(Shape.of(2), new long[] {1}, 2)) {
      assertThat(read(entry, tail, null, -1L, -2L, 3L, 0.5, 0.5))
          .containsExactly(
              new KernelArgument.Memory(x.storage().memory(), 8),
              new KernelArgument.Memory(null, 0),
              KernelArgument.Scalar.of(-1L),
              KernelArgument.Scalar.of(-2),
              KernelArgument.Scalar.of(3),
              KernelArgument.Scalar.of(0.5),
              KernelArgument.Scalar.of(0.5f));
    }
  }

  @Test
  void aTensorMapIsPassedOn() {
    KernelEntry entry =
        new KernelEntry("k", List.of(KernelEntry.HANDLE), List.of(), Set.of(0), false);
    byte[] map = new byte[KernelEntry.TENSOR_MAP_BYTES];
    List<KernelArgument> read = KernelArguments.of(entry, CallArgs.of((Object) map), device);
    assertThat(read)
        .singleElement()
        .isInstanceOfSatisfying(
            KernelArgument.TensorMap.class, argument -> assertThat(argument.bytes()).isSameAs(map));
  }

  @Test
  void scalarsHaveTheBitsOfTheirType() {
    assertThat(KernelArgument.Scalar.of(-1)).isEqualTo(new KernelArgument.Scalar(4, 0xFFFF_FFFFL));
    assertThat(KernelArgument.Scalar.of(-1L)).isEqualTo(new KernelArgument.Scalar(8, -1));
    assertThat(KernelArgument.Scalar.of(1f)).isEqualTo(new KernelArgument.Scalar(4, 0x3F80_0000L));
    assertThat(KernelArgument.Scalar.of(1.0))
        .isEqualTo(new KernelArgument.Scalar(8, 0x3FF0_0000_0000_0000L));
  }

  @Test
  void aWrongCallIsRefused() {
    KernelEntry entry = new KernelEntry("k", List.of(KernelEntry.HANDLE), List.of());
    assertThatThrownBy(() -> read(entry))
        .isInstanceOf(CallException.class)
        .hasMessage("kernel k expects 1 arguments, which are [handle] and the sizes [], but got 0");
    Tensor onHost = Tensor.zeros(DType.FLOAT32, Shape.of(4));
    assertThatThrownBy(() -> read(entry, onHost))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #0 of kernel k must be on reference:0, but is on cpu:0");
  }

  @Test
  void workItemsAreGridTimesBlock() {
    KernelEntry entry =
        new KernelEntry(
            "k",
            List.of(),
            List.of(LaunchTag.BLOCK_X, LaunchTag.THREAD_X, LaunchTag.BLOCK_Z, LaunchTag.THREAD_Z));
    WorkSize size = WorkSize.of(KernelLaunch.of(entry, CallArgs.of(3, 4, 2, 0)));
    assertThat(size.dimensions()).isEqualTo(3);
    assertThat(size.global()).containsExactly(12, 1, 2);
    assertThat(size.local()).containsExactly(4, 1, 1);
    assertThat(size.workGroupSize()).isEqualTo(4);
    assertThat(size).hasToString("[12, 1, 2] in groups of [4, 1, 1]");
    WorkSize large =
        WorkSize.of(
            KernelLaunch.of(entry, CallArgs.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 1)));
    assertThat(large.global()[0]).isEqualTo((long) Integer.MAX_VALUE * Integer.MAX_VALUE);
  }

  @Test
  void aWorkGroupOfMoreItemsThanCanBeCountedIsTheLargest() {
    long[] many = {1L << 31, 1L << 31, 1L << 31};
    assertThat(WorkSize.of(many, many).workGroupSize()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void sizesThatWorkGroupsDoNotDivideAreRefused() {
    assertThat(WorkSize.of(new long[] {8, 6}, new long[] {4, 3}).workGroupSize()).isEqualTo(12);
    assertThatThrownBy(() -> WorkSize.of(new long[] {8}, new long[] {3}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected 1 to 3 sizes that groups divide, but got [8] in groups of [3]");
    for (long[][] wrong :
        new long[][][] {
          {{}, {}}, {{1, 1, 1, 1}, {1, 1, 1, 1}}, {{1}, {1, 1}}, {{0}, {1}}, {{1}, {0}}
        }) {
      assertThatThrownBy(() -> WorkSize.of(wrong[0], wrong[1]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aCallFromOutsideOfAnyMachineWaitsInAStreamOfItsOwn() {
    List<Stream> used = new ArrayList<>();
    CallStream.use(CallArgs.of(), device, used::add);
    assertThat(used).hasSize(1);
    assertThatThrownBy(() -> device.copyWithin(block(), 0, block(), 0, 1, used.getFirst()))
        .hasMessageContaining("closed");
  }

  @Test
  void aCallInsideOfAMachineUsesItsStreamWhichItDoesNotClose() {
    try (Stream stream = device.openStream()) {
      VmContext machine = new DevicesContext(List.of(device), List.of(stream));
      List<Stream> used = new ArrayList<>();
      CallStream.use(CallArgs.of(machine, new Object[0]), device, used::add);
      assertThat(used).containsExactly(stream);
      device.copyWithin(block(), 0, block(), 0, 1, stream);
    }
  }

  @Test
  void aKernelOfADeviceThatTheMachineDoesNotHaveIsRefused() {
    ReferenceDevice other = new ReferenceDevice(new DeviceId("reference", 1));
    VmContext machine = new DevicesContext(List.of(other), List.of());
    List<Stream> used = new ArrayList<>();
    assertThatThrownBy(() -> CallStream.use(CallArgs.of(machine, new Object[0]), device, used::add))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "a kernel of reference:0 was called in a VM without that device; its devices are"
                + " [reference:1]");
    assertThat(used).isEmpty();
    other.close();
  }

  private DeviceMemory block() {
    return device.allocate(1, 1, "");
  }

  private List<KernelArgument> read(KernelEntry entry, @Nullable Object... args) {
    return KernelArguments.of(entry, CallArgs.of(args), device);
  }
}
