package org.relaxvm.interoprelay.release.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.interoprelay.release.ReleasedFunction;

/** A call under way: its registers, each with an owner of its value. */
final class Frame {
  final ReleasedFunction function;

  /** The register of the caller's frame that gets the result. */
  final int resultRegister;

  int pc;
  private final @Nullable Object[] registers;

  /**
   * Begins a call.
   *
   * @param args as many as the function has parameters; the frame takes over an owner of each
   */
  Frame(ReleasedFunction function, int resultRegister, @Nullable Object[] args) {
    this.function = function;
    this.resultRegister = resultRegister;
    this.registers = new Object[function.registerFileSize()];
    System.arraycopy(args, 0, registers, 0, args.length);
  }

  /** The value of a register, borrowed. */
  @Nullable Object get(int register) {
    return registers[register];
  }

  /** Assigns a register and takes over an owner of the value. */
  void set(int register, @Nullable Object value) {
    Object old = registers[register];
    registers[register] = value;
    Managed.release(old);
  }

  /** Releases all values. */
  void clear() {
    for (int register = 0; register < registers.length; register++) {
      set(register, null);
    }
  }
}
