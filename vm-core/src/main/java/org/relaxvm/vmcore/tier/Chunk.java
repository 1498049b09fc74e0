package org.relaxvm.vmcore.tier;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.vmcore.decode.InstructionCodes;
import org.relaxvm.vmcore.tier.FunctionFlow.Block;

/** Blocks that are compiled into one method, and what is known of the registers there. */
final class Chunk {
  private static final int BLOCK_BYTES = 20;
  private static final int INSTRUCTION_BYTES = 35;

  private final FunctionFlow flow;
  private final int[] code;
  private final List<Block> blocks;
  private final List<Block> entries;
  private final Map<Integer, BitSet> lastReads = new HashMap<>();
  private final Map<Block, BitSet> filledBefore = new HashMap<>();

  private Chunk(FunctionFlow flow, int[] code, List<Block> blocks, List<Block> entries) {
    this.flow = flow;
    this.code = code;
    this.blocks = blocks;
    this.entries = entries;
    for (Block block : blocks) {
      findLastReads(block);
    }
    findFilled();
  }

  /**
   * Divides a function.
   *
   * @param mostBytes estimated bytes of a method
   */
  static List<Chunk> of(FunctionFlow flow, int[] code, int mostBytes) {
    List<List<Block>> groups = new ArrayList<>();
    int bytes = 0;
    for (Block block : flow.blocks()) {
      int own = estimate(flow, code, block);
      if (groups.isEmpty() || bytes + own > mostBytes) {
        groups.add(new ArrayList<>());
        bytes = 0;
      }
      groups.getLast().add(block);
      bytes += own;
    }
    int[] groupOf = new int[flow.blocks().size()];
    for (int i = 0; i < groups.size(); i++) {
      for (Block block : groups.get(i)) {
        groupOf[block.index()] = i;
      }
    }
    Set<Integer> entered = new HashSet<>(Set.of(0));
    for (Block block : flow.blocks()) {
      int last = flow.last(block);
      for (int next : block.successors()) {
        boolean leaves = groupOf[next] != groupOf[block.index()];
        if (leaves || flow.isInterpreted(last) || code[last] == InstructionCodes.LOOP) {
          entered.add(next);
        }
      }
    }
    List<Chunk> chunks = new ArrayList<>();
    for (List<Block> group : groups) {
      List<Block> entries =
          group.stream()
              .filter(block -> entered.contains(block.index()))
              .filter(block -> !flow.isInterpreted(block.start()))
              .toList();
      if (!entries.isEmpty()) {
        chunks.add(new Chunk(flow, code, List.copyOf(group), entries));
      }
    }
    return chunks;
  }

  private static int estimate(FunctionFlow flow, int[] code, Block block) {
    int bytes = BLOCK_BYTES;
    for (int at = block.start(); at < block.end(); at += InstructionCodes.length(code, at)) {
      if (!flow.isInterpreted(at)) {
        bytes += INSTRUCTION_BYTES;
      }
    }
    return bytes;
  }

  FunctionFlow flow() {
    return flow;
  }

  List<Block> blocks() {
    return blocks;
  }

  /** The blocks at which the chunk is entered. */
  List<Block> entries() {
    return entries;
  }

  /** The registers that may hold a value at the start of a block. */
  BitSet filledBefore(Block block) {
    return filledBefore.getOrDefault(block, new BitSet());
  }

  /** Whether some entry reaches a block. */
  boolean isReached(Block block) {
    return filledBefore.containsKey(block);
  }

  /** The registers whose values are read by an instruction and never after it. */
  BitSet lastReads(int at) {
    return lastReads.getOrDefault(at, new BitSet());
  }

  /** The position after the last instruction of a block that is compiled. */
  int compiledEnd(Block block) {
    int last = flow.last(block);
    return flow.isInterpreted(last) ? last : block.end();
  }

  int next(int at) {
    return at + InstructionCodes.length(code, at);
  }

  /** Applies an instruction to the set of registers that may hold a value. */
  void apply(int at, BitSet filled) {
    int destination = flow.destination(at);
    filled.andNot(lastReads(at));
    if (destination >= 0) {
      filled.set(destination, code[at] != InstructionCodes.CLEAR);
    }
  }

  private void findLastReads(Block block) {
    List<Integer> positions = new ArrayList<>();
    for (int at = block.start(); at < block.end(); at = next(at)) {
      positions.add(at);
    }
    BitSet live = flow.liveAfter(block);
    int context = flow.function().contextRegister();
    for (int at : positions.reversed()) {
      int destination = flow.destination(at);
      if (destination >= 0) {
        live.clear(destination);
      }
      BitSet read = new BitSet();
      flow.addRead(at, read);
      if (!flow.isInterpreted(at)) {
        BitSet last = (BitSet) read.clone();
        last.andNot(live);
        if (destination >= 0) {
          last.clear(destination);
        }
        if (context >= 0) {
          last.clear(context);
        }
        if (!last.isEmpty()) {
          lastReads.put(at, last);
        }
      }
      live.or(read);
    }
  }

  private void findFilled() {
    Map<Integer, Block> own = new HashMap<>();
    blocks.forEach(block -> own.put(block.index(), block));
    Deque<Block> work = new ArrayDeque<>();
    for (Block entry : entries) {
      BitSet filled = (BitSet) flow.filledBefore(entry).clone();
      filledBefore.put(entry, filled);
      work.add(entry);
    }
    while (!work.isEmpty()) {
      Block block = work.removeFirst();
      if (flow.isInterpreted(flow.last(block))) {
        continue;
      }
      BitSet filled = (BitSet) filledBefore(block).clone();
      for (int at = block.start(); at < block.end(); at = next(at)) {
        apply(at, filled);
      }
      for (int successor : block.successors()) {
        Block next = own.get(successor);
        if (next != null) {
          BitSet known = filledBefore.get(next);
          if (known == null) {
            filledBefore.put(next, (BitSet) filled.clone());
            work.add(next);
          } else {
            int before = known.cardinality();
            known.or(filled);
            if (known.cardinality() != before) {
              work.add(next);
            }
          }
        }
      }
    }
  }
}
