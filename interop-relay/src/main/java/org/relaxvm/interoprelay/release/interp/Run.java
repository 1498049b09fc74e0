package org.relaxvm.interoprelay.release.interp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocDatatype;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocStorage;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokeClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConsti;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;
import org.relaxvm.interoprelay.release.listing.ReleasedListing;

/** One call from outside, with the frames of all calls inside of it. Confined to one thread. */
final class Run {
  private final ReleasedInterpreter interpreter;
  private final List<Frame> frames = new ArrayList<>();
  private @Nullable Object result;

  Run(ReleasedInterpreter interpreter) {
    this.interpreter = interpreter;
  }

  /** Calls a function with borrowed arguments; the caller becomes an owner of the result. */
  @Nullable Object call(int function, @Nullable Object[] args) {
    try {
      push(function, 0, args);
      while (!frames.isEmpty()) {
        Frame frame = frames.getLast();
        step(frame, frame.function.code().get(frame.pc));
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

  private void step(Frame frame, ReleasedInstruction instruction) {
    switch (instruction) {
      case Move(int src, int dst) -> copy(frame, dst, frame.get(src));
      case Ret(int src) -> leave(frame, src);
      case Invoke(int function, int dst, List<Integer> args) ->
          push(function, dst, values(frame, args));
      case InvokeClosure call -> invokeClosure(frame, call);
      case InvokePacked call -> invokePacked(frame, call);
      case AllocTensor at ->
          define(frame, at.dst(), tensor(frame, at.storage(), at.offset(), at.dtype(), at.shape()));
      case AllocTensorReg at -> {
        Shape shape = HostValues.shape(frame.get(at.shape()), at.shape());
        define(frame, at.dst(), tensor(frame, at.storage(), at.offset(), at.dtype(), shape));
      }
      case AllocDatatype(long tag, int dst, List<Integer> fields) ->
          define(frame, dst, Tuple.tagged(tag, values(frame, fields)));
      case AllocClosure at -> define(frame, at.dst(), closure(frame, at));
      case GetField(int src, int index, int dst) ->
          copy(frame, dst, HostValues.datatype(frame.get(src), src).get(index));
      case If(int test, int target, int ifTrue, int ifFalse) -> {
        // As int32, whatever their type.
        int left = (int) HostValues.integer(frame.get(test), test);
        int right = (int) HostValues.integer(frame.get(target), target);
        frame.pc += left == right ? ifTrue : ifFalse;
      }
      case LoadConst(int constant, int _, int dst) -> copy(frame, dst, constant(constant));
      case Goto(int offset) -> frame.pc += offset;
      case GetTag(int src, int dst) -> {
        int tag = (int) HostValues.datatype(frame.get(src), src).tag();
        define(frame, dst, Tensor.of(new int[] {tag}, Shape.of(1)));
      }
      case LoadConsti(long value, int dst) ->
          define(frame, dst, Tensor.of(new long[] {value}, Shape.of(1)));
      case Fatal() ->
          throw new CallException(ErrorKind.RUNTIME, "the program reached a fatal instruction");
      case AllocStorage at -> define(frame, at.dst(), storage(frame, at));
      case ShapeOf(int src, int dst) -> {
        long[] extents = HostValues.tensor(frame.get(src), src).shape().toArray();
        define(frame, dst, Tensor.of(extents, Shape.of(extents.length)));
      }
      case ReshapeTensor(int src, int shape, int dst) ->
          define(
              frame,
              dst,
              HostValues.tensor(frame.get(src), src)
                  .reshape(HostValues.shape(frame.get(shape), shape)));
      case DeviceCopy(int src, int _, int _, int dst) ->
          copy(frame, dst, HostValues.tensor(frame.get(src), src));
      case KillRegister(int register) -> define(frame, register, null);
    }
  }

  /** Assigns a register a value that has an owner for it, and goes on. */
  private static void define(Frame frame, int dst, @Nullable Object value) {
    frame.set(dst, value);
    frame.pc++;
  }

  private static void copy(Frame frame, int dst, @Nullable Object value) {
    Managed.retain(value);
    define(frame, dst, value);
  }

  private static @Nullable Object[] values(Frame frame, List<Integer> registers) {
    @Nullable Object[] values = new Object[registers.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = frame.get(registers.get(i));
    }
    return values;
  }

  private Tensor constant(int index) {
    return switch (interpreter.executable().constants().get(index)) {
      case ReleasedConstant.Stored(Tensor tensor) -> tensor;
      case ReleasedConstant.LateBound(String name) ->
          throw new IllegalStateException("the constant " + name + " was refused before");
    };
  }

  // ---------------------------------------------------------------- memory

  private static Tensor tensor(Frame frame, int storage, int offset, DType dtype, Shape shape) {
    long bytes =
        offset == ReleasedInstruction.NONE ? 0 : HostValues.integer(frame.get(offset), offset);
    return Tensor.view(HostValues.storage(frame.get(storage), storage), bytes, dtype, shape);
  }

  private static Storage storage(Frame frame, AllocStorage at) {
    long bytes =
        at.shape().rank() > 0
            ? at.dtype().byteSize(at.shape().elementCount())
            : HostValues.integer(frame.get(at.size()), at.size());
    if (bytes < 0) {
      throw new CallException(
          ErrorKind.VALUE, "a storage has 0 or more bytes, but its size is " + bytes);
    }
    try (Tensor block = Tensor.zeros(DType.UINT8, Shape.of(bytes))) {
      Storage storage = block.storage();
      storage.retain();
      return storage;
    }
  }

  // ---------------------------------------------------------------- calls

  /** Begins a call with borrowed arguments. */
  private void push(int index, int resultRegister, @Nullable Object[] args) {
    ReleasedFunction function = interpreter.executable().functions().get(index);
    if (frames.size() >= interpreter.maxFrames()) {
      throw new CallException(
          ErrorKind.RUNTIME,
          "the call of function '"
              + function.name()
              + "' would be frame "
              + (frames.size() + 1L)
              + ", but the limit is "
              + interpreter.maxFrames()
              + "\n  what to do: if the recursion is meant to be this deep, give the interpreter a"
              + " higher limit");
    }
    for (Object arg : args) {
      Managed.retain(arg);
    }
    frames.add(new Frame(function, resultRegister, args));
  }

  private void leave(Frame frame, int register) {
    Object value = frame.get(register);
    Managed.retain(value);
    frames.removeLast();
    frame.clear();
    if (frames.isEmpty()) {
      result = value;
    } else {
      define(frames.getLast(), frame.resultRegister, value);
    }
  }

  private Closure closure(Frame frame, AllocClosure at) {
    String name = interpreter.executable().functions().get(at.function()).name();
    BoundFirst target = new BoundFirst(interpreter, at.function(), at.free().size());
    Closure unbound = Closure.of(name, target);
    try {
      return unbound.bind(values(frame, at.free()));
    } finally {
      unbound.release();
    }
  }

  private void invokeClosure(Frame frame, InvokeClosure call) {
    Closure closure = HostValues.closure(frame.get(call.closure()), call.closure());
    if (!(closure.target() instanceof BoundFirst target) || target.interpreter() != interpreter) {
      throw HostValues.mismatch(call.closure(), "a closure of this program", closure);
    }
    int bound = closure.boundCount();
    @Nullable Object[] args = new Object[bound + call.args().size()];
    int params = interpreter.executable().functions().get(target.function()).paramNames().size();
    if (args.length != params) {
      throw new CallException(
          ErrorKind.TYPE,
          "the closure of function '"
              + closure.functionName()
              + "' takes "
              + (params - bound)
              + (params - bound == 1 ? " argument" : " arguments")
              + ", but got "
              + call.args().size());
    }
    for (int i = 0; i < args.length; i++) {
      args[i] = i < bound ? closure.boundAt(i) : frame.get(call.args().get(i - bound));
    }
    push(target.function(), call.dst(), args);
  }

  private void invokePacked(Frame frame, InvokePacked call) {
    List<Tensor> flat = new ArrayList<>();
    for (int register : call.args()) {
      Object value = frame.get(register);
      if (value instanceof Tuple tuple) {
        for (Object field : tuple.fields()) {
          flat.add(HostValues.tensor(field, register));
        }
      } else {
        flat.add(HostValues.tensor(value, register));
      }
    }
    if (!skips(frame, call)) {
      CallResult dropped = new CallResult();
      try {
        interpreter.packed(call.packed()).call(CallArgs.of(flat.toArray()), dropped);
      } finally {
        dropped.setNull();
      }
    }
    frame.pc++;
  }

  private boolean skips(Frame frame, InvokePacked call) {
    return call.outputs() == 1
        && interpreter.executable().skipsEmptyOutputs()
        && frame.get(call.args().getLast()) instanceof Tensor output
        && output.elementCount() == 0;
  }

  // ---------------------------------------------------------------- errors

  private RelaxException located(RuntimeException error) {
    RelaxException located =
        error instanceof RelaxException relax
            ? relax
            : new CallException(ErrorKind.RUNTIME, "a kernel failed: " + error, error);
    for (int depth = frames.size() - 1;
        depth >= Math.max(0, frames.size() - RelaxException.MAX_LOCATIONS);
        depth--) {
      Frame frame = frames.get(depth);
      located.addLocation(
          "function '"
              + frame.function.name()
              + "', instruction "
              + frame.pc
              + ": "
              + ReleasedListing.text(
                  frame.function.code().get(frame.pc), interpreter.executable().era()));
    }
    return located;
  }
}
