package org.relaxvm.interoprelay.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The block at whose entry a Phi takes one of its operands, and which one on each edge.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 5.1.
 *
 * @param block the join
 * @param edges one for each predecessor of the join, which are at least two
 */
public record PhiJoin(int block, List<PhiEdge> edges) {
  /** The "definition" of a parameter, which is defined before the first instruction. */
  public static final int PARAMETER = -1;

  /** Copies the list. */
  public PhiJoin {
    edges = List.copyOf(edges);
  }

  /**
   * The join of a Phi, as dominators of the edges decide it.
   *
   * @param phi the reachable instruction
   * @param first the instruction that defines the first operand, or {@link #PARAMETER}
   * @param second the same for the second operand
   * @return empty when dominators do not decide, so that the Phi must look at run time
   */
  public static Optional<PhiJoin> of(ControlFlow flow, int phi, int first, int second) {
    int block = flow.blockOf(phi);
    while (block != ControlFlow.NONE) {
      List<Integer> sources = sources(flow, block);
      if (sources.size() > 1) {
        List<PhiEdge> edges = new ArrayList<>();
        for (int from : sources) {
          boolean hasFirst = isDefined(flow, first, from);
          boolean hasSecond = isDefined(flow, second, from);
          if (hasFirst || hasSecond) {
            boolean both = hasFirst && hasSecond;
            boolean takeSecond = both ? isBefore(flow, first, second) : hasSecond;
            edges.add(new PhiEdge(from, takeSecond, both));
          }
        }
        if (!edges.isEmpty()) {
          return edges.size() == sources.size()
              ? Optional.of(new PhiJoin(block, edges))
              : Optional.empty();
        }
      }
      block = flow.immediateDominator(block);
    }
    return Optional.empty();
  }

  private static List<Integer> sources(ControlFlow flow, int block) {
    List<Integer> sources = new ArrayList<>(flow.block(block).predecessors());
    if (block == 0) {
      sources.add(ControlFlow.NONE);
    }
    return sources;
  }

  /** Whether a definition has been executed whenever control is at the end of a block. */
  private static boolean isDefined(ControlFlow flow, int definition, int block) {
    return definition == PARAMETER
        || (block != ControlFlow.NONE && flow.dominates(flow.blockOf(definition), block));
  }

  /** Which of two definitions is executed first; both dominate one block. */
  private static boolean isBefore(ControlFlow flow, int first, int second) {
    return first == PARAMETER || (second != PARAMETER && flow.instructionDominates(first, second));
  }
}
