package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendvulkan.driver.DeviceKind;
import org.relaxvm.backendvulkan.driver.HandleKind;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.VulkanKernel;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * A stream that is given the same again records it once, and does what it is given all the same.
 */
@NeedsVulkan
@ParameterizedClass
@EnumSource(names = {"CPU", "DISCRETE"})
class VulkanReplayTest {
  private static final int BYTES = 64;
  private static final WorkSize ONE = WorkSize.of(new long[] {1}, new long[] {1});

  /** {@code y[0] = x[0] + addend}. */
  private static final String ADD =
      """
      #version 460
      layout(local_size_x = 1) in;
      layout(set = 0, binding = 0) readonly buffer X { int x[]; };
      layout(set = 0, binding = 1) buffer Y { int y[]; };
      %s uniform P { int addend; };
      void main() { y[0] = x[0] + addend; }
      """;

  /** Those with memory of their own are reached through memory of the host. */
  private final DeviceKind kind;

  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private VulkanDevice device;
  private Stream stream;

  VulkanReplayTest(DeviceKind kind) {
    this.kind = kind;
  }

  @BeforeEach
  void open() {
    faults.answer("report", Reports.with(Reports.real(), kind));
    backend = new VulkanBackendProvider(faults::driver).open();
    device = (VulkanDevice) backend.devices().getFirst();
    stream = device.openStream();
  }

  @AfterEach
  void nothingIsLeftOver() {
    stream.close();
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  private VulkanKernel adding(boolean uniform) {
    String layout = uniform ? "layout(set = 0, binding = 2, std140)" : "layout(push_constant)";
    return device.kernel(
        Shaders.compile("add", ADD.formatted(layout)),
        new KernelInterface("main", 2, false, Integer.BYTES, uniform, false, 0),
        "add");
  }

  private void add(VulkanKernel kernel, DeviceMemory from, DeviceMemory to, int addend) {
    ((VulkanStream) stream)
        .launch(
            kernel,
            "add",
            List.of(
                new KernelArgument.Memory(from),
                new KernelArgument.Memory(to),
                KernelArgument.Scalar.of(addend)),
            ONE);
  }

  private DeviceMemory block() {
    return device.allocate(BYTES, 64, "");
  }

  private void put(DeviceMemory block, int value) {
    device.copyIn(MemorySegment.ofArray(new int[] {value}), block, 0, stream);
  }

  private int get(DeviceMemory block) {
    int[] value = new int[1];
    device.copyOut(block, 0, MemorySegment.ofArray(value), stream);
    return value[0];
  }

  private long recorded() {
    return faults.calls("begin");
  }

  @Test
  void aSequenceThatIsGivenAgainIsRecordedOnce() {
    for (boolean uniform : new boolean[] {false, true}) {
      DeviceMemory x = block();
      DeviceMemory y = block();
      try (VulkanKernel kernel = adding(uniform)) {
        long afterFirst = 0;
        long submitted = 0;
        for (int round = 0; round < 5; round++) {
          put(x, round);
          for (int i = 0; i < 100; i++) {
            add(kernel, x, y, i);
            device.copyWithin(y, 0, x, 0, Integer.BYTES, stream);
          }
          // A copy after work that may or may not be done.
          put(y, 7);
          add(kernel, x, x, 1);
          assertThat(get(x)).isEqualTo(round + 4950 + 1);
          assertThat(get(y)).isEqualTo(7);
          if (round == 0) {
            afterFirst = recorded();
            submitted = faults.calls("submit");
          }
        }
        assertThat(recorded()).isEqualTo(afterFirst);
        assertThat(faults.calls("submit")).isGreaterThan(submitted + 4 * 5);
      }
      device.free(x);
      device.free(y);
    }
  }

  @Test
  void aProgramThatAVirtualMachineCallsAgainIsRecordedOnce() {
    StringBuilder text = new StringBuilder("@main(x):\n");
    for (int i = 1; i < 40; i += 2) {
      text.append(
          """
            call  vm.builtin.alloc_storage  in: %%vm, shape[12], i0, dtype uint8, "global" dst: %%%1$d
            call  vm.builtin.alloc_tensor   in: %%%1$d, i0, shape[3], dtype float32 dst: %%%2$d
            call  negated  in: %%%3$d, %%%2$d dst: %%void
          """
              .formatted(i, i + 1, i - 1));
    }
    Program program =
        Program.of(
            Assembler.parse(text + "  ret %40\n"),
            ProgramMetadata.EMPTY,
            List.of(new KernelModule("vulkan", NegatedKernel.module().image())));
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new VulkanBackendProvider(faults::driver))
                .add(new HostProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(program).registry(registry).device("vulkan:0").build();
        Tensor x = vm.upload(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      long afterThird = 0;
      for (int call = 0; call < 10; call++) {
        try (Tensor given = vm.function("main").call(x).asTensor()) {
          assertThat(given.toHost().toFloatArray()).containsExactly(0, 0, 0);
        }
        if (call == 2) {
          afterThird = recorded();
        }
      }
      // A staged copy to the host is recorded by a stream of its own.
      long copies = kind == DeviceKind.DISCRETE ? 7 : 0;
      assertThat(recorded() - afterThird).isEqualTo(copies);
    }
  }

  @Test
  void aLoopOverOneKernelIsRecordedForTheSizesOfItsBatchesOnly() {
    DeviceMemory x = block();
    put(x, 0);
    stream.synchronize();
    long before = recorded();
    try (VulkanKernel kernel = adding(false)) {
      for (int i = 0; i < 10_000; i++) {
        add(kernel, x, x, 3);
      }
      stream.synchronize();
      // Of 8, 16, 32 and 64 steps, and of the others.
      assertThat(recorded() - before).isEqualTo(5);
      assertThat(get(x)).isEqualTo(30_000);
    }
    device.free(x);
  }

  @Test
  void otherNumbersAndOtherBlocksAreRecordedAnew() {
    DeviceMemory x = block();
    DeviceMemory y = block();
    for (boolean uniform : new boolean[] {false, true}) {
      try (VulkanKernel kernel = adding(uniform)) {
        for (int round = 0; round < 3; round++) {
          for (int addend : new int[] {5, 6}) {
            put(x, round);
            put(y, 100);
            add(kernel, x, y, addend);
            assertThat(get(y)).isEqualTo(round + addend);
            add(kernel, y, x, addend);
            assertThat(get(x)).isEqualTo(round + 2 * addend);
          }
        }
      }
    }
    device.free(x);
    device.free(y);
  }

  @Test
  void aBlockThatReplacesAFreedOneIsAnotherOne() {
    DeviceMemory x = block();
    try (VulkanKernel kernel = adding(false)) {
      for (int round = 0; round < 5; round++) {
        DeviceMemory y = block();
        put(x, round);
        stream.synchronize();
        long before = recorded();
        add(kernel, x, y, 1);
        stream.synchronize();
        assertThat(recorded() - before).isEqualTo(1);
        add(kernel, x, y, 1);
        stream.synchronize();
        assertThat(recorded() - before).isEqualTo(1);
        assertThat(get(y)).isEqualTo(round + 1);
        long buffers = buffers();
        device.free(y);
        assertThat(buffers()).as("no recording keeps the memory").isEqualTo(buffers - 1);
      }
    }
    device.free(x);
  }

  private long buffers() {
    return faults.liveHandles().getOrDefault(HandleKind.BUFFER, 0L);
  }

  @Test
  void whatIsFreedWhileItIsUsedGoesWhenItsWorkIsDone() {
    DeviceMemory sum = block();
    put(sum, 0);
    stream.synchronize();
    long buffers = buffers();
    try (VulkanKernel kernel = adding(false)) {
      for (int round = 0; round < 50; round++) {
        DeviceMemory x = block();
        for (int i = 0; i < 20; i++) {
          add(kernel, sum, x, 1);
          add(kernel, x, sum, 0);
        }
        device.free(x);
      }
      stream.synchronize();
      put(sum, get(sum) + 1);
      add(kernel, sum, sum, 0);
      assertThat(get(sum)).isEqualTo(1001);
      assertThat(buffers()).isEqualTo(buffers);
    }
    device.free(sum);
  }

  @Test
  void aKernelThatReplacesAClosedOneIsAnotherOne() {
    DeviceMemory x = block();
    put(x, 0);
    for (int round = 1; round <= 4; round++) {
      try (VulkanKernel kernel = adding(round % 2 == 0)) {
        add(kernel, x, x, round);
        add(kernel, x, x, round);
        kernel.close();
        assertThatThrownBy(() -> add(kernel, x, x, 1)).isInstanceOf(BackendException.class);
      }
      stream.synchronize();
      assertThat(faults.liveHandles())
          .as("no recording keeps the pipeline")
          .doesNotContainKey(HandleKind.PIPELINE);
    }
    assertThat(get(x)).isEqualTo(20);
    device.free(x);
  }

  @Test
  void aStreamKeepsFewRecordings() {
    DeviceMemory x = block();
    put(x, 0);
    try (VulkanKernel kernel = adding(true)) {
      for (int i = 1; i <= 200; i++) {
        add(kernel, x, x, i);
        try (Event event = stream.record()) {
          assertThat(event.isComplete()).isIn(true, false);
        }
      }
      stream.synchronize();
      assertThat(faults.liveHandles()).containsEntry(HandleKind.COMMANDS, 64L);
      assertThat(get(x)).isEqualTo(20_100);
    }
    device.free(x);
  }

  @Test
  void workOfAnotherStreamIsWaitedForEachTime() {
    DeviceMemory x = block();
    DeviceMemory y = block();
    try (VulkanKernel kernel = adding(false);
        Stream other = device.openStream()) {
      for (int round = 0; round < 10; round++) {
        put(x, round);
        for (int i = 0; i < 100; i++) {
          add(kernel, x, x, 1);
        }
        try (Event ready = stream.record()) {
          other.waitFor(ready);
          device.copyWithin(x, 0, y, 0, Integer.BYTES, other);
        }
        int[] got = new int[1];
        device.copyOut(y, 0, MemorySegment.ofArray(got), other);
        assertThat(got[0]).isEqualTo(round + 100);
        stream.synchronize();
      }
    }
    device.free(x);
    device.free(y);
  }

  @Test
  void recordingsMakeRoomWhenThereIsNoMemoryForAnother() {
    DeviceMemory x = block();
    put(x, 0);
    try (VulkanKernel kernel = adding(false)) {
      for (int i = 0; i < 3; i++) {
        add(kernel, x, x, i);
        stream.synchronize();
      }
      AtomicBoolean refused = new AtomicBoolean();
      faults.observe(
          "createCommands",
          _ -> {
            if (!refused.getAndSet(true)) {
              throw new VulkanStatusException("vkCreateCommandPool", Vulkan.OUT_OF_DEVICE_MEMORY);
            }
          });
      add(kernel, x, x, 10);
      stream.synchronize();
      assertThat(refused).isTrue();
      assertThat(faults.liveHandles()).containsEntry(HandleKind.COMMANDS, 1L);
      assertThat(get(x)).isEqualTo(13);
    }
    device.free(x);
  }

  @Test
  void withoutMemoryForAnyRecordingTheDeviceIsLost() {
    DeviceMemory x = block();
    device.copyWithin(x, 0, x, 32, 8, stream);
    faults.fail("createCommands", "vkCreateCommandPool", Vulkan.OUT_OF_DEVICE_MEMORY);
    assertThatThrownBy(stream::synchronize)
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith(
            "device vulkan:0 is lost and cannot be used any more: vulkan:0 cannot be given the"
                + " work of a stream: vkCreateCommandPool failed with"
                + " VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
  }
}
