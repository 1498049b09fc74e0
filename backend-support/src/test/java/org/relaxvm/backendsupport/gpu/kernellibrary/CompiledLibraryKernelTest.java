package org.relaxvm.backendsupport.gpu.kernellibrary;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuProgram;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;

/** What a device says of a kernel that it cannot run. */
class CompiledLibraryKernelTest {
  private final Device device = new ReferenceDevice(new DeviceId("reference", 0));

  /** A driver that is never asked to build anything. */
  private final class NoPrograms implements GpuDriver {
    @Override
    public Device device() {
      return device;
    }

    @Override
    public GpuLimits limits() {
      return new GpuLimits(64, 0, 1, 16, 1);
    }

    @Override
    public Dialect dialect(boolean wide) {
      throw new AssertionError("nothing is printed");
    }

    @Override
    public GpuProgram build(String name, String source) {
      throw new AssertionError("nothing is built");
    }
  }

  @Test
  void aFunctionOfTheHostSaysWhereItCanBeCalled() {
    PrimFunc kernel =
        TirText.parse(
                """
                @T.prim_func(private=True)
                def report(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
                    T.call_packed("print_it", 4)
                    for i in range(4):
                        B[i] = A[i]
                """,
                "report.tir")
            .getFirst();
    assertThatThrownBy(() -> CompiledLibraryKernel.load(new NoPrograms(), kernel, List.of(), false))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the kernel report calls the function print_it, which runs on the host and not on a"
                + " device; call it on the CPU");
  }
}
