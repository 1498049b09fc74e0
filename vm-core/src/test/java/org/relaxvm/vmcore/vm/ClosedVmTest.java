package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.Arg;

/** What outlives a virtual machine is refused with words, and holds nothing. */
class ClosedVmTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  @Test
  void closureIsRefusedAndGivesItsTensorBack() {
    TestProgram program = new TestProgram();
    program
        .function("first", 1, 1)
        .ret(0)
        .function("make", 0, 2)
        .call("new_tensor", 0, Arg.VM, imm(3))
        .call("make_closure", 1, program.functionValue("first"), r(0))
        .ret(1);
    VirtualMachine vm = TestFunctions.builder(program, devices).build();
    Closure closure = vm.function("make").call().asClosure();
    vm.close();
    String message = "cannot call function first: the virtual machine is closed";
    assertThatThrownBy(() -> vm.invoke(closure))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> closure.target().invoke(1)).hasMessage(message);
    assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
    closure.close();
    assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
  }

  @Test
  void savingAFunctionIsRefusedAndKeepsNoArgument() {
    TestProgram program = new TestProgram().function("main", 1, 1, "x").ret(0);
    VirtualMachine vm = TestFunctions.builder(program, devices).build();
    vm.close();
    Tensor tensor = Tensor.scalar(1L);
    assertThatThrownBy(() -> vm.saveFunction("main", "saved", true, tensor))
        .isInstanceOf(CallException.class)
        .hasMessage("cannot save function saved: the virtual machine is closed");
    tensor.close();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void attachmentIsRefused() {
    AtomicReference<VmContext> kept = new AtomicReference<>();
    TestProgram program = new TestProgram().function("main", 0, 1).call("keep", 0).ret(0);
    VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function("keep", (args, _) -> kept.set(args.context()))
            .build();
    vm.function("main").call().close();
    vm.close();
    VmContext context = Objects.requireNonNull(kept.get());
    assertThatThrownBy(() -> context.attachment(StringBuilder.class, StringBuilder::new))
        .isInstanceOf(CallException.class)
        .hasMessage("cannot make java.lang.StringBuilder for a virtual machine that is closed");
  }

  @Test
  void attachmentThatAsksForItselfIsRefused() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("attach", 0).ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function("attach", (args, _) -> selfish(args.context()))
            .build()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> vm.function("main").call())
            .isInstanceOf(CallException.class)
            .hasMessage(
                """
                making the attachment java.lang.StringBuilder asks for itself
                  at function main, pc 0: call attach in: dst: %0\
                """);
      }
    }
  }

  private static StringBuilder selfish(VmContext context) {
    return context.attachment(StringBuilder.class, () -> selfish(context));
  }
}
