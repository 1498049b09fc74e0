package org.relaxvm.interoprelay.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The control flow graph of a function: basic blocks, their order, their dominators.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 5.1 and 7. Immutable.
 */
public final class ControlFlow {
  /** Stands for "no block". */
  public static final int NONE = -1;

  private final List<BasicBlock> blocks;
  private final int[] blockOf;
  private final List<Integer> order;
  private final Dominators dominators;

  private ControlFlow(
      List<BasicBlock> blocks, int[] blockOf, List<Integer> order, Dominators dominators) {
    this.blocks = blocks;
    this.blockOf = blockOf;
    this.order = order;
    this.dominators = dominators;
  }

  /**
   * Analyses a function.
   *
   * @throws IllegalArgumentException when there is no instruction, or a target is none of them
   */
  public static ControlFlow of(InstructionFlow flow) {
    int count = flow.count();
    if (count == 0) {
      throw new IllegalArgumentException("a function without instructions has no control flow");
    }
    BitSet leaders = leaders(flow);
    int[] blockOf = new int[count];
    int block = NONE;
    for (int i = 0; i < count; i++) {
      block += leaders.get(i) ? 1 : 0;
      blockOf[i] = block;
    }
    int[] starts = leaders.stream().toArray();
    List<Set<Integer>> successors = new ArrayList<>();
    for (int b = 0; b < starts.length; b++) {
      successors.add(
          successors(flow, (b + 1 < starts.length ? starts[b + 1] : count) - 1, blockOf));
    }
    List<Integer> order = reversePostOrder(successors);
    List<Set<Integer>> predecessors = new ArrayList<>();
    for (int b = 0; b < starts.length; b++) {
      predecessors.add(new LinkedHashSet<>());
    }
    order.stream()
        .sorted()
        .forEach(from -> successors.get(from).forEach(to -> predecessors.get(to).add(from)));
    List<BasicBlock> blocks = new ArrayList<>();
    for (int b = 0; b < starts.length; b++) {
      int end = b + 1 < starts.length ? starts[b + 1] : count;
      blocks.add(
          new BasicBlock(
              b,
              starts[b],
              end,
              List.copyOf(successors.get(b)),
              List.copyOf(predecessors.get(b)),
              end == count && flow.fallsThrough(end - 1)));
    }
    return new ControlFlow(
        List.copyOf(blocks), blockOf, List.copyOf(order), Dominators.of(blocks, order));
  }

  private static BitSet leaders(InstructionFlow flow) {
    int count = flow.count();
    BitSet leaders = new BitSet(count);
    leaders.set(0);
    for (int i = 0; i < count; i++) {
      int[] targets = flow.targets(i);
      for (int target : targets) {
        if (target < 0 || target >= count) {
          throw new IllegalArgumentException(
              "instruction " + i + " jumps to " + target + ", which is not in the function");
        }
        leaders.set(target);
      }
      if (i + 1 < count && (targets.length > 0 || !flow.fallsThrough(i))) {
        leaders.set(i + 1);
      }
    }
    return leaders;
  }

  private static Set<Integer> successors(InstructionFlow flow, int last, int[] blockOf) {
    Set<Integer> successors = new LinkedHashSet<>();
    if (flow.fallsThrough(last) && last + 1 < blockOf.length) {
      successors.add(blockOf[last + 1]);
    }
    for (int target : flow.targets(last)) {
      successors.add(blockOf[target]);
    }
    return successors;
  }

  /** Successors are visited last to first, so that the first one follows where that is possible. */
  private static List<Integer> reversePostOrder(List<Set<Integer>> successors) {
    record Visit(int block, ArrayDeque<Integer> left) {}
    List<Integer> postOrder = new ArrayList<>();
    BitSet seen = new BitSet();
    ArrayDeque<Visit> path = new ArrayDeque<>();
    seen.set(0);
    path.push(new Visit(0, new ArrayDeque<>(successors.getFirst())));
    while (!path.isEmpty()) {
      Visit visit = path.element();
      Integer next = visit.left().pollLast();
      if (next == null) {
        postOrder.add(visit.block());
        path.pop();
      } else if (!seen.get(next)) {
        seen.set(next);
        path.push(new Visit(next, new ArrayDeque<>(successors.get(next))));
      }
    }
    Collections.reverse(postOrder);
    return postOrder;
  }

  /** All blocks, unreachable ones too, in order of the instructions. */
  public List<BasicBlock> blocks() {
    return blocks;
  }

  /** A block by its index. */
  public BasicBlock block(int index) {
    return blocks.get(index);
  }

  /** The index of the block that an instruction is in. */
  public int blockOf(int instruction) {
    return blockOf[instruction];
  }

  /**
   * The reachable blocks, each after all blocks that dominate it. Of two successors the first
   * precedes the second where nothing else decides.
   */
  public List<Integer> reversePostOrder() {
    return order;
  }

  /** Whether control can reach a block. */
  public boolean isReachable(int block) {
    return block == 0 || dominators.parent(block) != NONE;
  }

  /** The closest other block on every path to a block; {@link #NONE} for 0 and unreachable ones. */
  public int immediateDominator(int block) {
    return dominators.parent(block);
  }

  /** Whether every path to {@code block} contains {@code dominator}; false for unreachable ones. */
  public boolean dominates(int dominator, int block) {
    return isReachable(dominator) && isReachable(block) && dominators.dominates(dominator, block);
  }

  /** Whether every path to an instruction contains another one before it. */
  public boolean instructionDominates(int dominator, int instruction) {
    int from = blockOf[dominator];
    int to = blockOf[instruction];
    return from == to ? isReachable(to) && dominator < instruction : dominates(from, to);
  }
}
