package org.relaxvm.integrationtests.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.integrationtests.events.Recorded;
import org.relaxvm.integrationtests.placement.Machines.Lacking;
import org.relaxvm.integrationtests.placement.Machines.Placed;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** What a device lacks is an error, or the host does it where that is allowed. */
class FallbackTest {
  private static final List<Placed> ARGS =
      List.of(
          Placed.of(0, Shape.of(2, 4), 0, 1, 2, -1, .5f, -.5f, 3, 0),
          Placed.of(1, Shape.of(4), 1, 2, 3, 4));

  private final Program split = Machines.compile(Machines.SPLIT);

  private static void isRight(VirtualMachine vm) {
    SeveralDevicesTest.assertClose(
        Machines.run(vm, ARGS), Machines.expected(Machines.parse(Machines.SPLIT), ARGS));
  }

  /** A module without some of its kernels. */
  private record Without(Module all, String kernel, Optional<String> reason) implements Module {
    @Override
    public String origin() {
      return all.origin();
    }

    @Override
    public Set<String> functionNames() {
      Set<String> names = new HashSet<>(all.functionNames());
      names.remove(kernel);
      return names;
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return name.equals(kernel) ? Optional.empty() : all.find(name);
    }

    @Override
    public Optional<String> lacks(String name) {
      return name.equals(kernel) ? reason : Optional.empty();
    }
  }

  private static BackendRegistry without(String kernel, Optional<String> reason) {
    return Machines.registry(
        id -> new Lacking(id, Set.of("tir"), module -> new Without(module, kernel, reason)));
  }

  private static void refuses(VmBuilder builder, String message) {
    assertThatThrownBy(builder::build).isInstanceOf(LinkException.class).hasMessage(message);
  }

  @Test
  void aKernelThatADeviceLacksIsNamedWithItsDevice() {
    String kernel = "fused_tir_exp_multiply_reference";
    try (BackendRegistry registry = without(kernel, Optional.of("it has no exp"))) {
      refuses(
          Machines.builder(split, registry),
          "devices lack kernels of the program:\n"
              + "    kernel fused_tir_exp_multiply_reference: reference:0 lacks it: it has no exp\n"
              + "  what to do: choose a device that has them, or let the host compute them with"
              + " .fallbackToHost() (--allow-fallback)");
    }
  }

  @Test
  void theHostComputesOneKernelWithCopiesOfItsArguments() {
    String kernel = "fused_tir_exp_multiply_reference";
    try (BackendRegistry registry = without(kernel, Optional.empty());
        VirtualMachine vm = Machines.builder(split, registry).fallbackToHost().build()) {
      isRight(vm);
      assertThat(vm.placement().fallbacks())
          .containsExactly(
              "kernel fused_tir_exp_multiply_reference on cpu:0 instead of reference:0: reference:0"
                  + " lacks it: its backend gives no reason");
      assertThat(vm.placement().functions())
          .filteredOn(function -> function.name().endsWith("_reference"))
          .extracting(function -> function.name() + " " + function.device())
          .containsExactly(
              "fused_tir_exp_multiply_reference cpu:0",
              "fused_tir_negative_add1_reference reference:0");
    }
  }

  @Test
  void theHostComputesAllKernelsOfADeviceThatTakesNone() {
    try (BackendRegistry registry =
        Machines.registry(id -> new Lacking(id, Set.of(), module -> module))) {
      refuses(
          Machines.builder(split, registry),
          "no device of the virtual machine takes the program's kernels of format 'tir' for"
              + " reference (functions fused_tir_exp_multiply_reference,"
              + " fused_tir_negative_add1_reference)\n"
              + "  devices: reference:0 takes []; cpu:0 takes [tir]\n"
              + "  what to do: compile the program's kernels to a format that the device takes, or"
              + " use a version of relaxvm-backend-reference that takes this one");
      try (VirtualMachine vm = Machines.builder(split, registry).fallbackToHost().build()) {
        isRight(vm);
        vm.warmUp();
        assertThat(vm.placement().toString())
            .endsWith(
                """
                fallbacks:
                  kernel fused_tir_exp_multiply_reference on cpu:0 instead of reference:0: reference:0 takes no kernels of format 'tir'
                  kernel fused_tir_negative_add1_reference on cpu:0 instead of reference:0: reference:0 takes no kernels of format 'tir'\
                """);
      }
    }
  }

  @Test
  void theHostComputesWhatADeviceCannotLoad() {
    try (BackendRegistry registry =
            Machines.registry(
                id ->
                    new Lacking(
                        id,
                        Set.of("tir"),
                        module -> {
                          throw new BackendException(ErrorKind.INTERNAL, "it does not compile");
                        }));
        VirtualMachine vm = Machines.builder(split, registry).fallbackToHost().build()) {
      isRight(vm);
      assertThat(vm.placement().fallbacks().getFirst())
          .isEqualTo(
              "kernel fused_tir_exp_multiply_reference on cpu:0 instead of reference:0: it does not"
                  + " compile");
      assertThatThrownBy(() -> Machines.builder(split, registry).build())
          .isInstanceOf(BackendException.class)
          .hasMessage("it does not compile");
    }
  }

  @Test
  void theHostTakesThePlaceOfADevice() {
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm =
            Machines.builder(split, registry).device("cpu").fallbackToHost().build()) {
      isRight(vm);
      assertThat(vm.placement().devices())
          .extracting(device -> device.index() + " " + device.name() + " " + device.insteadOf())
          .containsExactly("0 cpu:0 reference:0", "1 cpu:0 null");
      assertThat(vm.placement().fallbacks())
          .containsExactly(
              "device reference:0 on cpu:0 instead of reference:0: it is none of the given"
                  + " devices");
    }
  }

  @Test
  void theHostTakesThePlaceOfADeviceThatNobodyOffers() {
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new CpuBackendProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm = Machines.builder(split, registry).fallbackToHost().build()) {
      isRight(vm);
      assertThat(vm.placement().fallbacks())
          .singleElement()
          .asString()
          .startsWith("device reference:0 on cpu:0 instead of reference:0: ");
    }
  }

  @Test
  void aProgramWithoutPlacesFallsBackToo() {
    Program plain =
        Machines.compile(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    a = R.add(x, x)
                    return a
            """);
    List<Placed> args = List.of(Placed.of(0, Shape.of(4), 0, 1, 2, 3));
    try (BackendRegistry registry =
        Machines.registry(id -> new Lacking(id, Set.of(), module -> module))) {
      refuses(
          Machines.builder(plain, registry).device("reference"),
          "no device of the virtual machine takes the program's kernels of format 'tir' (functions"
              + " add)\n  devices: reference:0 takes []; cpu:0 takes [tir]\n  what to do: give the"
              + " virtual machine a device that takes this format, or let the host compute them"
              + " with .fallbackToHost() (--allow-fallback)");
      try (VirtualMachine vm =
          Machines.builder(plain, registry).device("reference").fallbackToHost().build()) {
        assertThat(Machines.run(vm, args)).containsExactly(0, 2, 4, 6);
        assertThat(vm.placement().fallbacks())
            .containsExactly(
                "kernel add on cpu:0 instead of reference:0: reference:0 takes no kernels of format"
                    + " 'tir'");
      }
      try (VirtualMachine vm =
          Machines.builder(plain, registry).device("npu").fallbackToHost().build()) {
        assertThat(Machines.run(vm, args)).containsExactly(0, 2, 4, 6);
        assertThat(vm.placement().fallbacks())
            .singleElement()
            .asString()
            .startsWith("device npu:0 on cpu:0 instead of npu:0: ");
      }
    }
  }

  @Test
  void eachFallbackIsRecorded() throws IOException {
    try (BackendRegistry registry =
        Machines.registry(id -> new Lacking(id, Set.of(), module -> module))) {
      assertThat(
              Recorded.contents(
                  "relaxvm.Fallback",
                  () -> Machines.builder(split, registry).fallbackToHost().build().close()))
          .containsExactly(
              "{reason=reference:0 takes no kernels of format 'tir', used=cpu:0, wanted=kernel"
                  + " fused_tir_exp_multiply_reference on reference:0}",
              "{reason=reference:0 takes no kernels of format 'tir', used=cpu:0, wanted=kernel"
                  + " fused_tir_negative_add1_reference on reference:0}");
    }
  }

  private static final String LIBRARY =
      """
      from tvm.script import ir as I
      from tvm.script import relax as R

      @I.ir_module
      class Module:
          I.module_global_infos({"vdevice": [I.vdevice("reference", 0), I.vdevice("cpu", 0)]})

          @R.function
          def main(x: R.Tensor((4,), "float32", vdevice="reference:0")):
              a = R.call_dps_packed("relaxvm.exp", (x,), out_ty=R.Tensor((4,), "float32"))
              b = R.to_vdevice(a, "cpu:0")
              c = R.call_dps_packed("relaxvm.exp", (b,), out_ty=R.Tensor((4,), "float32"))
              return c
      """;

  @Test
  void kernelsOfLibrariesAreThoseOfTheirDevice() {
    try (BackendRegistry registry = Machines.registry();
        VirtualMachine vm = Machines.builder(Machines.compile(LIBRARY), registry).build()) {
      float[] got = Machines.run(vm, List.of(Placed.of(0, Shape.of(4), 0, 1, -1, .5f)));
      SeveralDevicesTest.assertClose(
          got, new float[] {2.7182817f, 15.154262f, 1.4446679f, 5.200326f});
      assertThat(vm.placement().functions())
          .filteredOn(function -> function.name().startsWith("relaxvm."))
          .extracting(function -> function.name() + " " + function.device())
          .containsExactly("relaxvm.exp reference:0", "relaxvm.exp@cpu cpu:0");
    }
  }

  @Test
  void theLibraryOfTheHostServesADeviceWithoutOne() {
    try (BackendRegistry registry = Machines.registry(Bare::new);
        VirtualMachine vm =
            Machines.builder(Machines.compile(LIBRARY), registry).fallbackToHost().build()) {
      float[] got = Machines.run(vm, List.of(Placed.of(0, Shape.of(4), 0, 1, -1, .5f)));
      SeveralDevicesTest.assertClose(
          got, new float[] {2.7182817f, 15.154262f, 1.4446679f, 5.200326f});
      assertThat(vm.placement().fallbacks())
          .containsExactly(
              "kernel relaxvm.exp on cpu:0 instead of reference:0: the library of reference:0 lacks"
                  + " it");
    }
  }

  /** A device without kernels of its own. */
  private static final class Bare extends ReferenceDevice {
    Bare(DeviceId id) {
      super(id);
    }

    @Override
    public Module library() {
      return Module.empty("no library");
    }
  }
}
