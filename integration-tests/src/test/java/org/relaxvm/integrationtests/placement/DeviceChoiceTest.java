package org.relaxvm.integrationtests.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.integrationtests.placement.Machines.Placed;
import org.relaxvm.integrationtests.placement.Machines.Watched;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Which devices a placed program gets, and what a user reads who gives it the wrong ones. */
class DeviceChoiceTest {
  private final BackendRegistry registry = Machines.registry();
  private final Program split = Machines.compile(Machines.SPLIT);

  @AfterEach
  void closeRegistry() {
    registry.close();
  }

  private List<String> devices(String... given) {
    VmBuilder builder = Machines.builder(split, registry);
    List.of(given).forEach(builder::device);
    try (VirtualMachine vm = builder.build()) {
      return vm.devices().stream().map(Device::toString).toList();
    }
  }

  @Test
  void withoutAChoiceItGetsWhatItNames() {
    assertThat(devices()).containsExactly("reference:0", "cpu:0");
  }

  @Test
  void anotherDeviceOfTheKindMayBeGiven() {
    assertThat(devices("reference:1")).containsExactly("reference:1", "cpu:0");
    assertThat(devices("reference:1", "cpu")).containsExactly("reference:1", "cpu:0");
    List<Placed> args =
        List.of(Placed.of(0, Shape.of(1, 4), 0, 1, 2, -1), Placed.of(1, Shape.of(4), 1, 2, 3, 4));
    try (VirtualMachine vm = Machines.builder(split, registry).device("reference:1").build()) {
      SeveralDevicesTest.assertClose(
          Machines.run(vm, args), Machines.expected(Machines.parse(Machines.SPLIT), args));
      assertThat(vm.placement().toString())
          .startsWith("devices:\n  0: reference:1, instead of reference:0\n");
    }
  }

  @Test
  void furtherDevicesComeBehindThoseOfTheProgram() {
    assertThat(devices("reference:1", "reference:0"))
        .containsExactly("reference:0", "reference:1", "cpu:0");
  }

  @Test
  void aMissingDeviceIsNamedWithWhatToDo() {
    assertThatThrownBy(() -> devices("cpu"))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "the program is placed on the devices [reference:0, cpu:0], but the virtual machine is"
                + " given [cpu:0]\n  missing: reference:0\n  what to do: give it with"
                + " .device(\"reference:0\") (--device reference:0), or let the host replace it"
                + " with .fallbackToHost() (--allow-fallback)");
  }

  @Test
  void theOrderIsThatOfTheProgramAndEachIsGivenOnce() {
    assertThat(devices("cpu", "reference:0")).containsExactly("reference:0", "cpu:0");
    assertThatThrownBy(() -> devices("reference:0", "reference:0"))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            "device reference:0 is given twice; the devices are [reference:0, reference:0]");
  }

  private static String scoped(String scope) {
    return """
    from tvm.script import ir as I
    from tvm.script import relax as R

    @I.ir_module
    class Module:
        I.module_global_infos({"vdevice": [I.vdevice("reference", 0), I.vdevice("reference", 0, "SCOPE"), I.vdevice("cpu", 0)]})

        @R.function
        def main(x: R.Tensor((4,), "float32", vdevice="reference:0")):
            a = R.exp(x)
            b = R.to_vdevice(a, "reference:0:SCOPE")
            c = R.add(b, R.const([1, 2, 3, 4], "float32"))
            d = R.to_vdevice(c, "reference:0:global")
            e = R.add(d, x)
            return e
    """
        .replace("SCOPE", scope);
  }

  @Test
  void aMemoryScopeGoesToTheAllocatorOfItsDevice() {
    Watched[] device = new Watched[2];
    String text = scoped("texture");
    List<Placed> args = List.of(Placed.of(0, Shape.of(4), 0, 1, 2, -1));
    try (BackendRegistry watched = Machines.registry(id -> device[id.ordinal()] = new Watched(id));
        VirtualMachine vm =
            Machines.naive(Machines.builder(Machines.compile(text), watched)).build()) {
      SeveralDevicesTest.assertClose(
          Machines.run(vm, args), Machines.expected(Machines.parse(text), args));
      assertThat(vm.devices()).hasSize(2);
      assertThat(device[0].scopes.stream().filter("texture"::equals)).hasSize(3);
      assertThat(vm.placement().toString())
          .contains(": float32 [4] on reference:0, scope texture\n")
          .contains("\n  main on reference:0, scope texture: 1 storage, 16 bytes\n")
          .contains("from reference:0 to reference:0, scope texture\n");
    }
  }

  @Test
  void aScopeThatADeviceDoesNotHaveIsRefusedByIt() {
    String text = scoped("shared");
    assertThatThrownBy(
            () -> Machines.naive(Machines.builder(Machines.compile(text), registry)).build())
        .isInstanceOf(BackendException.class)
        .hasMessage("reference:0 has no scope 'shared', only 'global'");
    Program withoutConstant =
        Machines.compile(text.replace("R.add(b, R.const([1, 2, 3, 4], \"float32\"))", "R.exp(b)"));
    try (VirtualMachine vm = Machines.naive(Machines.builder(withoutConstant, registry)).build()) {
      assertThatThrownBy(() -> Machines.run(vm, List.of(Placed.of(0, Shape.of(4), 0, 1, 2, -1))))
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith(
              "reference:0 has no scope 'shared', only 'global'\n  at function main, pc ");
    }
  }
}
