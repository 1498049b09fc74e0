package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Emits the body of one VM function and hands out its registers. Wherever a value is taken, an
 * {@link Arg} stands for itself, null for the void register, and anything else becomes a constant
 * as {@link ExecBuilder#convertConstant} says.
 *
 * <p>Given by {@link ExecBuilder#function}; valid inside of its action. Confined to one thread.
 */
public final class FunctionBuilder {
  private final ExecBuilder builder;
  private final List<String> paramNames;
  private long nextRegister;

  FunctionBuilder(ExecBuilder builder, List<String> paramNames) {
    this.builder = builder;
    this.paramNames = paramNames;
    this.nextRegister = paramNames.size();
  }

  /** The register of a parameter by its index. */
  public Arg param(int index) {
    if (index < 0 || index >= paramNames.size()) {
      throw new InvalidProgramException(
          ErrorKind.INDEX, "there is no parameter " + index + ": the parameters are " + paramNames);
    }
    return Arg.register(index);
  }

  /** The register of a parameter by its name. */
  public Arg param(String name) {
    int index = paramNames.indexOf(name);
    if (index < 0) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "there is no parameter '" + name + "': the parameters are " + paramNames);
    }
    return Arg.register(index);
  }

  /** A register that is not used yet. */
  public Arg newRegister() {
    return Arg.register(nextRegister++);
  }

  /** Emits a call and returns the new register that holds its result. */
  public Arg call(String name, @Nullable Object... args) {
    Arg dst = newRegister();
    callInto(dst, name, args);
    return dst;
  }

  /** Emits a call whose result is dropped. */
  public void callVoid(String name, @Nullable Object... args) {
    callInto(Arg.VOID, name, args);
  }

  /** Emits a call that overwrites a register. */
  public void callInto(Arg dst, String name, @Nullable Object... args) {
    List<Arg> words = new ArrayList<>(args.length);
    for (Object arg : args) {
      words.add(argument(arg));
    }
    builder.emitCall(name, words, dst);
  }

  /** Emits the end of the function; what is no register is copied to one. */
  public void ret(@Nullable Object result) {
    Arg value = argument(result);
    builder.emitRet(value.kind() == ArgKind.REGISTER ? value : call("vm.builtin.copy", value));
  }

  /**
   * Emits both branches of a condition, as the compiler does, and returns the register that holds
   * the value of the one that runs.
   *
   * @param condition a scalar tensor, integer or boolean
   * @param whenTrue emits the branch for a condition that is not 0 and gives its value
   */
  public Arg ifElse(
      @Nullable Object condition,
      Supplier<? extends @Nullable Object> whenTrue,
      Supplier<? extends @Nullable Object> whenFalse) {
    Label otherwise = label();
    Label end = label();
    jumpIfFalse(call("vm.builtin.read_if_cond", condition), otherwise);
    Arg trueValue = argument(whenTrue.get());
    Arg merged = call("vm.builtin.copy", trueValue);
    jump(end);
    place(otherwise);
    callInto(merged, "vm.builtin.copy", argument(whenFalse.get()));
    place(end);
    return merged;
  }

  /** A label of this function. */
  public Label label() {
    return builder.newLabel();
  }

  /** Says that a label means the next instruction. */
  public void place(Label label) {
    builder.place(label);
  }

  /** Emits a jump to a label. */
  public void jump(Label target) {
    builder.emitGoto(target);
  }

  /** Emits a branch: go on at a label when a register holds 0. */
  public void jumpIfFalse(Arg condition, Label target) {
    builder.emitIf(condition, target);
  }

  private Arg argument(@Nullable Object value) {
    return switch (value) {
      case null -> Arg.VOID;
      case Arg arg -> arg;
      default -> builder.convertConstant(value);
    };
  }
}
