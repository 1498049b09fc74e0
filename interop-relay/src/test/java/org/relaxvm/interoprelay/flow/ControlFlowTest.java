package org.relaxvm.interoprelay.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

class ControlFlowTest {
  private static final int PARAMETER = PhiJoin.PARAMETER;

  @Test
  void aDiamondHasFourBlocksAndItsFirstBranchFollowsTheCondition() {
    ControlFlow flow = Arrows.flow("1 4", ".", ".", "6", ".", ".", ".", "");
    assertThat(flow.blocks())
        .containsExactly(
            new BasicBlock(0, 0, 1, List.of(1, 2), List.of(), false),
            new BasicBlock(1, 1, 4, List.of(3), List.of(0), false),
            new BasicBlock(2, 4, 6, List.of(3), List.of(0), false),
            new BasicBlock(3, 6, 8, List.of(), List.of(1, 2), false));
    assertThat(flow.reversePostOrder()).containsExactly(0, 1, 2, 3);
    assertThat(flow.immediateDominator(3)).isZero();
    assertThat(flow.dominates(1, 3)).isFalse();
    assertThat(flow.instructionDominates(0, 7)).isTrue();
    assertThat(flow.instructionDominates(7, 7)).isFalse();
  }

  @Test
  void aLoopIsLaidOutWithItsBodyBeforeItsExit() {
    ControlFlow flow = Arrows.flow(".", ".", "3 5", ".", "1", "");
    assertThat(flow.reversePostOrder()).containsExactly(0, 1, 2, 3);
    assertThat(flow.block(1).predecessors()).containsExactly(0, 2);
    assertThat(flow.dominates(1, 2)).isTrue();
  }

  @Test
  void unreachableBlocksHaveNoDominatorAndPrecedeNothing() {
    ControlFlow flow = Arrows.flow("2", "2", "");
    assertThat(flow.isReachable(1)).isFalse();
    assertThat(flow.block(2).predecessors()).containsExactly(0);
    assertThat(flow.dominates(1, 1)).isFalse();
    assertThat(flow.reversePostOrder()).containsExactly(0, 2);
  }

  @Test
  void runningPastTheEndIsTold() {
    assertThat(Arrows.flow(".", ". 0").block(0).fallsOffEnd()).isTrue();
    assertThat(Arrows.flow(".", "").block(0).fallsOffEnd()).isFalse();
  }

  @Test
  void aJumpOutOfTheFunctionIsRefused() {
    assertThatThrownBy(() -> Arrows.flow("2", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("instruction 0 jumps to 2, which is not in the function");
  }

  @Test
  void aPhiOfADiamondTakesTheOperandOfEachBranch() {
    ControlFlow flow = Arrows.flow("1 3", ".", "4", ".", ".", "");
    assertThat(PhiJoin.of(flow, 4, 1, 3))
        .contains(
            new PhiJoin(3, List.of(new PhiEdge(1, false, false), new PhiEdge(2, true, false))));
    assertThat(PhiJoin.of(flow, 4, 3, 1))
        .contains(
            new PhiJoin(3, List.of(new PhiEdge(1, true, false), new PhiEdge(2, false, false))));
  }

  @Test
  void aPhiOfALoopTakesTheLaterOperandOnTheBackEdge() {
    ControlFlow flow = Arrows.flow(".", ".", "3 5", ".", "1", "");
    assertThat(PhiJoin.of(flow, 1, 0, 3))
        .contains(
            new PhiJoin(1, List.of(new PhiEdge(0, false, false), new PhiEdge(2, true, true))));
  }

  @Test
  void aLoopAtTheFirstInstructionHasTheEdgeOfTheCaller() {
    ControlFlow flow = Arrows.flow(".", "2 4", ".", "0", "");
    assertThat(PhiJoin.of(flow, 0, PARAMETER, 2))
        .contains(
            new PhiJoin(
                0,
                List.of(new PhiEdge(1, true, true), new PhiEdge(ControlFlow.NONE, false, false))));
  }

  @Test
  void aPhiAfterABranchLooksAtTheJoinAbove() {
    // The join at 4 is followed by a branch; the Phi is in one of its arms.
    ControlFlow flow = Arrows.flow("1 3", ".", "4", ".", "5 6", ".", "");
    assertThat(PhiJoin.of(flow, 5, 1, 3).orElseThrow().block()).isEqualTo(3);
  }

  @Test
  void anOperandThatOnlyOneEdgeHasIsNotDecided() {
    ControlFlow flow = Arrows.flow("1 3", ". 3", "3", ".", "");
    assertThat(PhiJoin.of(flow, 3, 1, 2)).isEmpty();
  }

  @Test
  void dominatorsAgreeWithTheirDefinitionOnRandomGraphs() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(300, 3_000, 100_000));
    cases
        .numbers()
        .forEach(
            number -> {
              Random random = new Random(cases.seed() * 31 + number);
              int count = 1 + random.nextInt(14);
              List<String> instructions = new ArrayList<>();
              for (int i = 0; i < count; i++) {
                instructions.add(
                    switch (random.nextInt(5)) {
                      case 0 -> String.valueOf(random.nextInt(count));
                      case 1 -> random.nextInt(count) + " " + random.nextInt(count);
                      case 2 -> i == count - 1 ? "" : ". " + random.nextInt(count);
                      case 3 -> random.nextInt(3) == 0 ? "" : ".";
                      default -> ".";
                    });
              }
              ControlFlow flow = ControlFlow.of(new Arrows(instructions));
              for (BasicBlock a : flow.blocks()) {
                BitSet without = reachable(flow, a.index());
                for (BasicBlock b : flow.blocks()) {
                  boolean expected =
                      flow.isReachable(b.index())
                          && flow.isReachable(a.index())
                          && !without.get(b.index());
                  assertThat(flow.dominates(a.index(), b.index()))
                      .as("%s: %s over %s, %s", instructions, a, b, cases.repeat(number))
                      .isEqualTo(expected);
                }
              }
            });
  }

  /** The blocks that control reaches without entering one of them. */
  private static BitSet reachable(ControlFlow flow, int avoided) {
    BitSet seen = new BitSet();
    List<Integer> waiting = new ArrayList<>(List.of(0));
    while (!waiting.isEmpty()) {
      int block = waiting.removeLast();
      if (block != avoided && !seen.get(block)) {
        seen.set(block);
        waiting.addAll(flow.block(block).successors());
      }
    }
    return seen;
  }
}
