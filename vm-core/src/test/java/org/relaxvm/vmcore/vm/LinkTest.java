package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.vmcore.executable.Arg;

/** Devices, constants and the resolution of names (docs/spec/vm-semantics.md, sections 2 and 3). */
class LinkTest {
  private record Provider(String name, Map<String, PackedFunc> functions)
      implements FunctionProvider {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public Set<String> functionNames() {
      return functions.keySet();
    }

    @Override
    public Optional<PackedFunc> find(String function) {
      return Optional.ofNullable(functions.get(function));
    }
  }

  private static PackedFunc says(String text) {
    return (_, result) -> result.set(text);
  }

  private static TestProgram calling(String... callees) {
    TestProgram program = new TestProgram().function("main", 0, 1);
    for (String callee : callees) {
      program.call(callee, 0);
    }
    return program.ret(0);
  }

  @Test
  void hostIsAddedAfterOtherDevices() {
    try (TestDevices devices = new TestDevices()) {
      TestProgram program = calling();
      for (List<String> chosen : List.of(List.<String>of(), List.of("cpu"), List.of("cpu:0"))) {
        assertThat(deviceNames(program, devices, chosen)).containsExactly("cpu:0");
      }
      for (List<String> chosen : List.of(List.of("opaque"), List.of("opaque:0", "cpu"))) {
        assertThat(deviceNames(program, devices, chosen)).containsExactly("opaque:0", "cpu:0");
      }
    }
  }

  private static List<String> deviceNames(
      TestProgram program, TestDevices devices, List<String> chosen) {
    VmBuilder builder = VirtualMachine.builder(program.build()).registry(devices.registry());
    chosen.forEach(builder::device);
    try (VirtualMachine vm = builder.build()) {
      return vm.devices().stream().map(Device::toString).toList();
    }
  }

  @Test
  void devicesHaveAnyOrderAndTheHostIsAddedUnlessItIsTheLast() {
    try (TestDevices devices = new TestDevices()) {
      assertThat(deviceNames(calling(), devices, List.of("cpu", "opaque")))
          .containsExactly("cpu:0", "opaque:0", "cpu:0");
      assertThat(deviceNames(calling(), devices, List.of("cpu:2", "opaque", "cpu:1")))
          .containsExactly("cpu:0", "opaque:0", "cpu:0");
    }
  }

  @Test
  void severalCpuDevicesAreTheHostUnderEachName() {
    try (TestDevices devices = new TestDevices()) {
      for (List<String> chosen :
          List.of(List.of("cpu:0", "cpu:1", "cpu:2"), List.of("cpu:2", "cpu:0", "cpu:1"))) {
        VmBuilder builder = VirtualMachine.builder(calling().build()).registry(devices.registry());
        chosen.forEach(builder::device);
        try (VirtualMachine vm = builder.build()) {
          assertThat(vm.devices()).hasSize(3).allMatch(Device::isHost);
          assertThat(vm.placement().devices())
              .extracting(Placement.DeviceEntry::name)
              .containsExactlyElementsOf(chosen);
          assertThat(vm.placement().devices())
              .extracting(Placement.DeviceEntry::insteadOf)
              .containsOnlyNulls();
        }
      }
    }
  }

  @Test
  void aDeviceIsGivenOnce() {
    try (TestDevices devices = new TestDevices()) {
      assertThatThrownBy(() -> deviceNames(calling(), devices, List.of("opaque", "opaque:0")))
          .isInstanceOf(LinkException.class)
          .hasMessage("device opaque:0 is given twice; the devices are [opaque:0, opaque:0]");
    }
  }

  @Test
  void unknownDeviceLeaksNothing() {
    try (TestDevices devices = new TestDevices()) {
      assertThatThrownBy(() -> deviceNames(calling(), devices, List.of("opaque:7")))
          .isInstanceOf(BackendException.class);
      assertThat(devices.opaque().blocks).hasValue(0);
    }
  }

  @Test
  @ResourceLock("org.relaxvm.api.Functions")
  void allMissingFunctionsAreReportedTogether() {
    Provider builtins = new Provider("builtins", Map.of("vm.builtin.copy", says("copy")));
    Module kernels = Module.of("kernels of digits.rvm", Map.of("dense", says("dense")));
    try (TestDevices devices = new TestDevices(builtins)) {
      VmBuilder builder =
          VirtualMachine.builder(
                  calling("denes", "vm.builtin.copy", "relaxvm.probe", "vm.builtin.cpoy").build())
              .registry(devices.registry())
              .module(kernels)
              .function("mine", says("mine"));
      assertThatThrownBy(builder::build)
          .isInstanceOfSatisfying(
              LinkException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
          .hasMessage(
              "the program needs 3 functions that nothing provides:\n"
                  + "    denes (similar: dense)\n"
                  + "    relaxvm.probe\n"
                  + "    vm.builtin.cpoy (similar: vm.builtin.copy)\n"
                  + "  searched, in this order:\n"
                  + "    modules: kernels of digits.rvm (1 functions)\n"
                  + "    kernel library, for names that start with relaxvm.: library of "
                  + "cpu:0 (0 functions)\n"
                  + "    function providers: builtins (1 functions)\n"
                  + "    functions registered on the builder: mine\n"
                  + "    functions registered in this process: none\n"
                  + "  what to do: add the jar that provides them, choose a device whose "
                  + "library has them, or register them with function(name, f) on the "
                  + "builder or with Functions.register");
    }
  }

  @Test
  @ResourceLock("org.relaxvm.api.Functions")
  void functionsOfTheProcessComeAfterThoseOfTheBuilder() {
    Functions.register("first", says("process"));
    Functions.register("second", says("process"));
    try (TestDevices devices = new TestDevices();
        VirtualMachine vm =
            VirtualMachine.builder(calling("first", "second").build())
                .registry(devices.registry())
                .function("first", says("builder"))
                .build()) {
      assertThat(vm.placement().functions())
          .filteredOn(entry -> !entry.name().equals("main"))
          .extracting(Placement.FunctionEntry::origin)
          .containsExactly(
              "function registered on the builder", "function registered in this process");
      assertThatThrownBy(
              () ->
                  VirtualMachine.builder(calling("fist").build())
                      .registry(devices.registry())
                      .build())
          .hasMessageContaining("\n    fist (similar: first)\n")
          .hasMessageContaining("\n    functions registered in this process: first, second\n");
    } finally {
      Functions.remove("first");
      Functions.remove("second");
    }
  }

  @Test
  void missingFunctionGivesTheDevicesMemoryBack() {
    try (TestDevices devices = new TestDevices()) {
      TestProgram program = new TestProgram();
      Arg constant = program.constant(Tensor.of(new float[] {1}, Shape.of(1)));
      program.function("main", 0, 1).call("nowhere", 0, constant).ret(0);
      VmBuilder builder =
          VirtualMachine.builder(program.build()).registry(devices.registry()).device("opaque");
      assertThatThrownBy(builder::build).isInstanceOf(LinkException.class);
      assertThat(devices.opaque().blocks).hasValue(0);
      assertThat(devices.opaque().streams).hasValue(0);
    }
  }

  @Test
  void modulesComeFirstThenTheDevicesLibraryThenProvidersThenTheUser() {
    Map<String, PackedFunc> all =
        Map.of("relaxvm.probe", says("provider"), "f", says("provider"), "g", says("provider"));
    Module imported = Module.of("imported", Map.of("f", says("imported")));
    Module module = new ImportingModule(imported);
    try (TestDevices devices = new TestDevices(new Provider("third party", all))) {
      VmBuilder builder =
          VirtualMachine.builder(calling("f", "relaxvm.probe", "g", "h").build())
              .registry(devices.registry())
              .device("opaque")
              .module(module);
      for (String name : List.of("f", "relaxvm.probe", "g", "h")) {
        builder.function(name, says("user"));
      }
      try (VirtualMachine vm = builder.build()) {
        assertThat(vm.placement().functions().stream().map(Placement.FunctionEntry::toString))
            .hasSize(5)
            .satisfiesExactly(
                main -> assertThat(main).contains("main", "bytecode of the program"),
                f -> assertThat(f).contains("f", "outer module"),
                probe -> assertThat(probe).contains("relaxvm.probe", "library of opaque:0"),
                g -> assertThat(g).contains("g", "provider third party ("),
                h -> assertThat(h).contains("h", "function registered on the builder"));
        assertThat(vm.function("main").call().asString()).isEqualTo("user");
      }
    }
  }

  private record ImportingModule(Module imported) implements Module {
    @Override
    public String origin() {
      return "outer module";
    }

    @Override
    public Set<String> functionNames() {
      return Set.of();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.empty();
    }

    @Override
    public List<Module> imports() {
      return List.of(imported);
    }
  }

  @Test
  void twoProvidersOfOneNameAreBothNamed() {
    Map<String, PackedFunc> functions = Map.of("f", says("x"));
    try (TestDevices devices =
        new TestDevices(new Provider("first", functions), new Provider("second", functions))) {
      VmBuilder builder = VirtualMachine.builder(calling("f").build()).registry(devices.registry());
      assertThatThrownBy(builder::build)
          .isInstanceOf(LinkException.class)
          .hasMessageContaining("'f'")
          .hasMessageContaining("first")
          .hasMessageContaining("second");
    }
  }

  @Test
  void compiledFunctionWithoutBodyIsMissing() {
    try (TestDevices devices = new TestDevices()) {
      VmBuilder builder =
          VirtualMachine.builder(new TestProgram().compiled("main", 1, 2).build())
              .registry(devices.registry());
      assertThatThrownBy(builder::build)
          .isInstanceOfSatisfying(
              LinkException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue("Cannot find underlying compiled tirx function of VMTIRFunc main"))
          .hasMessageStartingWith(
              """
              the program needs a function that nothing provides:
                  __vmtir__main
              """);
    }
  }

  @Test
  void constantsAreSharedWithTheHostAndCopiedToOtherDevices() {
    try (TestDevices devices = new TestDevices();
        Tensor weights = Tensor.of(new float[] {1, 2, 3}, Shape.of(3))) {
      TestProgram program = new TestProgram();
      Arg constant = program.constant(weights, "global");
      Arg shape = program.constant(Shape.of(4));
      program.function("main", 0, 1).call("copy", VOID, shape).call("copy", 0, constant).ret(0);
      PackedFunc copy = (args, result) -> result.setArgument(args, 0);
      VmBuilder builder =
          VirtualMachine.builder(program.build())
              .registry(devices.registry())
              .allocator(AllocatorKind.NAIVE)
              .function("copy", copy);
      try (VirtualMachine vm = builder.build();
          Tensor result = vm.function("main").call().asTensor()) {
        assertThat(result.storage().memory()).isSameAs(weights.storage().memory());
        assertThat(result.isConstant()).isTrue();
        Object made = result.storage().derive("of this VM", key -> new Object());
        try (VirtualMachine other = builder.build();
            Tensor same = other.function("main").call().asTensor()) {
          Object none = same.storage().derive("of this VM", key -> null);
          assertThat(made).isNotNull();
          assertThat(none).isNull();
        }
      }
      try (VirtualMachine vm = builder.device("opaque").build();
          Tensor result = vm.function("main").call().asTensor()) {
        assertThat(result.device()).isSameAs(devices.opaque());
        assertThat(result.isConstant()).isTrue();
        assertThat(result.toHost().toFloatArray()).containsExactly(1, 2, 3);
        assertThat(vm.placement())
            .hasToString(
                """
                devices:
                  0: opaque:0
                  1: cpu:0
                functions:
                  main: bytecode of the program
                  copy: function registered on the builder
                constants:
                  c[0]: float32 [3] on opaque:0
                  c[1]: [4]\
                """);
      }
      assertThat(devices.opaque().blocks).hasValue(0);
    }
  }

  @Test
  void registeringANameTwiceIsRefused() {
    VmBuilder builder = VirtualMachine.builder(calling().build()).function("f", says("x"));
    assertThatThrownBy(() -> builder.function("f", says("y")))
        .hasMessage("function 'f' is already registered on this builder");
  }

  @Test
  void savedFunctionsBelongToOneVm() {
    try (TestDevices devices = new TestDevices()) {
      TestProgram program = new TestProgram().function("main", 1, 1).ret(0);
      try (VirtualMachine one = TestFunctions.builder(program, devices).build();
          VirtualMachine two = TestFunctions.builder(program, devices).build()) {
        one.saveFunction("main", "saved", true, 1);
        assertThat(one.functionNames()).containsExactly("main", "saved");
        assertThat(two.functionNames()).containsExactly("main");
      }
    }
  }
}
