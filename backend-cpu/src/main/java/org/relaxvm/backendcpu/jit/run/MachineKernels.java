package org.relaxvm.backendcpu.jit.run;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.invocation.CompiledKernel;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.machine.memory.Code;
import org.relaxvm.machine.memory.CodeMemory;

/**
 * Turns kernels into machine code. Thread-safe.
 *
 * @param fragments writes functions for parts of kernels
 * @param writer writes the instructions of functions
 * @param memory where code is loaded
 */
public record MachineKernels(FragmentCompiler fragments, CodeWriter writer, CodeMemory memory) {
  private static final Cleaner CLEANER = Cleaner.create();

  /**
   * A kernel that can run.
   *
   * @param kernel its code is freed with it
   * @param functions what its code was written from
   */
  public record Made(CompiledKernel kernel, List<LirFunction> functions) {
    /** Copies the list. */
    public Made {
      functions = List.copyOf(functions);
    }
  }

  /**
   * Compiles a kernel.
   *
   * @throws org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException if there is no code for it
   * @throws org.relaxvm.machine.memory.CodeMemoryException if the system refuses executable memory
   */
  public Made compile(LoopProgram program) {
    Outline.Result outline = Outline.of(program, fragments);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Integer> offsets = new ArrayList<>();
    for (Fragment part : outline.parts()) {
      bytes.writeBytes(new byte[-bytes.size() & CodeMemory.ALIGNMENT - 1]);
      offsets.add(bytes.size());
      bytes.writeBytes(writer.write(part.function()));
    }
    List<Entry> entries = new ArrayList<>();
    MachineKernel kernel;
    if (offsets.isEmpty()) {
      kernel = new MachineKernel(outline, entries);
    } else {
      Code code = memory.load(bytes.toByteArray());
      for (int i = 0; i < offsets.size(); i++) {
        entries.add(entry(outline.parts().get(i), code.address() + offsets.get(i)));
      }
      kernel = new MachineKernel(outline, entries);
      CLEANER.register(kernel, code::close);
    }
    return new Made(kernel, outline.parts().stream().map(Fragment::function).toList());
  }

  private static Entry entry(Fragment fragment, long address) {
    return new Entry(
        MemorySegment.ofAddress(address), fragment.scratchBytes(), fragment.failures());
  }
}
