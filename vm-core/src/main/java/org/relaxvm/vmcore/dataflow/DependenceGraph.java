package org.relaxvm.vmcore.dataflow;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallEffects.Trait;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * What each instruction of a region has to wait for. Edges lead from an earlier instruction in
 * program order to a later one:
 *
 * <ul>
 *   <li>registers: a read after the definition, a definition after the one before it and its reads;
 *   <li>memory: an access after earlier ones of the same bytes, if one of the two is a write;
 *   <li>checks: every call that is not brief, and every check, after the check before it;
 *   <li>allocations, if they are ordered: after the allocation before it and the releases since.
 * </ul>
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 17.
 */
final class DependenceGraph {
  private final int[] code;
  private final CallEffects[] effects;
  private final int[] region;
  private final FunctionMemory memory;
  private final BitSet[] predecessors;

  private final Map<Integer, Accesses> registers = new HashMap<>();
  private final Map<Integer, BlockAccesses> contents = new HashMap<>();
  private int lastCheck = -1;
  private int lastAllocation = -1;
  private final BitSet releases = new BitSet();

  /** The accesses of a register so far. */
  private static final class Accesses {
    private int write = -1;
    private final BitSet reads = new BitSet();
  }

  DependenceGraph(
      int[] code,
      CallEffects[] effects,
      int[] region,
      FunctionMemory memory,
      boolean ordersAllocations) {
    this.code = code;
    this.effects = effects;
    this.region = region;
    this.memory = memory;
    this.predecessors = new BitSet[region.length];
    for (int i = 0; i < region.length; i++) {
      predecessors[i] = new BitSet(i);
      addRegisters(i);
      if (code[region[i]] == InstructionCodes.CALL_PACKED) {
        addMemory(i);
        addChecks(i);
      }
      if (ordersAllocations) {
        addAllocations(i);
      }
    }
  }

  int size() {
    return region.length;
  }

  /** The instructions that one waits for; not to be changed. */
  BitSet predecessors(int instruction) {
    return predecessors[instruction];
  }

  /** The memory of the operands. */
  FunctionMemory memory() {
    return memory;
  }

  /** The position of an instruction in the code. */
  int position(int instruction) {
    return region[instruction];
  }

  /** The register that an instruction writes; negative for none. */
  int destination(int instruction) {
    return code[region[instruction] + 1];
  }

  /** Whether an instruction takes memory of an allocator. */
  boolean allocates(int instruction) {
    int at = region[instruction];
    return code[at] == InstructionCodes.CALL_PACKED && effects[code[at + 2]].has(Trait.ALLOCATES);
  }

  /** Whether an instruction may submit work to a device. */
  boolean submits(int instruction) {
    int at = region[instruction];
    return code[at] == InstructionCodes.CALL_PACKED
        && (effects[code[at + 2]].has(Trait.READS_CONTENTS)
            || !effects[code[at + 2]].has(Trait.BRIEF));
  }

  /** Whether an instruction takes too little time to be handed to another thread. */
  boolean isBrief(int instruction) {
    int at = region[instruction];
    return code[at] != InstructionCodes.CALL_PACKED || effects[code[at + 2]].has(Trait.BRIEF);
  }

  /**
   * Whether a call that takes time overwrites a register that it reads, and so releases memory that
   * its own work uses.
   */
  boolean releasesOperand(int instruction) {
    int at = region[instruction];
    int first = at + InstructionCodes.CALL_WORDS;
    boolean releases = false;
    for (int word = first; word < first + code[at + 3] && !isBrief(instruction); word++) {
      releases |= code[word] >= 0 && code[word] == code[at + 1];
    }
    return releases;
  }

  private void addRegisters(int i) {
    int at = region[i];
    int first = at + InstructionCodes.CALL_WORDS;
    for (int word = first; word < first + code[at + 3]; word++) {
      if (code[word] >= 0) {
        read(code[word], i);
      }
    }
    if (code[at + 1] >= 0) {
      write(code[at + 1], i);
    }
  }

  private void addMemory(int i) {
    int at = region[i];
    CallEffects effect = effects[code[at + 2]];
    int first = at + InstructionCodes.CALL_WORDS;
    for (int k = 0; k < code[at + 3]; k++) {
      int group = memory.groupAt(first + k);
      if (group >= 0 && (effect.has(Trait.READS_CONTENTS) || effect.writes(k))) {
        MemoryClasses classes = memory.classes();
        contents
            .computeIfAbsent(classes.block(group), _ -> new BlockAccesses())
            .add(i, classes.begin(group), classes.end(group), effect.writes(k), predecessors[i]);
      }
    }
  }

  private void addChecks(int i) {
    CallEffects effect = effects[code[region[i] + 2]];
    if (lastCheck >= 0 && (effect.has(Trait.CHECK) || !effect.has(Trait.BRIEF))) {
      predecessors[i].set(lastCheck);
    }
    if (effect.has(Trait.CHECK)) {
      lastCheck = i;
    }
  }

  private void addAllocations(int i) {
    int at = region[i];
    boolean allocates = allocates(i);
    if (allocates) {
      if (lastAllocation >= 0) {
        predecessors[i].set(lastAllocation);
      }
      predecessors[i].or(releases);
      releases.clear();
      lastAllocation = i;
    }
    // The value that a register held before is released.
    if (code[at + 1] >= 0 && !allocates) {
      releases.set(i);
    }
  }

  private void read(int register, int i) {
    Accesses found = registers.computeIfAbsent(register, _ -> new Accesses());
    if (found.write >= 0) {
      predecessors[i].set(found.write);
    }
    found.reads.set(i);
  }

  private void write(int register, int i) {
    Accesses found = registers.computeIfAbsent(register, _ -> new Accesses());
    if (found.write >= 0) {
      predecessors[i].set(found.write);
    }
    predecessors[i].or(found.reads);
    predecessors[i].clear(i);
    found.reads.clear();
    found.write = i;
  }
}
