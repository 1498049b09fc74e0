package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verified;
import org.relaxvm.tir.verify.Verifier;

/** Kernels from text, compiled in each way that there is, and compared with the evaluator. */
final class GeneratedKernels {
  private static final VectorChoice NO_VECTORS = new VectorChoice(0, "a test");

  private GeneratedKernels() {}

  /** The one kernel of a text. */
  static PrimFunc kernel(String text) {
    List<PrimFunc> functions = TirText.parse(text, "test");
    assertThat(functions).hasSize(1);
    Verifier.verify(functions.getFirst());
    return functions.getFirst();
  }

  /** A compiler of code with vectors, if this JVM has them, with loops as the device has them. */
  static KernelCompiler compiler() {
    return new KernelCompiler(VectorOperations.of(VectorChoice.get()), CpuSchedule::of);
  }

  /** A compiler of machine code, if this process can run it. */
  static KernelCompiler machine(Function<PrimFunc, Verified> schedule) {
    MachineCode machine = MachineCode.current();
    return new KernelCompiler(
        Optional.empty(),
        schedule,
        Optional.of(machine).filter(MachineCode::isAvailable).map(MachineTargets::kernels),
        machine.isAvailable(),
        BackendOptions.none());
  }

  /** A kernel as the device would run it. */
  static PackedFunc compile(PrimFunc kernel) {
    return compiler().compile(kernel, name -> Optional.empty());
  }

  /** A kernel as it is written. */
  static PackedFunc compileUnscheduled(PrimFunc kernel) {
    return new KernelCompiler(Optional.empty(), Verified::of)
        .compile(kernel, name -> Optional.empty());
  }

  /** A kernel as it is written, without vectors, and with vectors, each scheduled and not. */
  static List<PackedFunc> compiledInAllWays(
      PrimFunc kernel, Function<String, Optional<PackedFunc>> functions) {
    return List.of(
        new KernelCompiler(Optional.empty(), Verified::of).compile(kernel, functions),
        new KernelCompiler(VectorOperations.of(NO_VECTORS), CpuSchedule::of)
            .compile(kernel, functions),
        new KernelCompiler(VectorOperations.of(VectorChoice.get()), Verified::of)
            .compile(kernel, functions),
        compiler().compile(kernel, functions),
        machine(Verified::of).compile(kernel, functions),
        machine(CpuSchedule::of).compile(kernel, functions));
  }

  /** The same arguments, with tensors in memory of a kind. */
  static List<Object> in(MemoryKind kind, List<?> args) {
    return args.stream().<Object>map(arg -> arg instanceof Tensor x ? in(kind, x) : arg).toList();
  }

  /** With its offset and strides, which kernels may ask for even where there are no elements. */
  private static Tensor in(MemoryKind kind, Tensor tensor) {
    if (kind == MemoryKind.PINNED || !tensor.dtype().isByteAligned()) {
      return tensor;
    }
    MemorySegment from = HostDevice.segmentOf(tensor.storage().memory());
    // Memory that a test leaves open, since another thread might be at work on it.
    MemorySegment to =
        kind == MemoryKind.NATIVE
            ? Arena.ofShared().allocate(from.byteSize(), 64)
            : MemorySegment.ofArray(new byte[(int) from.byteSize()]);
    int bytes = tensor.dtype().elementByteSize();
    return Tensor.wrap(to.copyFrom(from), tensor.dtype(), Shape.of(from.byteSize() / bytes))
        .stridedView(tensor.shape(), tensor.strides(), tensor.byteOffset() / bytes);
  }

  /** Calls a function and gives what it returns. */
  static @Nullable Object call(
      PackedFunc function, @Nullable VmContext context, List<? extends Object> args) {
    CallResult result = new CallResult();
    function.call(CallArgs.of(context, args.toArray()), result);
    return result.takeValue().object();
  }

  /** Compares what code leaves in all arguments, and returns, with the evaluator. */
  static void assertSame(PrimFunc kernel, Supplier<List<Object>> arguments) {
    assertSame(kernel, name -> Optional.empty(), arguments);
  }

  /**
   * Compares what code leaves in all arguments, and returns, with the evaluator.
   *
   * @param arguments makes the same arguments each time, in new memory
   */
  static void assertSame(
      PrimFunc kernel,
      Function<String, Optional<PackedFunc>> functions,
      Supplier<List<Object>> arguments) {
    List<Object> expected = arguments.get();
    Optional<Object> returned = new Evaluator(functions, false).run(kernel, expected);
    List<PackedFunc> ways = compiledInAllWays(kernel, functions);
    for (int i = 0; i < ways.size(); i++) {
      for (MemoryKind memory : MemoryKind.values()) {
        List<Object> got = in(memory, arguments.get());
        String name = kernel.name() + ", way " + i + ", " + memory;
        assertThat(call(ways.get(i), null, got)).as(name).isEqualTo(returned.orElse(null));
        assertThat(elements(got)).as(name).isEqualTo(elements(expected));
      }
    }
  }

  /** The bits of all elements of all tensors. */
  static List<List<Byte>> elements(List<?> args) {
    List<List<Byte>> all = new ArrayList<>();
    for (Object arg : args) {
      if (arg instanceof Tensor tensor) {
        List<Byte> bytes = new ArrayList<>();
        for (byte element :
            tensor.toHost().segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)) {
          bytes.add(element);
        }
        all.add(bytes);
      }
    }
    return all;
  }
}
