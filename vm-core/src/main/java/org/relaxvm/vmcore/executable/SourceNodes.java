package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The nodes of an imported model that the instructions of a program were made from. Immutable.
 *
 * @param ranges of instructions, in order and without overlap
 */
public record SourceNodes(List<Range> ranges) {
  /** Those of a program that was not imported. */
  public static final SourceNodes NONE = new SourceNodes(List.of());

  private static final int FEW = 3;

  /**
   * Instructions that were made from the same nodes. Immutable.
   *
   * @param from the first program counter
   * @param to the one after the last
   * @param nodes the names of the nodes, in the order of execution
   */
  public record Range(long from, long to, List<String> nodes) {
    /** Copies the list. */
    public Range {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException when a range is empty, or begins before the previous one ends
   */
  public SourceNodes {
    ranges = List.copyOf(ranges);
    long end = 0;
    for (Range range : ranges) {
      if (range.from < end || range.to <= range.from) {
        throw new IllegalArgumentException(
            "the range of instructions " + range.from + " to " + range.to + " is not after " + end);
      }
      end = range.to;
    }
  }

  /** The nodes of an instruction; empty when none are known. */
  public List<String> at(long pc) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Range range = ranges.get(middle);
      if (pc < range.from) {
        high = middle - 1;
      } else if (pc >= range.to) {
        low = middle + 1;
      } else {
        return range.nodes;
      }
    }
    return List.of();
  }

  /**
   * The nodes of all calls of a function, in the order of the instructions.
   *
   * @param executable verified
   * @param function its name; without calls when the table does not have it
   */
  public List<String> ofCalls(Executable executable, String function) {
    return executable
        .functionIndex(function)
        .map(index -> ofCalls(executable, index))
        .orElse(List.of());
  }

  private List<String> ofCalls(Executable executable, int function) {
    Set<String> nodes = new LinkedHashSet<>();
    for (Range range : ranges) {
      long end = Math.min(range.to, executable.instructionCount());
      for (int pc = (int) Math.min(range.from, end); pc < end; pc++) {
        if (calls(executable, pc, function)) {
          nodes.addAll(range.nodes);
        }
      }
    }
    return List.copyOf(nodes);
  }

  private static boolean calls(Executable executable, int pc, int function) {
    int at = (int) executable.offset(pc);
    return Opcode.of(executable.word(at)).stream().anyMatch(Opcode.CALL::equals)
        && executable.word(at + 2) == function;
  }

  /** Names of nodes as text: all, or the first and the last where there are many. */
  public static String text(List<String> nodes) {
    return nodes.size() <= FEW
        ? String.join(", ", nodes)
        : nodes.getFirst() + " ... " + nodes.getLast() + " (" + nodes.size() + " nodes)";
  }

  /** Collects ranges while instructions are emitted. Not thread-safe. */
  public static final class Builder {
    private final List<Range> ranges = new ArrayList<>();
    private List<String> nodes = List.of();
    private long from;

    /** Without nodes so far. */
    public Builder() {}

    /**
     * Says which nodes the instructions from one on are made from.
     *
     * @param next the names of the nodes; may be empty
     * @param pc not before that of the last call
     * @return those of the instructions before it
     */
    public List<String> set(List<String> next, long pc) {
      List<String> before = nodes;
      if (!next.equals(before)) {
        end(pc);
        nodes = List.copyOf(next);
        from = pc;
      }
      return before;
    }

    private void end(long pc) {
      if (nodes.isEmpty() || pc == from) {
        return;
      }
      Range last = ranges.isEmpty() ? null : ranges.getLast();
      if (last != null && last.to == from && last.nodes.equals(nodes)) {
        ranges.set(ranges.size() - 1, new Range(last.from, pc, nodes));
      } else {
        ranges.add(new Range(from, pc, nodes));
      }
    }

    /** The nodes of all instructions before the last call of {@link #set}. */
    public SourceNodes build() {
      return new SourceNodes(ranges);
    }
  }
}
