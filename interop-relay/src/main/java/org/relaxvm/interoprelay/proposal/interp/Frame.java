package org.relaxvm.interoprelay.proposal.interp;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/**
 * A call under way: its registers, each with an owner of its value.
 *
 * <p>Each definition gets a number. A register without one is not valid as an operand of a Phi: it
 * was never defined, was killed, or holds a value of a former iteration.
 */
final class Frame {
  private final FunctionPlan plan;
  private final int resultRegister;
  private final @Nullable Object[] registers;
  private final long[] definedAt;
  private final Map<Integer, @Nullable Object> taken = new HashMap<>(0);
  private long definitions;
  private int pc;

  /**
   * Begins a call.
   *
   * @param resultRegister of the caller's frame
   * @param args as many as the function has parameters; the frame takes over an owner of each
   */
  Frame(FunctionPlan plan, int resultRegister, @Nullable Object[] args) {
    this.plan = plan;
    this.resultRegister = resultRegister;
    this.registers = new Object[plan.registers()];
    this.definedAt = new long[plan.registers()];
    for (int i = 0; i < args.length; i++) {
      define(i, args[i]);
    }
    goTo(0);
  }

  FunctionPlan plan() {
    return plan;
  }

  int pc() {
    return pc;
  }

  int resultRegister() {
    return resultRegister;
  }

  /** Goes on at an instruction, which may be the first of a block. */
  void goTo(int target) {
    pc = target;
    FunctionPlan.BlockEntry entry = plan.entries().get(target);
    if (entry != null) {
      // All Phis of a join take their operands before any of them is defined.
      entry.phis().forEach(this::take);
      entry.outdated().forEach(register -> definedAt[register] = 0);
    }
  }

  /** The value of a register, borrowed. */
  @Nullable Object get(int register) {
    return registers[register];
  }

  /** Defines a register and takes over an owner of the value. */
  void define(int register, @Nullable Object value) {
    Object old = registers[register];
    registers[register] = value;
    definedAt[register] = ++definitions;
    Managed.release(old);
  }

  void kill(int register) {
    Object old = registers[register];
    registers[register] = null;
    definedAt[register] = 0;
    Managed.release(old);
  }

  /** The value of a Phi, with an owner for the register that it defines. */
  @Nullable Object phi(int instruction, Phi phi) {
    if (taken.containsKey(instruction)) {
      return taken.remove(instruction);
    }
    boolean first = definedAt[phi.first()] > 0;
    boolean second = definedAt[phi.second()] > 0;
    if (first == second) {
      throw new CallException(
          ErrorKind.VALUE,
          (first ? "both operands" : "no operand")
              + " of a Phi "
              + (first ? "are" : "is")
              + " valid: $"
              + phi.first()
              + " and $"
              + phi.second()
              + "\n  expected: one of them defined on the executed path\n  what to do: define one"
              + " operand in each branch");
    }
    Object value = registers[first ? phi.first() : phi.second()];
    Managed.retain(value);
    return value;
  }

  /** Of two valid operands the one defined last: in a loop that is the one of the iteration. */
  private void take(int instruction) {
    Phi phi = (Phi) plan.function().code().get(instruction);
    long first = definedAt[phi.first()];
    long second = definedAt[phi.second()];
    int register =
        first == 0 && second == 0
            ? RelayOperands.NONE
            : first > second ? phi.first() : phi.second();
    if (register == RelayOperands.NONE) {
      throw new IllegalStateException("the verifier decided a Phi without a valid operand");
    }
    Managed.retain(registers[register]);
    Managed.release(taken.put(instruction, registers[register]));
  }

  /** Releases all values. */
  void clear() {
    for (int register = 0; register < registers.length; register++) {
      Object value = registers[register];
      registers[register] = null;
      Managed.release(value);
    }
    taken.values().forEach(Managed::release);
    taken.clear();
  }
}
