package org.relaxvm.interoprelay.proposal.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.proposal.RelayInstruction.CallPacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.DeviceCopy;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Fatal;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetField;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetTag;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Goto;
import org.relaxvm.interoprelay.proposal.RelayInstruction.If;
import org.relaxvm.interoprelay.proposal.RelayInstruction.IfEq;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Invoke;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokeClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokePacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConst;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConsti;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Mov;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Ret;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ShapeOf;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;

/**
 * Emits the body of one function and hands out its registers and labels.
 *
 * <p>Given by {@link RelayModuleBuilder#function}; valid inside of its action. Confined to one
 * thread.
 */
public final class RelayFunctionBuilder {
  private final RelayModuleBuilder module;
  private final String name;
  private final int params;
  private final List<IntFunction<RelayInstruction>> code = new ArrayList<>();
  private int registers;

  RelayFunctionBuilder(RelayModuleBuilder module, String name, int params) {
    this.module = module;
    this.name = name;
    this.params = params;
    this.registers = params;
  }

  // ---------------------------------------------------------------- registers and labels

  /** The register of a parameter. */
  public RelayRegister param(int index) {
    if (index < 0 || index >= params) {
      throw RelayModuleBuilder.refused(
          "function " + name + " has no parameter " + index + ": it has " + params);
    }
    return new RelayRegister(index);
  }

  /**
   * A register without a definition, for a Phi that precedes it: {@link #move(RelayRegister,
   * RelayRegister)} defines it.
   */
  public RelayRegister newRegister() {
    return new RelayRegister(registers++);
  }

  /** A label that is not placed yet. */
  public RelayLabel label() {
    return new RelayLabel(this);
  }

  /** Says that a label means the next instruction. */
  public void place(RelayLabel label) {
    if (own(label).isPlaced()) {
      throw RelayModuleBuilder.refused("a label can be placed only once");
    }
    label.place(code.size());
  }

  /** A label that means the next instruction. */
  public RelayLabel here() {
    RelayLabel label = label();
    place(label);
    return label;
  }

  // ---------------------------------------------------------------- values

  /** A new tensor; its content is undefined. */
  public RelayRegister allocTensor(DType dtype, long... dims) {
    Shape shape = Shape.of(dims);
    return define(dst -> new AllocTensor(dst, shape, dtype));
  }

  /** A new tensor whose shape is in a register: a shape or a 1-D integer tensor. */
  public RelayRegister allocTensor(DType dtype, RelayRegister shape) {
    return define(dst -> new AllocTensorReg(dst, shape.number(), dtype));
  }

  /** A datatype with a tag. */
  public RelayRegister datatype(long tag, RelayRegister... fields) {
    return define(dst -> new AllocDatatype(dst, tag, numbers(fields)));
  }

  /** A tuple: a datatype with tag 0. */
  public RelayRegister tuple(RelayRegister... fields) {
    return datatype(0, fields);
  }

  /** A closure of a function whose first parameters are bound. */
  public RelayRegister closure(String function, RelayRegister... free) {
    int dst = registers++;
    emit(_ -> new AllocClosure(dst, module.functionIndex(function), numbers(free)));
    return new RelayRegister(dst);
  }

  /** A constant; see {@link RelayModuleBuilder#constant}. */
  public RelayRegister constant(Object value) {
    int index = module.constant(value);
    return define(dst -> new LoadConst(dst, index));
  }

  /** An integer, without an entry in the table of constants. */
  public RelayRegister number(long value) {
    return define(dst -> new LoadConsti(dst, value));
  }

  /** The same reference in another register. */
  public RelayRegister move(RelayRegister src) {
    return define(dst -> new Mov(dst, src.number()));
  }

  /** Defines a register of {@link #newRegister} as the reference in another one. */
  public void move(RelayRegister dst, RelayRegister src) {
    emit(_ -> new Mov(dst.number(), src.number()));
  }

  /** The one of two registers that was defined on the executed path. */
  public RelayRegister phi(RelayRegister first, RelayRegister second) {
    return define(dst -> new Phi(dst, first.number(), second.number()));
  }

  /** A field of a datatype, counted from 0. */
  public RelayRegister field(RelayRegister src, int index) {
    return define(dst -> new GetField(dst, src.number(), index));
  }

  /** The tag of a datatype, an integer. */
  public RelayRegister tag(RelayRegister src) {
    return define(dst -> new GetTag(dst, src.number()));
  }

  /** The shape of a tensor. */
  public RelayRegister shapeOf(RelayRegister src) {
    return define(dst -> new ShapeOf(dst, src.number()));
  }

  /** A view of a tensor with the shape in a register. */
  public RelayRegister reshape(RelayRegister src, RelayRegister shape) {
    return define(dst -> new ReshapeTensor(dst, src.number(), shape.number()));
  }

  /** A tensor on another device, by DLPack's device type and number. */
  public RelayRegister deviceCopy(RelayRegister src, int deviceType, int deviceId) {
    return define(dst -> new DeviceCopy(dst, src.number(), deviceType, deviceId));
  }

  /** Empties a register, so that memory is released early. */
  public void kill(RelayRegister register) {
    emit(_ -> new Kill(register.number()));
  }

  // ---------------------------------------------------------------- calls

  /** Calls a packed function, which fills the outputs. */
  public void invokePacked(
      String function, List<RelayRegister> inputs, List<RelayRegister> outputs) {
    int index = module.packed(function);
    List<Integer> in = inputs.stream().map(RelayRegister::number).toList();
    List<Integer> out = outputs.stream().map(RelayRegister::number).toList();
    emit(_ -> new InvokePacked(index, in, out));
  }

  /** The result of a packed function that returns one. */
  public RelayRegister callPacked(String function, RelayRegister... args) {
    int index = module.packed(function);
    return define(dst -> new CallPacked(dst, index, numbers(args)));
  }

  /** The result of a function of the module. */
  public RelayRegister invoke(String function, RelayRegister... args) {
    int dst = registers++;
    emit(_ -> new Invoke(dst, module.functionIndex(function), numbers(args)));
    return new RelayRegister(dst);
  }

  /** The result of a closure. */
  public RelayRegister invokeClosure(RelayRegister closure, RelayRegister... args) {
    return define(dst -> new InvokeClosure(dst, closure.number(), numbers(args)));
  }

  // ---------------------------------------------------------------- control flow

  /** Leaves the function. */
  public void ret(RelayRegister src) {
    emit(_ -> new Ret(src.number()));
  }

  /** Leaves the function with the result of another, or of itself, in the same frame. */
  public void tailInvoke(String function, RelayRegister... args) {
    emit(_ -> new TailInvoke(module.functionIndex(function), numbers(args)));
  }

  /** Fails. */
  public void fatal() {
    emit(_ -> new Fatal());
  }

  /** Goes on at a label. */
  public void jump(RelayLabel target) {
    own(target);
    emit(at -> new Goto(offset(target, at)));
  }

  /** Goes on at one of two labels: the first when the condition is not 0. */
  public void branch(RelayRegister condition, RelayLabel ifTrue, RelayLabel ifFalse) {
    own(ifTrue);
    own(ifFalse);
    emit(at -> new If(condition.number(), offset(ifTrue, at), offset(ifFalse, at)));
  }

  /** Goes on at one of two labels: the first when an integer register has the value. */
  public void branchIfEqual(RelayRegister src, long value, RelayLabel ifTrue, RelayLabel ifFalse) {
    own(ifTrue);
    own(ifFalse);
    emit(at -> new IfEq(src.number(), value, offset(ifTrue, at), offset(ifFalse, at)));
  }

  /**
   * Emits both branches of a condition and gives the value of the one that runs.
   *
   * @param whenTrue emits the branch for a condition that is not 0 and gives its value
   */
  public RelayRegister ifElse(
      RelayRegister condition,
      Supplier<RelayRegister> whenTrue,
      Supplier<RelayRegister> whenFalse) {
    RelayLabel isTrue = label();
    RelayLabel isFalse = label();
    RelayLabel end = label();
    branch(condition, isTrue, isFalse);
    place(isTrue);
    RelayRegister first = move(whenTrue.get());
    jump(end);
    place(isFalse);
    RelayRegister second = move(whenFalse.get());
    place(end);
    return phi(first, second);
  }

  // ---------------------------------------------------------------- the result

  RelayFunction build() {
    List<RelayInstruction> instructions = new ArrayList<>(code.size());
    for (IntFunction<RelayInstruction> instruction : code) {
      instructions.add(instruction.apply(instructions.size()));
    }
    return new RelayFunction(name, params, instructions);
  }

  private RelayRegister define(IntFunction<RelayInstruction> instruction) {
    int dst = registers++;
    emit(_ -> instruction.apply(dst));
    return new RelayRegister(dst);
  }

  /** Adds what makes an instruction of its index, once all labels and functions are known. */
  private void emit(IntFunction<RelayInstruction> instruction) {
    code.add(instruction);
  }

  private int offset(RelayLabel target, int at) {
    if (!target.isPlaced()) {
      throw RelayModuleBuilder.refused(
          "function " + name + " jumps to a label that was never placed");
    }
    return target.position() - at;
  }

  private RelayLabel own(RelayLabel label) {
    if (!label.isOf(this)) {
      throw RelayModuleBuilder.refused("a label belongs to the function that made it");
    }
    return label;
  }

  private static List<Integer> numbers(RelayRegister... registers) {
    return Arrays.stream(registers).map(RelayRegister::number).toList();
  }
}
