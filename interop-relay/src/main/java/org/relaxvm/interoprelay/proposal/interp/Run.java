package org.relaxvm.interoprelay.proposal.interp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
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
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** One call from outside, with the frames of all calls inside of it. Confined to one thread. */
final class Run {
  private static final int HOST_DEVICE_TYPE = 1;

  private final RelayInterpreter interpreter;
  private final List<Frame> frames = new ArrayList<>();
  private @Nullable Object result;

  Run(RelayInterpreter interpreter) {
    this.interpreter = interpreter;
  }

  /** Calls a function with borrowed arguments; the caller becomes an owner of the result. */
  @Nullable Object call(int function, @Nullable Object[] args) {
    @Nullable Object[] values = new Object[args.length];
    for (int i = 0; i < args.length; i++) {
      values[i] = HostValues.normalized(args[i]);
    }
    try {
      push(function, 0, retained(values));
      while (!frames.isEmpty()) {
        Frame frame = frames.getLast();
        step(frame, frame.plan().function().code().get(frame.pc()));
      }
      return result;
    } catch (RuntimeException e) {
      throw located(e);
    } finally {
      while (!frames.isEmpty()) {
        frames.removeLast().clear();
      }
    }
  }

  private void step(Frame frame, RelayInstruction instruction) {
    switch (instruction) {
      case AllocTensor i -> define(frame, i.dst(), allocate(i.dtype(), i.shape()));
      case AllocDatatype i ->
          define(frame, i.dst(), Tuple.tagged(i.tag(), values(frame, i.fields())));
      case AllocClosure i -> define(frame, i.dst(), closure(frame, i));
      case LoadConst i -> copy(frame, i.dst(), interpreter.module().constants().get(i.constant()));
      case Mov i -> copy(frame, i.dst(), frame.get(i.src()));
      case Phi i -> define(frame, i.dst(), frame.phi(frame.pc(), i));
      case Ret i -> leave(frame, i.src());
      case GetField i ->
          copy(
              frame,
              i.dst(),
              HostValues.datatype(frame.get(i.src()), "$" + i.src()).get(i.index()));
      case If i -> jump(frame, truth(frame, i.condition()) ? i.ifTrue() : i.ifFalse());
      case Goto i -> jump(frame, i.offset());
      case InvokePacked i -> invokePacked(frame, i);
      case Invoke i -> push(i.function(), i.dst(), retained(values(frame, i.args())));
      case InvokeClosure i -> invokeClosure(frame, i);
      case GetTag i ->
          define(frame, i.dst(), HostValues.datatype(frame.get(i.src()), "$" + i.src()).tag());
      case IfEq i ->
          jump(
              frame,
              HostValues.integer(frame.get(i.src()), "$" + i.src()) == i.value()
                  ? i.ifTrue()
                  : i.ifFalse());
      case LoadConsti i -> define(frame, i.dst(), i.value());
      case Fatal _ ->
          throw new CallException(ErrorKind.RUNTIME, "the program reached a Fatal instruction");
      case AllocTensorReg i ->
          define(
              frame,
              i.dst(),
              allocate(i.dtype(), HostValues.shape(frame.get(i.shape()), "$" + i.shape())));
      case ShapeOf i -> define(frame, i.dst(), tensor(frame, i.src()).shape());
      case ReshapeTensor i ->
          define(
              frame,
              i.dst(),
              tensor(frame, i.src())
                  .reshape(HostValues.shape(frame.get(i.shape()), "$" + i.shape())));
      case DeviceCopy i -> define(frame, i.dst(), deviceCopy(frame, i));
      case Kill i -> {
        frame.kill(i.register());
        next(frame);
      }
      case CallPacked i -> callPacked(frame, i);
      case TailInvoke i -> tailInvoke(frame, i);
    }
  }

  // ---------------------------------------------------------------- registers and jumps

  /** Defines a register with a value that has an owner for it. */
  private static void define(Frame frame, int dst, @Nullable Object value) {
    frame.define(dst, value);
    next(frame);
  }

  private static void copy(Frame frame, int dst, @Nullable Object value) {
    Managed.retain(value);
    define(frame, dst, value);
  }

  private static void next(Frame frame) {
    jump(frame, 1);
  }

  private static void jump(Frame frame, int offset) {
    frame.goTo(frame.pc() + offset);
  }

  private static @Nullable Object[] values(Frame frame, List<Integer> registers) {
    return registers.stream().map(frame::get).toArray();
  }

  private static @Nullable Object[] retained(@Nullable Object[] values) {
    int done = 0;
    try {
      for (; done < values.length; done++) {
        Managed.retain(values[done]);
      }
    } finally {
      for (int i = 0; done < values.length && i < done; i++) {
        Managed.release(values[i]);
      }
    }
    return values;
  }

  // ---------------------------------------------------------------- values

  private Tensor allocate(DType dtype, Shape shape) {
    return interpreter.options().tensors().allocate(dtype, shape);
  }

  private static Tensor tensor(Frame frame, int register) {
    return HostValues.tensor(frame.get(register), "$" + register);
  }

  private static boolean truth(Frame frame, int register) {
    return HostValues.integer(frame.get(register), "the condition $" + register) != 0;
  }

  private Tensor deviceCopy(Frame frame, DeviceCopy copy) {
    if (copy.deviceType() != HOST_DEVICE_TYPE) {
      throw new CallException(
          ErrorKind.VALUE,
          "the interpreter has host memory only, and no device of type "
              + copy.deviceType()
              + "\n  what to do: translate the program and run it on a virtual machine");
    }
    Tensor source = tensor(frame, copy.src());
    Tensor target = allocate(source.dtype(), source.shape());
    boolean done = false;
    try {
      source.copyInto(target);
      done = true;
      return target;
    } finally {
      if (!done) {
        target.release();
      }
    }
  }

  private Closure closure(Frame frame, AllocClosure instruction) {
    Closure unbound =
        Closure.of(
            interpreter.plan(instruction.function()).function().name(),
            new BoundFirst(interpreter, instruction.function(), instruction.free().size()));
    return unbound.bind(values(frame, instruction.free()));
  }

  // ---------------------------------------------------------------- calls

  /** Begins a call; the frame takes over an owner of each argument. */
  private void push(int function, int resultRegister, @Nullable Object[] args) {
    FunctionPlan plan = interpreter.plan(function);
    int limit = interpreter.options().maxFrames();
    if (frames.size() >= limit) {
      for (Object arg : args) {
        Managed.release(arg);
      }
      throw new CallException(
          ErrorKind.RUNTIME,
          "the call of function "
              + plan.function().name()
              + " would be frame "
              + (frames.size() + 1L)
              + ", but the limit is "
              + limit
              + " frames\n  what to do: if the recursion is meant to be this deep, raise the limit"
              + " with InterpreterOptions.withMaxFrames");
    }
    frames.add(new Frame(plan, resultRegister, args));
  }

  private void leave(Frame frame, int register) {
    Object value = frame.get(register);
    Managed.retain(value);
    int dst = frame.resultRegister();
    frames.removeLast().clear();
    if (frames.isEmpty()) {
      result = value;
    } else {
      define(frames.getLast(), dst, value);
    }
  }

  private void tailInvoke(Frame frame, TailInvoke call) {
    @Nullable Object[] args = retained(values(frame, call.args()));
    int dst = frame.resultRegister();
    frames.removeLast().clear();
    push(call.function(), dst, args);
  }

  private void invokeClosure(Frame frame, InvokeClosure call) {
    if (!(frame.get(call.closure()) instanceof Closure closure)
        || !(closure.target() instanceof BoundFirst target)
        || target.interpreter() != interpreter) {
      throw HostValues.mismatch(
          "$" + call.closure(), "a closure of this program", frame.get(call.closure()));
    }
    @Nullable Object[] args = new Object[closure.boundCount() + call.args().size()];
    int params = interpreter.plan(target.function()).function().params();
    if (args.length != params) {
      throw new CallException(
          ErrorKind.TYPE,
          "the closure of function "
              + closure.functionName()
              + " takes "
              + (params - closure.boundCount())
              + (params - closure.boundCount() == 1 ? " argument" : " arguments")
              + ", but got "
              + call.args().size());
    }
    for (int i = 0; i < args.length; i++) {
      int bound = closure.boundCount();
      args[i] = i < bound ? closure.boundAt(i) : frame.get(call.args().get(i - bound));
    }
    push(target.function(), call.dst(), retained(args));
  }

  private void invokePacked(Frame frame, InvokePacked call) {
    List<Integer> registers = new ArrayList<>(call.inputs());
    registers.addAll(call.outputs());
    CallResult dropped = new CallResult();
    try {
      interpreter.packed(call.packed()).call(CallArgs.of(operands(frame, registers)), dropped);
    } finally {
      dropped.setNull();
    }
    next(frame);
  }

  private void callPacked(Frame frame, CallPacked call) {
    CallResult returned = new CallResult();
    Object value = null;
    boolean done = false;
    try {
      interpreter.packed(call.packed()).call(CallArgs.of(operands(frame, call.args())), returned);
      long bits = returned.bits();
      value = returned.takeRef();
      done = true;
      define(frame, call.dst(), value instanceof ScalarTag tag ? tag.box(bits) : value);
    } finally {
      if (!done) {
        returned.setNull();
      }
    }
  }

  /** The arguments of a packed function, with the fields of datatypes where that is asked for. */
  private @Nullable Object[] operands(Frame frame, List<Integer> registers) {
    if (!interpreter.options().flattenDatatypes()) {
      return values(frame, registers);
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (int register : registers) {
      if (frame.get(register) instanceof Tuple tuple) {
        values.addAll(tuple.fields());
      } else {
        values.add(frame.get(register));
      }
    }
    return values.toArray();
  }

  // ---------------------------------------------------------------- failures

  private RelaxException located(RuntimeException error) {
    RelaxException located =
        error instanceof RelaxException relax
            ? relax
            : new CallException(ErrorKind.RUNTIME, failed() + " failed: " + error, error);
    for (int depth = frames.size() - 1; depth >= 0; depth--) {
      Frame frame = frames.get(depth);
      String instruction =
          depth < frames.size() - RelaxException.MAX_LOCATIONS
              ? ""
              : RelayText.print(
                  interpreter.module(), frame.plan().function().code().get(frame.pc()));
      located.addLocation(
          "function "
              + frame.plan().function().name()
              + ", instruction "
              + frame.pc()
              + ": "
              + instruction);
    }
    return located;
  }

  /** What was called when something failed that is no error of RelaxVM. */
  private String failed() {
    if (!frames.isEmpty()) {
      Frame frame = frames.getLast();
      switch (frame.plan().function().code().get(frame.pc())) {
        case InvokePacked call -> {
          return interpreter.module().packed().get(call.packed());
        }
        case CallPacked call -> {
          return interpreter.module().packed().get(call.packed());
        }
        default -> {}
      }
    }
    return "the interpreter";
  }
}
