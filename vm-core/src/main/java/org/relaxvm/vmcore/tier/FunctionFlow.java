package org.relaxvm.vmcore.tier;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * The control flow of a decoded function: its basic blocks, the registers that are live before
 * each, and those that may hold a value before each when the interpreter ran everything so far.
 */
final class FunctionFlow {
  /** Longer blocks are split, so that chunks can end between any of them. */
  private static final int LONGEST_BLOCK = 32;

  /** Bits of a set of registers per block, for all blocks; larger functions are not compiled. */
  private static final long MOST_BITS = 1L << 26;

  private final int[] code;
  private final DecodedFunction function;
  private final List<Block> blocks;
  private final int[] blockAt;
  private final List<BitSet> liveBefore = new ArrayList<>();
  private final List<BitSet> filledBefore = new ArrayList<>();

  /**
   * A basic block.
   *
   * @param start position of its first instruction
   * @param end position after its last
   * @param successors the blocks that follow it, by index
   */
  record Block(int index, int start, int end, List<Integer> successors) {}

  private FunctionFlow(int[] code, DecodedFunction function) {
    int end = function.end();
    this.code = code;
    this.function = function;
    this.blockAt = new int[end - function.entry()];
    this.blocks = blocks(end);
  }

  /** Analyzes a function; empty when it is too large to be compiled. */
  static Optional<FunctionFlow> of(DecodedProgram program, DecodedFunction function) {
    FunctionFlow flow = new FunctionFlow(program.code(), function);
    if ((long) flow.blocks.size() * function.registers() > MOST_BITS) {
      return Optional.empty();
    }
    flow.findLive();
    flow.findFilled();
    return Optional.of(flow);
  }

  DecodedFunction function() {
    return function;
  }

  List<Block> blocks() {
    return blocks;
  }

  /** The block that starts at a position. */
  Block blockAt(int position) {
    return blocks.get(blockAt[position - function.entry()]);
  }

  /** Registers whose values are read after the start of a block; not to be changed. */
  BitSet liveBefore(Block block) {
    return liveBefore.get(block.index());
  }

  /** Registers that may hold a value at the start of a block; not to be changed. */
  BitSet filledBefore(Block block) {
    return filledBefore.get(block.index());
  }

  /** Registers that are read after the end of a block; a new set. */
  BitSet liveAfter(Block block) {
    BitSet live = new BitSet();
    block.successors().forEach(next -> live.or(liveBefore.get(next)));
    return live;
  }

  /** The last instruction's position. */
  int last(Block block) {
    int last = block.start();
    for (int at = last; at < block.end(); at += InstructionCodes.length(code, at)) {
      last = at;
    }
    return last;
  }

  /** The register that an instruction writes; -1 for none. */
  int destination(int at) {
    return InstructionCodes.isCall(code[at]) ? code[at + 1] : -1;
  }

  /** Adds the registers that an instruction reads. */
  void addRead(int at, BitSet registers) {
    if (InstructionCodes.isCall(code[at])) {
      int first = at + InstructionCodes.CALL_WORDS;
      for (int i = first; i < first + code[at + 3]; i++) {
        addRegister(code[i], registers);
      }
    } else if (code[at] == InstructionCodes.RETURN || code[at] == InstructionCodes.BRANCH) {
      addRegister(code[at + 1], registers);
    }
  }

  private static void addRegister(int operand, BitSet registers) {
    if (operand >= 0) {
      registers.set(operand);
    }
  }

  /** Whether the interpreter executes an instruction: calls of bytecode functions, returns. */
  boolean isInterpreted(int at) {
    return switch (code[at]) {
      case InstructionCodes.CALL_PACKED,
          InstructionCodes.MOVE,
          InstructionCodes.CLEAR,
          InstructionCodes.JUMP,
          InstructionCodes.LOOP,
          InstructionCodes.BRANCH ->
          false;
      default -> true;
    };
  }

  private List<Block> blocks(int end) {
    TreeSet<Integer> starts = new TreeSet<>();
    starts.add(function.entry());
    for (int at = function.entry(); at < end; at += InstructionCodes.length(code, at)) {
      int next = at + InstructionCodes.length(code, at);
      int op = code[at];
      if (op == InstructionCodes.JUMP || op == InstructionCodes.LOOP) {
        starts.add(code[at + 1]);
        starts.add(next);
      } else if (op == InstructionCodes.BRANCH) {
        starts.add(code[at + 2]);
        starts.add(next);
      } else if (isInterpreted(at)) {
        starts.add(next);
      }
    }
    starts.remove(end);
    splitLong(starts, end);
    List<Integer> sorted = List.copyOf(starts);
    for (int i = 0; i < sorted.size(); i++) {
      blockAt[sorted.get(i) - function.entry()] = i;
    }
    List<Block> found = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      int blockEnd = i + 1 < sorted.size() ? sorted.get(i + 1) : end;
      found.add(block(i, sorted.get(i), blockEnd));
    }
    return List.copyOf(found);
  }

  private void splitLong(TreeSet<Integer> starts, int end) {
    int length = 0;
    for (int at = function.entry(); at < end; at += InstructionCodes.length(code, at)) {
      length = starts.contains(at) ? 0 : length + 1;
      if (length == LONGEST_BLOCK) {
        starts.add(at);
        length = 0;
      }
    }
  }

  private Block block(int index, int start, int end) {
    int last = start;
    for (int at = start; at < end; at += InstructionCodes.length(code, at)) {
      last = at;
    }
    List<Integer> successors = new ArrayList<>();
    int op = code[last];
    if (op == InstructionCodes.JUMP || op == InstructionCodes.LOOP) {
      successors.add(indexAt(code[last + 1]));
    } else if (op == InstructionCodes.BRANCH) {
      successors.add(indexAt(code[last + 2]));
      successors.add(indexAt(end));
    } else if (op != InstructionCodes.RETURN && end - function.entry() < blockAt.length) {
      successors.add(indexAt(end));
    }
    return new Block(index, start, end, List.copyOf(successors));
  }

  private int indexAt(int position) {
    return blockAt[position - function.entry()];
  }

  private void findLive() {
    List<BitSet> read = new ArrayList<>();
    List<BitSet> written = new ArrayList<>();
    for (Block block : blocks) {
      BitSet reads = new BitSet();
      BitSet writes = new BitSet();
      for (int at = block.start(); at < block.end(); at += InstructionCodes.length(code, at)) {
        BitSet own = new BitSet();
        addRead(at, own);
        own.andNot(writes);
        reads.or(own);
        if (destination(at) >= 0) {
          writes.set(destination(at));
        }
      }
      read.add(reads);
      written.add(writes);
      liveBefore.add((BitSet) reads.clone());
    }
    List<List<Integer>> predecessors = predecessors();
    Deque<Integer> work = new ArrayDeque<>();
    for (int i = 0; i < blocks.size(); i++) {
      work.addFirst(i);
    }
    while (!work.isEmpty()) {
      int index = work.removeFirst();
      BitSet live = liveAfter(blocks.get(index));
      live.andNot(written.get(index));
      live.or(read.get(index));
      if (!live.equals(liveBefore.get(index))) {
        liveBefore.set(index, live);
        work.addAll(predecessors.get(index));
      }
    }
  }

  private void findFilled() {
    for (int i = 0; i < blocks.size(); i++) {
      filledBefore.add(new BitSet());
    }
    filledBefore.getFirst().set(0, function.numArgs());
    Deque<Integer> work = new ArrayDeque<>();
    boolean[] visited = new boolean[blocks.size()];
    work.add(0);
    while (!work.isEmpty()) {
      int index = work.removeFirst();
      visited[index] = true;
      Block block = blocks.get(index);
      BitSet filled = (BitSet) filledBefore.get(index).clone();
      for (int at = block.start(); at < block.end(); at += InstructionCodes.length(code, at)) {
        if (destination(at) >= 0) {
          filled.set(destination(at), code[at] != InstructionCodes.CLEAR);
        }
      }
      for (int next : block.successors()) {
        int before = filledBefore.get(next).cardinality();
        filledBefore.get(next).or(filled);
        if (!visited[next] || filledBefore.get(next).cardinality() != before) {
          work.add(next);
        }
      }
    }
  }

  private List<List<Integer>> predecessors() {
    List<List<Integer>> predecessors = new ArrayList<>();
    blocks.forEach(_ -> predecessors.add(new ArrayList<>()));
    for (Block block : blocks) {
      block.successors().forEach(next -> predecessors.get(next).add(block.index()));
    }
    return predecessors;
  }
}
