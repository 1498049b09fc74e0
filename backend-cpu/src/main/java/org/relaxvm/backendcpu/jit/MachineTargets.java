package org.relaxvm.backendcpu.jit;

import org.relaxvm.backendcpu.jit.build.FragmentWriter;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.backendcpu.jit.run.CodeWriter;
import org.relaxvm.backendcpu.jit.run.MachineKernels;
import org.relaxvm.backendcpu.jit.x64.CallingConvention;
import org.relaxvm.backendcpu.jit.x64.X64Code;
import org.relaxvm.backendcpu.jit.x64.X64Emitter;
import org.relaxvm.backendcpu.jit.x64.X64Target;

/** Makes machine code for the processor of this machine. */
public final class MachineTargets {
  /**
   * Native code may use the pages that the JVM keeps free below each Java frame (80 KiB); an
   * overflow beyond these would end the process.
   */
  private static final int MOST_FRAME_BYTES = 32 << 10;

  private MachineTargets() {}

  /** What compiles kernels to machine code that this process can run. */
  public static MachineKernels kernels(MachineCode machine) {
    X64Target target = X64Target.of(machine.features());
    return new MachineKernels(
        FragmentWriter.of(target), new X64Writer(target), MachineCode.memory());
  }

  private record X64Writer(X64Target target) implements CodeWriter {
    @Override
    public byte[] write(LirFunction function) {
      X64Code code = X64Emitter.emit(function, target, CallingConvention.current(), false);
      if (code.frameBytes() > MOST_FRAME_BYTES) {
        throw new UnsupportedCodeException("stack frame of " + code.frameBytes() + " bytes");
      }
      return code.bytes();
    }

    @Override
    public String list(LirFunction function) {
      return X64Emitter.emit(function, target, CallingConvention.current(), true).listing();
    }
  }
}
