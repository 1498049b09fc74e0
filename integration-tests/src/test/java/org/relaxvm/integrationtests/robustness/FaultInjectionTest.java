package org.relaxvm.integrationtests.robustness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.integrationtests.golden.Golden;
import org.relaxvm.integrationtests.golden.GoldenKernels;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.AllocatorKind;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * Each operation of a call fails once, in each of four ways: allocations, copies, kernels, builtins
 * before and after they set their result, streams and events, work that fails when it is waited
 * for. Every time the call ends with that failure, nothing is left in use, and the next call gives
 * the right result.
 */
class FaultInjectionTest {
  private final Faults faults = new Faults();
  private final List<FaultyDevice> devices = new ArrayList<>();

  /** How an operation fails. */
  private enum Failure {
    TYPED(() -> new BackendException(ErrorKind.RUNTIME, "injected")),
    OUT_OF_DEVICE_MEMORY(() -> new DeviceOutOfMemoryException(1, "injected", null)),
    FOREIGN(() -> new IllegalStateException("injected")),
    ERROR(() -> new OutOfMemoryError("injected"));

    private final Supplier<? extends Throwable> make;

    Failure(Supplier<? extends Throwable> make) {
      this.make = make;
    }
  }

  private BackendRegistry registry() {
    return BackendRegistry.builder()
        .add(
            new ReferenceBackendProvider(
                id -> {
                  FaultyDevice device = new FaultyDevice(id, faults);
                  devices.add(device);
                  return device;
                }))
        .add(new CpuBackendProvider())
        .add(faults.around(new BuiltinFunctions()))
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void aProgramWithLoopsAndClosuresOnADevice(Failure failure) {
    failEach(
        failure,
        registry -> LayersProgram.builder(registry).device("reference"),
        "main",
        List.of(LayersProgram.input(3), 3));
  }

  @ParameterizedTest
  @EnumSource
  void aCompiledModelOnADevice(Failure failure) {
    Tensor input = Tensor.zeros(DType.FLOAT32, Shape.of(1, 64));
    input.fill(0.5);
    failEach(
        failure,
        registry -> golden("03-mlp-dynamic-batch", registry, "reference").device("reference"),
        "main",
        List.of(input));
  }

  @ParameterizedTest
  @EnumSource
  void aCompiledRecursionOnTheHost(Failure failure) {
    Tensor base = Tensor.of(new float[] {1, 2, 3, 0.5f}, Shape.of(4));
    Tensor exponent = Tensor.of(new int[] {5}, Shape.scalar());
    failEach(
        failure,
        registry -> golden("06-control-flow", registry, "cpu"),
        "power",
        List.of(base, exponent));
  }

  @ParameterizedTest
  @EnumSource
  void theWholeLifeOfAVirtualMachine(Failure failure) {
    int operation = 0;
    do {
      faults.arm(operation++, failure.make);
      try (BackendRegistry registry = registry()) {
        live(registry);
      } catch (RelaxException | IllegalStateException | OutOfMemoryError e) {
        assertThat(root(e)).isSameAs(faults.thrown());
      }
      for (FaultyDevice device : devices) {
        assertThat(device.openStreams()).as(faults.toString()).isZero();
        assertThat(device.liveBytes()).as(faults.toString()).isZero();
      }
      devices.clear();
    } while (faults.thrown() != null);
    assertThat(operation).isGreaterThan(100);
  }

  /** Builds, calls and closes a virtual machine. */
  private static void live(BackendRegistry registry) {
    try (VirtualMachine vm = LayersProgram.builder(registry).device("reference").build();
        Tensor input = vm.upload(LayersProgram.input(2))) {
      vm.function("main").call(input, 2).close();
    }
  }

  private VmBuilder golden(String name, BackendRegistry registry, String device) {
    Path file = Golden.require(name).resolve("executable.bin");
    VmBuilder builder = VirtualMachine.builder(Program.load(file)).registry(registry);
    new GoldenKernels(registry.require(device).library())
        .of(name)
        .forEach((kernel, f) -> builder.function(kernel, faults.around(kernel, f)));
    return builder;
  }

  private void failEach(
      Failure failure,
      Function<BackendRegistry, VmBuilder> program,
      String function,
      List<Object> args) {
    for (AllocatorKind kind : AllocatorKind.values()) {
      try (BackendRegistry registry = registry()) {
        VirtualMachine vm = program.apply(registry).allocator(kind).build();
        Tensor host = (Tensor) args.getFirst();
        try (Tensor input = vm.upload(host)) {
          List<Object> onDevice = new ArrayList<>(args);
          onDevice.set(0, input);
          failEach(failure, vm, vm.function(function), onDevice.toArray());
        }
        assertTimeoutPreemptively(Duration.ofSeconds(30), vm::close);
        for (FaultyDevice device : devices) {
          assertThat(device.openStreams()).isZero();
          assertThat(device.liveBytes()).isZero();
        }
      }
    }
  }

  private void failEach(Failure failure, VirtualMachine vm, VmFunction function, Object[] args) {
    faults.arm(-1, failure.make);
    byte[] expected = call(function, args);
    int operations = faults.done();
    // Fewer would mean that something does not report.
    assertThat(operations).isGreaterThan(100);
    List<Long> inUse = inUse(vm);
    for (int k = 0; k < operations; k++) {
      faults.arm(k, failure.make);
      Throwable error = failureOf(function, args, expected);
      faults.disarm();
      String where = "operation " + k + ": " + faults;
      // An allocator tries again when the device has no memory.
      if (faults.thrown() != null && (error != null || failure != Failure.OUT_OF_DEVICE_MEMORY)) {
        assertThat(root(error)).as(where).isSameAs(faults.thrown());
        assertThat(error).as(where).isInstanceOfAny(RelaxException.class, Error.class);
      }
      assertThat(inUse(vm)).as(where).isEqualTo(inUse);
      assertThat(call(function, args)).as(where).isEqualTo(expected);
      assertThat(inUse(vm)).as(where).isEqualTo(inUse);
    }
  }

  /** The innermost cause. */
  private static @Nullable Throwable root(@Nullable Throwable error) {
    Throwable root = error;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** How a call fails; null when it does not, and its result is then right. */
  private @Nullable Throwable failureOf(VmFunction function, Object[] args, byte[] expected) {
    try {
      assertThat(call(function, args)).isEqualTo(expected);
      return null;
    } catch (RelaxException | IllegalStateException | OutOfMemoryError e) {
      return e;
    }
  }

  private byte[] call(VmFunction function, Object[] args) {
    try (Value result = function.call(args)) {
      faults.disarm(); // reading the result is no part of the call
      return LayersProgram.bytes(result.object());
    }
  }

  private static List<Long> inUse(VirtualMachine vm) {
    List<Long> all = new ArrayList<>();
    for (AllocatorStats stats : vm.memoryStats()) {
      all.add(stats.liveBlocks());
      all.add(stats.liveBytes());
    }
    return all;
  }
}
