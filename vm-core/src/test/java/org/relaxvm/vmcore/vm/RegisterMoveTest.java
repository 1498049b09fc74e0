package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.RegisterMove;

/**
 * Functions that only move registers are not called, unless somebody watches or they would fail.
 */
class RegisterMoveTest {
  private final TestDevices devices = new TestDevices();
  private int calls;

  @AfterEach
  void close() {
    devices.close();
  }

  @Test
  void movesWithoutCalling() {
    TestProgram program =
        new TestProgram()
            .function("main", 2, 4, "x", "y")
            .call("move", 2, r(0))
            .call("move", 2, r(0))
            .call("move", 2, r(1))
            .call("move", VOID, r(1))
            .call("move", 3, imm(7))
            .call("clear", 0)
            .call("move", 3, r(2))
            .ret(3);
    try (VirtualMachine vm = vm(program);
        Tensor x = Tensor.of(new float[] {1}, Shape.of(1));
        Tensor y = Tensor.of(new float[] {2}, Shape.of(1))) {
      try (Tensor result = vm.function("main").call(x, y).asTensor()) {
        assertThat(result.toFloatArray()).containsExactly(2f);
      }
      assertThat(calls).isZero();
      x.close();
      y.close();
      assertThat(x.isLive()).as("x is owned by nobody any more").isFalse();
      assertThat(y.isLive()).as("y is owned by nobody any more").isFalse();
    }
  }

  @Test
  void anInstrumentSeesMovesAsCalls() {
    TestProgram program =
        new TestProgram().function("main", 1, 2, "x").call("move", 1, r(0)).call("clear", 0).ret(1);
    List<String> seen = new ArrayList<>();
    try (VirtualMachine vm = vm(program)) {
      vm.instrument(
          (function, symbol, args) -> {
            seen.add(symbol + args.count());
            return Instrument.Action.RUN;
          });
      assertThat(vm.function("main").call(5).asLong()).isEqualTo(5);
      assertThat(seen).containsExactly("move1", "clear0");
      assertThat(calls).isEqualTo(2);
    }
  }

  @Test
  void anotherNumberOfArgumentsIsACall() {
    TestProgram program =
        new TestProgram().function("main", 1, 2, "x").call("move", 1, r(0), r(0)).ret(1);
    try (VirtualMachine vm = vm(program)) {
      assertThatThrownBy(() -> vm.function("main").call(5))
          .hasMessageStartingWith("move takes 1 argument, but got 2");
    }
  }

  private VirtualMachine vm(TestProgram program) {
    return VirtualMachine.builder(program.build())
        .registry(devices.registry())
        .function("move", new Move(1, "move"))
        .function("clear", new Move(0, "clear"))
        .build();
  }

  private final class Move implements RegisterMove {
    private final int count;
    private final String name;

    Move(int count, String name) {
      this.count = count;
      this.name = name;
    }

    @Override
    public int argumentCount() {
      return count;
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      calls++;
      args.requireCount(name, count);
      if (count == 1) {
        result.setArgument(args, 0);
      }
    }
  }
}
