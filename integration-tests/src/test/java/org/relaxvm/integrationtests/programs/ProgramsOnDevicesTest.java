package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.integrationtests.devices.EmulatedGpus;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * Each program of the corpus gives on each device of this machine that takes kernels of the kernel
 * IR, beside the host, what the evaluator gives. Each is compiled in one of the modes, from full
 * effort on in all. {@code -Drelaxvm.seed=} makes other inputs, {@code -Drelaxvm.devices=vulkan}
 * tries devices of one kind only, {@code -Drelaxvm.program=branch*} some programs. Without a GPU of
 * NVIDIA an emulated one is used. Where compilers are slow, a sample of the programs is tried.
 */
class ProgramsOnDevicesTest {
  private static final long SEED = Long.getLong("relaxvm.seed", 1);
  private static final String KIND = System.getProperty("relaxvm.devices", "");
  private static final double FLOAT32 = 1e-4;

  /** Of how many programs one is tried, on devices whose compilers are slow. */
  private static final Map<String, Integer> ONE_OF = Map.of("opencl", 6, "vulkan", 2, "cuda", 12);

  private static final long SAMPLE = Long.getLong("relaxvm.seed", System.nanoTime());

  /** A program whose functions read the elements of tensors on the host. */
  private static final String HOST_READERS = "packed_functions";

  private static BackendRegistry registry;

  @BeforeAll
  static void open() {
    registry = EmulatedGpus.open();
  }

  @AfterAll
  static void close() {
    registry.close();
  }

  @TestFactory
  Stream<DynamicContainer> givesWhatTheEvaluatorSays() throws IOException {
    List<DynamicContainer> families = new ArrayList<>();
    List<ProgramFile> programs = ProgramFile.chosen();
    for (Device device : devices()) {
      List<DynamicTest> tests = new ArrayList<>();
      for (ProgramFile file : programs) {
        // Programs that say where they run are about the devices that they name.
        if (!file.text().contains("module_global_infos")
            && !file.name().equals(HOST_READERS)
            && isTried(file, device)) {
          tests.add(dynamicTest(device + ": " + file.name(), () -> agrees(file, device)));
        }
      }
      families.add(dynamicContainer(device.toString(), tests));
    }
    return families.stream();
  }

  /** Whether a program is tried: on devices with slow compilers, some are. */
  private static boolean isTried(ProgramFile file, Device device) {
    int oneOf = oneOf(device);
    return oneOf == 1 || Math.floorMod((file.name() + SAMPLE).hashCode(), oneOf) == 0;
  }

  private static int oneOf(Device device) {
    String kind = device.id().kind();
    boolean all =
        KIND.equals(kind)
            || Effort.chosen().isComplete()
            || ProgramFile.filter().isGiven()
            || (kind.equals("cuda") && !EmulatedGpus.arePlayed());
    return all ? 1 : ONE_OF.getOrDefault(kind, 1);
  }

  @TestFactory
  Stream<DynamicTest> functionsThatReadElementsOnTheHostAreRefused() throws IOException {
    ProgramFile readers = named(ProgramFile.all(), HOST_READERS);
    return devices().stream()
        .map(device -> refused(readers, device, "the elements of this tensor are on %s"));
  }

  private static ProgramFile named(List<ProgramFile> files, String name) {
    return files.stream().filter(file -> file.name().equals(name)).findFirst().orElseThrow();
  }

  private static DynamicTest refused(ProgramFile file, Device device, String message) {
    return dynamicTest(
        device + ": " + file.name(),
        () -> {
          try (VirtualMachine vm =
              machine(file.module(), CompileOptions.DEFAULT, _ -> {}, device)) {
            assertThatThrownBy(() -> run(vm, file, file.module(), "default"))
                .isInstanceOfSatisfying(
                    CallException.class,
                    e ->
                        assertThat(e.getMessage().lines().findFirst())
                            .contains(message.formatted(device.id())));
          }
        });
  }

  /** The devices that are tried; says so when there are none. */
  private static List<Device> devices() {
    List<Device> devices =
        registry.devices().stream()
            .filter(
                device ->
                    !device.isHost()
                        && device instanceof ModuleLoader loader
                        && loader.formats().contains("tir"))
            .filter(device -> KIND.isEmpty() || KIND.equals(device.id().kind()))
            .toList();
    System.out.println(
        devices.isEmpty()
            ? "ProgramsOnDevicesTest skipped: no device but the host takes kernels of the kernel IR"
            : "ProgramsOnDevicesTest: "
                + devices
                + ", -Drelaxvm.seed="
                + SEED
                + devices.stream()
                    .filter(device -> oneOf(device) > 1)
                    .map(device -> "; " + device + ": 1 of " + oneOf(device) + " programs")
                    .collect(Collectors.joining())
                + ", sample -Drelaxvm.seed="
                + SAMPLE
                + " (-Drelaxvm.effort=full tries all)");
    return devices;
  }

  private static List<Mode> modes(ProgramFile file) {
    List<Mode> all = List.of(Mode.values());
    return Effort.chosen().isComplete()
        ? all
        : List.of(all.get(Math.floorMod(file.name().hashCode(), all.size())));
  }

  private static void agrees(ProgramFile file, Device device) {
    IRModule module = file.module();
    for (Mode mode : modes(file)) {
      try (VirtualMachine vm = machine(module, mode.options(), mode::execution, device)) {
        run(vm, file, module, mode.toString());
      }
    }
  }

  private static VirtualMachine machine(
      IRModule module, CompileOptions options, Consumer<VmBuilder> execution, Device device) {
    return new Runner(registry, device.id().toString())
        .machine(Compiler.compile(module, options), execution);
  }

  private static void run(VirtualMachine vm, ProgramFile file, IRModule module, String mode) {
    RelaxFunction main = (RelaxFunction) module.require(new GlobalVar("main"));
    Agreement agreement = new Agreement(file.tolerance(), 1e-2, FLOAT32);
    for (int i = 0; i < file.runs().size(); i++) {
      Object expected = Runner.evaluate(file.module(), inputs(file, main, i));
      try (DeviceArguments arguments = new DeviceArguments(vm);
          Value value = vm.function("main").call(arguments.place(inputs(file, main, i)))) {
        String where = mode + ", run " + file.runs().get(i);
        assertThat(agreement.difference(where, expected, value.object())).isEmpty();
      }
    }
  }

  private static List<Object> inputs(ProgramFile file, RelaxFunction main, int run) {
    return new Inputs(file.runs().get(run), file.values(), new SplittableRandom(SEED * 1_000 + run))
        .of(main);
  }
}
