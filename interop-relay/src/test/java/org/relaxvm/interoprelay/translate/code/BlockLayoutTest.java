package org.relaxvm.interoprelay.translate.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.InstructionText;

/** Where blocks go, and which jumps they need. */
class BlockLayoutTest {
  private final CodeGraph graph = new CodeGraph("main", 1, List.of("n"), 1);

  private static Call condition(int dst) {
    return Call.packed(dst, "vm.builtin.read_if_cond", Operand.register(0));
  }

  private int blockThatReturns(long value) {
    int block = graph.newBlock();
    int register = graph.newRegister();
    graph.block(block).add(Call.copy(register, Operand.constant(value)));
    graph.block(block).exit(new Exit.Return(register));
    return block;
  }

  private String listing() {
    Executable executable = CodeEmitter.emit(List.of(graph));
    return InstructionText.listing(executable).replaceAll("(?s)\n\n.*", "\n");
  }

  @Test
  void anEmptyInfiniteLoopGetsAnInstruction() {
    int loop = graph.newBlock();
    int other = graph.newBlock();
    graph.entry().exit(new Exit.Jump(loop));
    graph.block(loop).exit(new Exit.Jump(other));
    graph.block(other).exit(new Exit.Jump(loop));
    assertThat(listing())
        .isEqualTo(
            """
            @main:
              call  vm.builtin.null_value in:              dst: %1
              goto  -1
            """);
  }

  @Test
  void aBranchToOneTargetNeedsNoCondition() {
    int end = blockThatReturns(7);
    int empty = graph.newBlock();
    graph.block(empty).exit(new Exit.Jump(end));
    graph.entry().exit(new Exit.Branch(condition(graph.newRegister()), empty, end));
    assertThat(listing())
        .isEqualTo(
            """
            @main:
              call  vm.builtin.copy  in: i7           dst: %1
              ret   %1
            """);
  }

  @Test
  void blocksThatBecomeEmptyAreLeftOutToo() {
    int end = blockThatReturns(7);
    int other = blockThatReturns(8);
    int chooser = graph.newBlock();
    graph.block(chooser).exit(new Exit.Branch(condition(graph.newRegister()), end, end));
    graph.entry().exit(new Exit.Branch(condition(graph.newRegister()), chooser, other));
    assertThat(listing())
        .isEqualTo(
            """
            @main:
              call  vm.builtin.read_if_cond in: %0           dst: %1
              If    %1, 3
              call  vm.builtin.copy  in: i7           dst: %2
              ret   %2
              call  vm.builtin.copy  in: i8           dst: %3
              ret   %3
            """);
  }

  @Test
  void aLoopWhoseConditionIsAtItsEndJumpsBackward() {
    int body = graph.newBlock();
    int end = blockThatReturns(1);
    int register = graph.newRegister();
    graph.entry().exit(new Exit.Jump(body));
    graph.block(body).add(Call.packed(register, "step", Operand.register(0)));
    graph.block(body).exit(new Exit.Branch(condition(graph.newRegister()), body, end));
    assertThat(listing())
        .isEqualTo(
            """
            @main:
              call  step             in: %0           dst: %1
              call  vm.builtin.read_if_cond in: %0           dst: %2
              If    %2, 2
              goto  -3
              call  vm.builtin.copy  in: i1           dst: %3
              ret   %3
            """);
  }

  @Test
  void aBranchWhoseFalseTargetIsBehindTakesTwoJumps() {
    int body = graph.newBlock();
    int end = blockThatReturns(1);
    int register = graph.newRegister();
    graph.entry().exit(new Exit.Jump(body));
    graph.block(body).add(Call.packed(register, "step", Operand.register(0)));
    graph.block(body).exit(new Exit.Branch(condition(graph.newRegister()), end, body));
    assertThat(listing())
        .isEqualTo(
            """
            @main:
              call  step             in: %0           dst: %1
              call  vm.builtin.read_if_cond in: %0           dst: %2
              If    %2, 2
              goto  2
              goto  -4
              call  vm.builtin.copy  in: i1           dst: %3
              ret   %3
            """);
  }

  /** Following each jump to its end would take hours. */
  @Test
  @Timeout(60)
  void aLongChainOfJumpsIsFollowedOnce() {
    int length = 300_000;
    int next = blockThatReturns(7);
    for (int i = 0; i < length; i++) {
      int block = graph.newBlock();
      graph.block(block).exit(new Exit.Jump(next));
      next = block;
    }
    graph.entry().exit(new Exit.Jump(next));
    assertThat(listing())
        .isEqualTo(
            """
            @main:
              call  vm.builtin.copy  in: i7           dst: %1
              ret   %1
            """);
  }
}
