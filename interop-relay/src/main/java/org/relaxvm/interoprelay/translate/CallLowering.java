package org.relaxvm.interoprelay.translate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.proposal.RelayInstruction.CallPacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetField;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokeClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokePacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.Call.Callee;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Operand;

/** Instructions that become calls. Source: docs/spec/relay-register-vm.md, section 4. */
final class CallLowering {
  private static final Operand MAIN_DEVICE = Operand.constant(0L);
  private static final Operand ORDINARY_MEMORY = Operand.constant("global");
  private static final Operand NO_OFFSET = Operand.constant(0L);

  private final RelayModule module;
  private final FunctionNames names;
  private final Closures closures;
  private final Registers registers;
  private final boolean tagged;
  private final boolean flatten;
  private final Values values;

  CallLowering(
      RelayModule module,
      RelayFunction function,
      FunctionNames names,
      Closures closures,
      Registers registers,
      boolean tagged,
      TranslationOptions options) {
    this.module = module;
    this.names = names;
    this.closures = closures;
    this.registers = registers;
    this.tagged = tagged;
    this.flatten = options.flattenDatatypes();
    this.values = new Values(module, function);
  }

  /** What is known of the function's values. */
  Values values() {
    return values;
  }

  /** A register as an argument: itself, or the constant that it holds. */
  Operand read(int register) {
    Object constant = values.inlined(register);
    return constant == null ? registers.operand(register) : Operand.constant(constant);
  }

  private List<Operand> read(List<Integer> list) {
    return list.stream().map(this::read).toList();
  }

  List<Call> allocTensor(AllocTensor i, IntSupplier scratch) {
    long bytes = i.dtype().byteSize(i.shape().elementCount());
    return allocated(
        registers.get(i.dst()),
        Operand.constant(Shape.of(bytes)),
        DType.UINT8,
        Operand.constant(i.shape()),
        i.dtype(),
        scratch.getAsInt());
  }

  List<Call> allocTensorReg(AllocTensorReg i, IntSupplier scratch) {
    int shape = scratch.getAsInt();
    List<Call> calls = new ArrayList<>();
    calls.add(Call.packed(shape, "vm.builtin.to_shape", read(i.shape())));
    calls.addAll(
        allocated(
            registers.get(i.dst()),
            Operand.register(shape),
            i.dtype(),
            Operand.register(shape),
            i.dtype(),
            scratch.getAsInt()));
    return calls;
  }

  private static List<Call> allocated(
      int dst, Operand size, DType unit, Operand shape, DType dtype, int storage) {
    return List.of(
        Call.packed(
            storage,
            "vm.builtin.alloc_storage",
            new Operand.Context(),
            size,
            MAIN_DEVICE,
            Operand.constant(unit),
            ORDINARY_MEMORY),
        Call.packed(
            dst,
            "vm.builtin.alloc_tensor",
            Operand.register(storage),
            NO_OFFSET,
            shape,
            Operand.constant(dtype)),
        Call.clear(storage));
  }

  Call allocDatatype(AllocDatatype i) {
    List<Operand> args = new ArrayList<>(read(i.fields()));
    if (tagged) {
      args.addFirst(Operand.constant(i.tag()));
    }
    String builtin = tagged ? "vm.builtin.make_adt" : "vm.builtin.make_tuple";
    return Call.packed(registers.get(i.dst()), builtin, args);
  }

  Call getField(GetField i) {
    return Call.packed(
        registers.get(i.dst()),
        tagged ? "vm.builtin.get_field" : "vm.builtin.tuple_getitem",
        read(i.src()),
        Operand.constant((long) i.index()));
  }

  Call allocClosure(AllocClosure i) {
    return closures.close(registers.get(i.dst()), i.function(), read(i.free()));
  }

  Call invokeClosure(InvokeClosure i) {
    List<Operand> args = new ArrayList<>();
    args.add(new Operand.Context());
    args.add(read(i.closure()));
    args.addAll(read(i.args()));
    return Call.packed(registers.get(i.dst()), "vm.builtin.invoke_closure", args);
  }

  Call invoke(int dst, int function, List<Integer> args, boolean guaranteed) {
    return new Call(new Callee.InProgram(names.get(function), guaranteed), read(args), dst);
  }

  Call invokePacked(InvokePacked i) {
    List<Integer> args = new ArrayList<>(i.inputs());
    args.addAll(i.outputs());
    return packed(Call.NO_RESULT, i.packed(), args);
  }

  Call callPacked(CallPacked i) {
    return packed(registers.get(i.dst()), i.packed(), i.args());
  }

  private Call packed(int dst, int packed, List<Integer> args) {
    String name = module.packed().get(packed);
    if (!flatten || args.stream().allMatch(values::isTensor)) {
      return Call.packed(dst, name, read(args));
    }
    List<Operand> all = new ArrayList<>();
    all.add(new Operand.PackedFunction(name));
    all.add(Operand.constant(0L));
    all.addAll(read(args));
    return Call.packed(dst, "vm.builtin.call_flat", all);
  }

  List<Call> reshape(ReshapeTensor i, IntSupplier scratch) {
    int shape = scratch.getAsInt();
    return List.of(
        Call.packed(shape, "vm.builtin.to_shape", read(i.shape())),
        Call.packed(
            registers.get(i.dst()), "vm.builtin.reshape", read(i.src()), Operand.register(shape)));
  }

  Operand constant(int index) {
    return Operand.constant(module.constants().get(index));
  }
}
