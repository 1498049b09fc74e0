package org.relaxvm.vmcore.verify;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.Opcode;

/**
 * Finds registers that may be read before they are written: a forward data-flow analysis over the
 * blocks of one function, whose state is the set of registers written on every way. Blocks are
 * visited lowest first, so that code without backward jumps takes one visit each.
 *
 * <p>Needs a function without errors. Source: docs/spec/executable-format.md, section 9, rule 13.
 */
final class AssignmentRules {
  private final Executable executable;
  private final FunctionInfo function;
  private final Severity severity;
  private final Report report;
  private final WorkBudget budget;

  // Relative to the first instruction, so that many small functions stay cheap.
  private final int start;
  private final BitSet leaders = new BitSet();
  private final Map<Integer, BitSet> written = new HashMap<>();
  private final BitSet pending = new BitSet();

  AssignmentRules(
      Executable executable,
      FunctionInfo function,
      Severity severity,
      Report report,
      WorkBudget budget) {
    this.executable = executable;
    this.function = function;
    this.severity = severity;
    this.report = report;
    this.budget = budget;
    this.start = (int) function.startInstr();
  }

  void check() {
    findLeaders();
    flow(start, new BitSet());
    while (!pending.isEmpty() && !budget.isSpent()) {
      int pc = pending.nextSetBit(0);
      pending.clear(pc);
      block(start + pc, false);
    }
    if (budget.isSpent()) {
      report.warning(
          function,
          Rule.DEFINITE_ASSIGNMENT,
          "the function has too many branches and registers to tell whether registers are read"
              + " before they are written; such a read gives null");
      return;
    }
    for (int pc = leaders.nextSetBit(0); pc >= 0; pc = leaders.nextSetBit(pc + 1)) {
      if (written.containsKey(pc)) {
        block(start + pc, true);
      }
    }
  }

  private void findLeaders() {
    leaders.set(0);
    for (int pc = start; pc < function.endInstr(); pc++) {
      int at = (int) executable.offset(pc);
      switch (Opcode.of(executable.word(at)).orElseThrow()) {
        case CALL, RET -> {}
        case GOTO -> leaders.set(pc - start + (int) executable.word(at + 1));
        case IF -> leaders.set(pc - start + (int) executable.word(at + 2));
      }
    }
  }

  /** Runs from a leader to the end of its block; reports reads, or hands the state on. */
  private void block(int leader, boolean reporting) {
    BitSet state = (BitSet) written.getOrDefault(leader - start, new BitSet()).clone();
    budget.spend(state.size() / Long.SIZE);
    int pc = leader;
    do {
      int at = (int) executable.offset(pc);
      budget.spend(1);
      switch (Opcode.of(executable.word(at)).orElseThrow()) {
        case CALL -> call(pc, at, state, reporting);
        case RET -> {
          read(pc, executable.word(at + 1), state, reporting);
          return;
        }
        case GOTO -> {
          flow(pc + (int) executable.word(at + 1), state, reporting);
          return;
        }
        case IF -> {
          read(pc, executable.word(at + 1), state, reporting);
          flow(pc + (int) executable.word(at + 2), state, reporting);
        }
      }
      pc++;
    } while (!leaders.get(pc - start));
    flow(pc, state, reporting);
  }

  private void call(int pc, int at, BitSet state, boolean reporting) {
    if (reporting) {
      for (int i = 0; i < executable.word(at + 3); i++) {
        long word = executable.word(at + 4 + i);
        // A register's kind is 0, so its word is its number.
        if (Arg.kindTag(word) == 0) {
          read(pc, word, state, true);
        }
      }
    }
    long dst = executable.word(at + 1);
    if (dst < Arg.FIRST_SPECIAL_REGISTER) {
      if (dst >= state.size()) {
        budget.spend(dst / Long.SIZE);
      }
      state.set((int) dst);
    }
  }

  private void read(int pc, long register, BitSet state, boolean reporting) {
    if (reporting
        && register >= function.numArgs()
        && register < Arg.FIRST_SPECIAL_REGISTER
        && !state.get((int) register)) {
      report.instruction(
          severity,
          function,
          pc,
          Rule.DEFINITE_ASSIGNMENT,
          "%"
              + register
              + " may be read before it is written; expected a write on every way here, for the"
              + " read gives null");
    }
  }

  private void flow(int target, BitSet state, boolean reporting) {
    if (!reporting) {
      flow(target, state);
    }
  }

  private void flow(int target, BitSet state) {
    budget.spend(1 + state.size() / Long.SIZE);
    if (budget.isSpent()) {
      return;
    }
    int leader = target - start;
    BitSet before = written.get(leader);
    if (before == null) {
      written.put(leader, (BitSet) state.clone());
      pending.set(leader);
      return;
    }
    int count = before.cardinality();
    before.and(state);
    if (before.cardinality() < count) {
      pending.set(leader);
    }
  }
}
