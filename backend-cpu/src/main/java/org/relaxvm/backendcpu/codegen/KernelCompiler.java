package org.relaxvm.backendcpu.codegen;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;
import org.relaxvm.backendcpu.codegen.emit.LaneTable;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.verify.Verifier;

/** Turns kernels into functions that run as generated code. Immutable and thread-safe. */
public final class KernelCompiler {
  private final Optional<LaneTable> lanes;
  private final Function<String, Optional<PackedFunc>> functions;

  /**
   * A compiler.
   *
   * @param lanes the vector operations; empty for scalar code
   * @param functions finds what kernels call by name
   */
  public KernelCompiler(
      Optional<LaneTable> lanes, Function<String, Optional<PackedFunc>> functions) {
    this.lanes = lanes;
    this.functions = functions;
  }

  /**
   * A kernel as a function, run as it is scheduled.
   *
   * @throws InvalidProgramException when the kernel breaks a rule of the kernel IR, or calls a
   *     function that is not there
   */
  public PackedFunc compile(PrimFunc function) {
    Verifier.verify(function);
    LoopProgram program = Lowering.of(function);
    CompiledCode compiled = new CompiledCode(onlyNative -> generate(program, onlyNative));
    KernelArguments arguments =
        new KernelArguments(function, program.variables(), outputs(function, program));
    List<PackedFunc> called = new ArrayList<>();
    for (String name : compiled.functions()) {
      called.add(
          functions
              .apply(name)
              .orElseThrow(
                  () ->
                      new InvalidProgramException(
                          ErrorKind.VALUE,
                          "the kernel "
                              + function.name()
                              + " calls the function "
                              + name
                              + ", which the device does not have")));
    }
    return new GeneratedKernel(function, arguments, compiled, called);
  }

  private ClassEmitter.Generated generate(LoopProgram program, boolean onlyNative) {
    return ClassEmitter.generate(program, lanes, onlyNative);
  }

  private static Set<Integer> outputs(PrimFunc function, LoopProgram program) {
    Set<Integer> outputs = new HashSet<>();
    int buffer = 0;
    for (int i = 0; i < function.params().size(); i++) {
      if (function.params().get(i) instanceof Param.OfBuffer
          && writes(program.body(), program.buffers().get(buffer++))) {
        outputs.add(i);
      }
    }
    return outputs;
  }

  private static boolean writes(Node node, org.relaxvm.tir.expr.Buffer buffer) {
    boolean here =
        switch (node) {
          case Node.Store store -> store.buffer().equals(buffer);
          case Node.Invoke invoke ->
              invoke.args().contains(new org.relaxvm.tir.stmt.PackedArg.OfBuffer(buffer));
          default -> false;
        };
    return here || node.children().stream().anyMatch(child -> writes(child, buffer));
  }
}
