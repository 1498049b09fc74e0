package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.backendcpu.jit.run.CodeWriter;
import org.relaxvm.backendcpu.jit.run.MachineKernels;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.verify.Verified;

/** A kernel for which there is no machine code. */
class CodeReportTest {
  private static final PrimFunc KERNEL =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def fill(C: T.Buffer((n,), "float32")):
              n = T.int64()
              for i in range(n):
                  C[i] = T.float32(7)
          """);

  private static final class NoWriter implements CodeWriter {
    @Override
    public byte[] write(LirFunction function) {
      throw new AssertionError("there is no function");
    }

    @Override
    public String list(LirFunction function) {
      throw new AssertionError("there is no function");
    }
  }

  private static KernelCompiler compiler(boolean isStrict) {
    MachineKernels none =
        new MachineKernels(
            (name, body, loop, layout, program) -> {
              throw new UnsupportedCodeException("loops in this test");
            },
            new NoWriter(),
            MachineCode.memory());
    return new KernelCompiler(
        Optional.empty(), Verified::of, Optional.of(none), isStrict, BackendOptions.none());
  }

  @Test
  void becomesAClassUnlessMachineCodeIsAskedFor() {
    KernelCompiler compiler = compiler(false);
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(20));
    GeneratedKernels.call(compiler.compile(KERNEL, name -> Optional.empty()), null, List.of(out));
    assertThat(out.toFloatArray()).containsOnly(7);
    assertThat(compiler.report())
        .hasToString(
            "machine code: 0 of 1 kernels\n"
                + "  1: machine code of this processor has no loops in this test (fill)");
  }

  @Test
  void isAnErrorWhereMachineCodeIsAskedFor() {
    assertThatThrownBy(() -> compiler(true).compile(KERNEL, name -> Optional.empty()))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "the kernel fill cannot become machine code: machine code of this processor has no"
                + " loops in this test\n"
                + "  what to do: set the option cpu.code to auto");
  }
}
