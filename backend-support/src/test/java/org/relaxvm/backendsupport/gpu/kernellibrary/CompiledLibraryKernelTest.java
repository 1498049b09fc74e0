package org.relaxvm.backendsupport.gpu.kernellibrary;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;

/** What a device says of a kernel that it cannot run. */
class CompiledLibraryKernelTest {
  private final Device device = new ReferenceDevice(new DeviceId("reference", 0));

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
    NoPrograms driver = new NoPrograms(device);
    assertThatThrownBy(
            () ->
                CompiledLibraryKernel.function(
                    driver, CompiledLibraryKernel.loaded(driver, kernel), kernel.name()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the kernel report calls the function print_it, which runs on the host and not on a"
                + " device; call it on the CPU");
  }
}
