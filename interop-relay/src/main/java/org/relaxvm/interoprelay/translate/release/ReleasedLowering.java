package org.relaxvm.interoprelay.translate.release;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
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
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.Call.Callee;
import org.relaxvm.interoprelay.translate.code.ClosureWrappers;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Operand;

/**
 * Instructions of a released function that become calls. Source: docs/spec/relay-register-vm.md,
 * sections 15.2 and 16.
 */
final class ReleasedLowering {
  private static final int CPU = 1;

  private final ReleasedExecutable executable;
  private final FunctionNames names;
  private final ClosureWrappers wrappers;
  private final DeviceTable devices;
  private final RegisterFacts facts;
  private final IntSupplier scratch;

  ReleasedLowering(
      ReleasedExecutable executable,
      ReleasedFunction function,
      FunctionNames names,
      ClosureWrappers wrappers,
      DeviceTable devices,
      IntSupplier scratch) {
    this.executable = executable;
    this.names = names;
    this.wrappers = wrappers;
    this.devices = devices;
    this.facts = new RegisterFacts(executable, function);
    this.scratch = scratch;
  }

  /** The test of an If; its result is in a new register. */
  Call condition(int test, int target) {
    int dst = scratch.getAsInt();
    Long expected = facts.integer(target);
    if (expected != null && expected == 1 && facts.isBoolean(test)) {
      return Call.packed(dst, "vm.builtin.read_if_cond", Operand.register(test));
    }
    return Call.packed(dst, "vm.builtin.int_equal_reg", integer(test), integer(target));
  }

  /** An integer as an argument: the number itself where it is known. */
  private Operand integer(int register) {
    Long value = facts.integer(register);
    return value == null ? Operand.register(register) : Operand.constant(value);
  }

  List<Call> calls(ReleasedInstruction instruction) {
    return switch (instruction) {
      case Move(int src, int dst) -> List.of(Call.copy(dst, Operand.register(src)));
      case Invoke(int function, int dst, List<Integer> args) ->
          List.of(new Call(new Callee.InProgram(names.get(function), false), registers(args), dst));
      case InvokeClosure(int closure, int dst, List<Integer> args) ->
          List.of(invokeClosure(closure, dst, args));
      case InvokePacked i -> invokePacked(i);
      case AllocTensor i -> allocTensor(i);
      case AllocTensorReg i -> allocTensor(i);
      case AllocDatatype(long tag, int dst, List<Integer> fields) ->
          List.of(datatype(tag, dst, fields));
      case AllocClosure(int function, int dst, List<Integer> free) ->
          List.of(
              wrappers.close(dst, wrappers.functionFor(function, free.size()), registers(free)));
      case GetField(int src, int index, int dst) ->
          List.of(
              Call.packed(
                  dst,
                  "vm.builtin.get_field",
                  Operand.register(src),
                  Operand.constant((long) index)));
      case LoadConst i -> List.of(loadConst(i));
      case GetTag(int src, int dst) ->
          List.of(
              Call.packed(
                  dst,
                  facts.isOnlyInteger(dst) ? "vm.builtin.get_tag" : "vm.builtin.get_tag_tensor",
                  Operand.register(src)));
      case LoadConsti(long value, int dst) -> loadInteger(value, dst);
      case AllocStorage i -> allocStorage(i);
      case ShapeOf(int src, int dst) ->
          List.of(Call.packed(dst, "vm.builtin.shape_of_tensor", Operand.register(src)));
      case ReshapeTensor(int src, int shape, int dst) -> {
        int extents = scratch.getAsInt();
        yield List.of(
            Call.packed(extents, "vm.builtin.to_shape", Operand.register(shape)),
            Call.packed(
                dst, "vm.builtin.reshape", Operand.register(src), Operand.register(extents)));
      }
      case DeviceCopy(int src, int _, int to, int dst) ->
          List.of(copyTo(devices.row(to), Operand.register(src), dst));
      case KillRegister(int register) -> List.of(Call.clear(register));
      case Ret _, If _, Goto _, Fatal _ ->
          throw new IllegalStateException("the instruction ends a block: " + instruction);
    };
  }

  private static List<Operand> registers(List<Integer> list) {
    return list.stream().map(Operand::register).toList();
  }

  private static Call invokeClosure(int closure, int dst, List<Integer> args) {
    List<Operand> all = new ArrayList<>();
    all.add(new Operand.Context());
    all.add(Operand.register(closure));
    all.addAll(registers(args));
    return Call.packed(dst, "vm.builtin.invoke_closure", all);
  }

  private static Call datatype(long tag, int dst, List<Integer> fields) {
    List<Operand> args = new ArrayList<>();
    args.add(Operand.constant(tag));
    args.addAll(registers(fields));
    return Call.packed(dst, "vm.builtin.make_adt", args);
  }

  // ---------------------------------------------------------------- kernels

  private List<Call> invokePacked(InvokePacked i) {
    String name = executable.packed().get(i.packed());
    boolean skipsEmpty = i.outputs() == 1 && executable.skipsEmptyOutputs() && !i.args().isEmpty();
    boolean isPlain = i.args().stream().allMatch(facts::isTensor);
    if (isPlain && (!skipsEmpty || facts.hasElements(i.args().getLast()))) {
      return List.of(Call.packed(Call.NO_RESULT, name, registers(i.args())));
    }
    List<Operand> args = new ArrayList<>();
    args.add(new Operand.PackedFunction(name));
    args.add(Operand.constant(skipsEmpty ? 1L : 0L));
    args.addAll(registers(i.args()));
    return List.of(Call.packed(Call.NO_RESULT, "vm.builtin.call_flat", args));
  }

  // ---------------------------------------------------------------- memory

  private List<Call> allocTensor(AllocTensor i) {
    List<Call> calls = new ArrayList<>();
    Operand offset = offset(i.offset(), calls);
    calls.add(view(i.dst(), i.storage(), offset, Operand.constant(i.shape()), i.dtype()));
    return calls;
  }

  private List<Call> allocTensor(AllocTensorReg i) {
    List<Call> calls = new ArrayList<>();
    Operand offset = offset(i.offset(), calls);
    int shape = scratch.getAsInt();
    calls.add(Call.packed(shape, "vm.builtin.to_shape", Operand.register(i.shape())));
    calls.add(view(i.dst(), i.storage(), offset, Operand.register(shape), i.dtype()));
    return calls;
  }

  private static Call view(int dst, int storage, Operand offset, Operand shape, DType dtype) {
    return Call.packed(
        dst,
        "vm.builtin.alloc_tensor",
        Operand.register(storage),
        offset,
        shape,
        Operand.constant(dtype));
  }

  private Operand offset(int register, List<Call> calls) {
    return register == ReleasedInstruction.NONE ? Operand.constant(0L) : number(register, calls);
  }

  private Operand number(int register, List<Call> calls) {
    Long known = facts.integer(register);
    if (known != null) {
      return Operand.constant(known);
    }
    int number = scratch.getAsInt();
    calls.add(Call.packed(number, "vm.builtin.tensor_to_int", Operand.register(register)));
    return Operand.register(number);
  }

  private List<Call> allocStorage(AllocStorage i) {
    List<Call> calls = new ArrayList<>();
    boolean byShape = i.shape().rank() > 0;
    Operand size = byShape ? Operand.constant(i.shape()) : bytes(i.size(), calls);
    calls.add(
        Call.packed(
            i.dst(),
            "vm.builtin.alloc_storage",
            new Operand.Context(),
            size,
            Operand.constant((long) devices.index(i.device())),
            Operand.constant(byShape ? i.dtype() : DType.UINT8),
            Operand.constant(devices.scope(i.device()))));
    return calls;
  }

  /** A size in bytes as a shape with one extent. */
  private Operand bytes(int register, List<Call> calls) {
    Operand number = number(register, calls);
    if (number instanceof Operand.Constant(Long known) && known >= 0) {
      return Operand.constant(Shape.of(known));
    }
    int shape = scratch.getAsInt();
    calls.add(
        Call.packed(
            shape,
            "vm.builtin.make_shape",
            new Operand.Nothing(),
            Operand.constant(1L),
            Operand.constant(0L),
            number));
    return Operand.register(shape);
  }

  // ---------------------------------------------------------------- constants and devices

  private Call loadConst(LoadConst i) {
    Operand constant = Operand.constant(stored(i.constant()));
    int device =
        executable.era() == Era.R4
            ? i.device()
            : executable.era() == Era.R1 ? 0 : executable.constantDevices().get(i.constant());
    // Rationale: docs/rationale/interop-relay.md, "Why are constants of other devices copied each
    // time they are loaded?"
    return devices.index(device) == 0
        ? Call.copy(i.dst(), constant)
        : copyTo(devices.row(device), constant, i.dst());
  }

  private Tensor stored(int constant) {
    return switch (executable.constants().get(constant)) {
      case ReleasedConstant.Stored(Tensor tensor) -> tensor;
      case ReleasedConstant.LateBound(String name) ->
          throw new IllegalStateException("the constant " + name + " has no value");
    };
  }

  private List<Call> loadInteger(long value, int dst) {
    if (facts.isOnlyInteger(dst)) {
      return facts.integer(dst) == null
          ? List.of(Call.copy(dst, Operand.constant(value)))
          : List.of();
    }
    Operand tensor = Operand.constant(Tensor.of(new long[] {value}, Shape.of(1)));
    return List.of(
        devices.isHeterogeneous()
            ? copyTo(new ReleasedDevice(CPU, 0, ""), tensor, dst)
            : Call.copy(dst, tensor));
  }

  private static Call copyTo(ReleasedDevice device, Operand tensor, int dst) {
    return Call.packed(
        dst,
        "vm.builtin.to_device",
        tensor,
        Operand.constant((long) device.type()),
        Operand.constant((long) device.id()));
  }
}
