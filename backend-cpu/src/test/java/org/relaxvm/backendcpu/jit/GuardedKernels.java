package org.relaxvm.backendcpu.jit;

import java.util.function.Supplier;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.backendcpu.jit.run.CodeWriter;
import org.relaxvm.backendcpu.jit.run.MachineKernels;

/**
 * A compiler whose faults are reasons why a kernel is no machine code, so that the other kernels of
 * a corpus run. A corpus asserts at its end that all kernels are machine code.
 */
public final class GuardedKernels {
  private GuardedKernels() {}

  /** The same compiler, guarded. */
  public static MachineKernels of(MachineKernels kernels) {
    return new MachineKernels(
        (name, body, loop, layout, program) ->
            guarded(() -> kernels.fragments().compile(name, body, loop, layout, program)),
        new Guarded(kernels.writer()),
        kernels.memory());
  }

  private record Guarded(CodeWriter writer) implements CodeWriter {
    @Override
    public byte[] write(LirFunction function) {
      return guarded(() -> writer.write(function));
    }

    @Override
    public String list(LirFunction function) {
      return writer.list(function);
    }
  }

  private static <T> T guarded(Supplier<T> task) {
    try {
      return task.get();
    } catch (UnsupportedCodeException e) {
      throw e;
    } catch (RuntimeException e) {
      StackTraceElement at = e.getStackTrace()[0];
      for (StackTraceElement element : e.getStackTrace()) {
        if (element.getClassName().contains("relaxvm.backendcpu")) {
          at = element;
          break;
        }
      }
      throw new UnsupportedCodeException(
          "fault: " + String.valueOf(e).replaceAll("[0-9]+", "#") + " at " + at);
    }
  }
}
