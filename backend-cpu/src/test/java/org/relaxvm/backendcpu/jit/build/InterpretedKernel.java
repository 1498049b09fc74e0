package org.relaxvm.backendcpu.jit.build;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.jit.LirInterpreter;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.run.BlockLayout;
import org.relaxvm.backendcpu.jit.run.Failure;
import org.relaxvm.backendcpu.jit.run.Fragment;
import org.relaxvm.tir.abi.CallBinding;
import org.relaxvm.tir.abi.TensorLocation;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.verify.Verified;

/** A kernel whose low-level IR, one fragment for all of it, is interpreted. */
final class InterpretedKernel {
  private final LoopProgram program;
  private final BlockLayout layout;
  private final Fragment fragment;

  private InterpretedKernel(LoopProgram program, BlockLayout layout, Fragment fragment) {
    this.program = program;
    this.layout = layout;
    this.fragment = fragment;
  }

  /**
   * The low-level IR of a kernel.
   *
   * @throws org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException if there is none
   */
  static InterpretedKernel of(Verified kernel, Target target) {
    LoopProgram program = Lowering.of(kernel.kernel(), kernel.unproven());
    BlockLayout layout = BlockLayout.of(program.buffers(), program.variables());
    Fragment fragment =
        FragmentWriter.of(target)
            .compile(kernel.kernel().name(), program.body(), null, layout, program);
    return new InterpretedKernel(program, layout, fragment);
  }

  LirFunction function() {
    return fragment.function();
  }

  /** Runs it on tensors in native memory and scalars. */
  void run(List<Object> arguments) {
    CallArgs args = CallArgs.of(arguments.toArray());
    CallBinding binding =
        new CallBinding(program.function(), program.variables(), Set.of(), TensorLocation.HOST);
    Tensor[] tensors = binding.tensors(args);
    long[] values = binding.bind(args, tensors);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(layout.byteSize(), 64);
      MemorySegment scratch = arena.allocate(Math.max(64, fragment.scratchBytes()), 64);
      List<MemorySegment> memory = new ArrayList<>(List.of(block, scratch));
      int buffer = 0;
      for (Tensor tensor : tensors) {
        if (tensor != null) {
          MemorySegment segment = HostDevice.segmentOf(tensor.storage().memory());
          memory.add(segment);
          block.set(
              ValueLayout.JAVA_LONG,
              layout.offset(program.buffers().get(buffer++)),
              segment.address() + tensor.byteOffset());
        }
      }
      for (int i = 0; i < values.length; i++) {
        Var var = program.variables().get(i);
        block.set(ValueLayout.JAVA_LONG, layout.offset(var), values[i]);
      }
      LirInterpreter interpreter = new LirInterpreter(memory.toArray(MemorySegment[]::new));
      long status = interpreter.run(fragment.function(), block.address(), 0, 1, scratch.address());
      if (status != 0) {
        Failure failure = fragment.failures().get((int) status - 1);
        throw new IllegalStateException("failed: " + failure);
      }
    }
  }
}
