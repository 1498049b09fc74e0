package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Each program of the corpus gives on each device of this machine that takes kernels of the kernel
 * IR, beside the host, what the evaluator gives. Each is compiled in one of the modes, in all with
 * {@code -Drelaxvm.allModes=true}. {@code -Drelaxvm.seed=} makes other inputs.
 */
class ProgramsOnDevicesTest {
  private static final long SEED = Long.getLong("relaxvm.seed", 1);
  private static final double FLOAT32 = 1e-4;

  private static final String HOST_RESULT =
      "the parameter %s: expected a tensor on %%s, but got %s on cpu:0";

  /** Programs with functions of the host that know nothing of devices, and what they say. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "compress",
          HOST_RESULT.formatted("b", "int64[1, 1]"),
          "unique",
          HOST_RESULT.formatted("A", "float32[1]"),
          "packed_functions",
          "the elements of this tensor are on %s; copy it with toHost() to read them");

  private static BackendRegistry registry;

  @BeforeAll
  static void open() {
    registry = BackendRegistry.discover();
  }

  @AfterAll
  static void close() {
    registry.close();
  }

  @TestFactory
  Stream<DynamicTest> givesWhatTheEvaluatorSays() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    List<ProgramFile> programs = ProgramFile.all();
    for (Device device : devices()) {
      for (ProgramFile file : programs) {
        // Programs that say where they run are about the devices that they name.
        if (!file.text().contains("module_global_infos") && !REFUSED.containsKey(file.name())) {
          tests.add(dynamicTest(device + ": " + file.name(), () -> agrees(file, device)));
        }
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> aFunctionOfTheHostIsRefusedWithTheReason() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (ProgramFile file : ProgramFile.all()) {
      String message = REFUSED.get(file.name());
      if (message != null) {
        for (Device device : devices()) {
          tests.add(
              dynamicTest(
                  device + ": " + file.name(),
                  () ->
                      assertThatThrownBy(() -> agrees(file, device))
                          .isInstanceOfSatisfying(
                              CallException.class,
                              e ->
                                  assertThat(e.getMessage().lines().findFirst())
                                      .contains(message.formatted(device.id())))));
        }
      }
    }
    return tests.stream();
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
            .toList();
    System.out.println(
        devices.isEmpty()
            ? "ProgramsOnDevicesTest skipped: no device but the host takes kernels of the kernel IR"
            : "ProgramsOnDevicesTest: " + devices + ", -Drelaxvm.seed=" + SEED);
    return devices;
  }

  private static List<Mode> modes(ProgramFile file) {
    List<Mode> all = List.of(Mode.values());
    return Boolean.getBoolean("relaxvm.allModes")
        ? all
        : List.of(all.get(Math.floorMod(file.name().hashCode(), all.size())));
  }

  private static void agrees(ProgramFile file, Device device) {
    IRModule module = file.module();
    RelaxFunction main = (RelaxFunction) module.require(new GlobalVar("main"));
    Agreement agreement = new Agreement(file.tolerance(), 1e-2, FLOAT32);
    for (Mode mode : modes(file)) {
      try (VirtualMachine vm =
          new Runner(registry, device.id().toString())
              .machine(Compiler.compile(module, mode.options()))) {
        for (int i = 0; i < file.runs().size(); i++) {
          Object expected = Runner.evaluate(module, inputs(file, main, i));
          try (DeviceArguments arguments = new DeviceArguments(vm);
              Value value = vm.function("main").call(arguments.place(inputs(file, main, i)))) {
            String where = mode + ", run " + file.runs().get(i);
            assertThat(agreement.difference(where, expected, value.object())).isEmpty();
          }
        }
      }
    }
  }

  private static List<Object> inputs(ProgramFile file, RelaxFunction main, int run) {
    return new Inputs(file.runs().get(run), file.values(), new SplittableRandom(SEED * 1_000 + run))
        .of(main);
  }
}
