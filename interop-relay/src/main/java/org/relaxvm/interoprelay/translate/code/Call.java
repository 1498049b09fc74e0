package org.relaxvm.interoprelay.translate.code;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A call: the only instruction of Relax bytecode that computes. Immutable.
 *
 * @param callee what is called
 * @param args its arguments
 * @param dst the register for the result, or {@link #NO_RESULT}
 */
public record Call(Callee callee, List<Operand> args, int dst) {
  /** Stands for "the result is dropped". */
  public static final int NO_RESULT = -1;

  /** Copies the list. */
  public Call {
    args = List.copyOf(args);
  }

  /** What a call calls. */
  public sealed interface Callee {
    /** A builtin, kernel or function of the host. */
    record Packed(String name) implements Callee {}

    /**
     * A function of the program that is translated.
     *
     * @param name its name in the translated program
     * @param guaranteed whether a tail call must not grow the stack
     */
    record InProgram(String name, boolean guaranteed) implements Callee {}
  }

  /** A call of a builtin, kernel or function of the host. */
  public static Call packed(int dst, String name, Operand... args) {
    return packed(dst, name, List.of(args));
  }

  /** A call of a builtin, kernel or function of the host. */
  public static Call packed(int dst, String name, List<Operand> args) {
    return new Call(new Callee.Packed(name), args, dst);
  }

  /** {@code dst = src}, by reference. */
  public static Call copy(int dst, Operand src) {
    return packed(dst, "vm.builtin.copy", src);
  }

  /** {@code dst = null}. */
  public static Call clear(int dst) {
    return packed(dst, "vm.builtin.null_value");
  }

  /** Whether this is {@link #copy} of a register. */
  public boolean isCopy() {
    return dst != NO_RESULT
        && callee.equals(new Callee.Packed("vm.builtin.copy"))
        && args.size() == 1
        && args.getFirst() instanceof Operand.Register;
  }

  /** Whether this is {@link #clear}. */
  public boolean isClear() {
    return dst != NO_RESULT
        && callee.equals(new Callee.Packed("vm.builtin.null_value"))
        && args.isEmpty();
  }

  /** The registers that it reads. */
  public IntStream reads() {
    return args.stream()
        .filter(Operand.Register.class::isInstance)
        .mapToInt(arg -> ((Operand.Register) arg).number());
  }
}
