package org.relaxvm.backendcpu.host;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.api.engine.ProgramContext;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * One execution of a host function: what its generated class calls. Operands that are no registers
 * are in arrays of its own, so that variables are there, too. Used by one thread.
 */
public final class HostRun {
  private static final int PAGE_BITS = 15;

  /** How many calls one number in generated code tells apart. */
  static final int PAGE = 1 << PAGE_BITS;

  /** The number of no call. */
  static final int NO_CALL = -1;

  private final Bound bound;
  private final ProgramCalls calls;
  private final AnyList registers;
  private final @Nullable Object[] operandRefs;
  private final long[] operandBits;
  private final RegisterArgs args;
  private final CallResult result = new CallResult();
  private int current = NO_CALL;

  HostRun(Bound bound, ProgramContext context, ProgramCalls calls, AnyList registers) {
    this.bound = bound;
    this.calls = calls;
    this.registers = registers;
    this.operandRefs = bound.operandRefs().clone();
    this.operandBits = bound.operandBits().clone();
    if (bound.contextOperand() >= 0) {
      operandRefs[bound.contextOperand()] = context;
    }
    this.args = new RegisterArgs(context);
    args.bind(registers.refs(), registers.bits(), 0, operandRefs, operandBits, bound.words(), 0, 0);
  }

  /** The number of the call that was begun last; {@link #NO_CALL} between two iterations. */
  int current() {
    return current;
  }

  /** Drops what a call that failed left as its result. */
  void abandon() {
    result.setNull();
  }

  /** Makes a call whose number does not fit one number of the code. */
  public void call(int page, int number) {
    call(page << PAGE_BITS | number);
  }

  /** Makes a call; its result goes into its register. */
  public void call(int number) {
    make(number);
    long bits = result.bits();
    Object ref = result.takeRef();
    int destination = bound.destinations()[number];
    if (destination >= 0) {
      registers.move(destination, ref, bits);
    } else if (ref instanceof Managed managed) {
      managed.release();
    }
  }

  /** Makes a call; its result is the value of a boolean variable. */
  public void letBool(int number, int variable) {
    long bits = integer(number, "bool");
    operandRefs[variable] = ScalarTag.BOOL;
    operandBits[variable] = bits != 0 ? 1 : 0;
  }

  /** Makes a call; its result is the value of an integer variable. */
  public void letInt(int number, int variable) {
    long bits = integer(number, "int64");
    operandRefs[variable] = ScalarTag.INT;
    operandBits[variable] = bits;
  }

  /** Makes a call; its result is the value of a variable that is a float. */
  public void letFloat(int number, int variable) {
    make(number);
    boolean isFloat = result.ref() == ScalarTag.FLOAT;
    long bits = isFloat ? result.bits() : Double.doubleToRawLongBits(integer("float64"));
    operandRefs[variable] = ScalarTag.FLOAT;
    operandBits[variable] = bits;
    result.setNull();
  }

  /** Whether a boolean operand is true. */
  public boolean test(int operand) {
    return operandBits[operand] != 0;
  }

  /** Begins a loop: its counter is the lower bound. */
  public void start(int counter, int min) {
    operandRefs[counter] = operandRefs[min];
    operandBits[counter] = operandBits[min];
  }

  /** Whether there is an iteration for the counter of a loop. */
  public boolean goesOn(int counter, int min, int extent) {
    return operandBits[counter] - operandBits[min] < operandBits[extent];
  }

  /** Goes on with the next value of a counter. */
  public void next(int counter) {
    current = NO_CALL;
    calls.iterate();
    operandBits[counter]++;
  }

  private void make(int number) {
    current = number;
    int[] firsts = bound.firsts();
    int first = firsts[number];
    args.moveTo(0, first, firsts[number + 1] - first);
    calls.call(bound.functions()[number], args, result);
  }

  private long integer(int number, String expected) {
    make(number);
    long bits = integer(expected);
    result.setNull();
    return bits;
  }

  private long integer(String expected) {
    Object ref = result.ref();
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return result.bits();
    }
    throw new CallException(
        ErrorKind.TYPE,
        "the result of the call must be " + expected + ", but is " + TypeKeys.describe(ref));
  }
}
