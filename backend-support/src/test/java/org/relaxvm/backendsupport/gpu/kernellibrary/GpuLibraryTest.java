package org.relaxvm.backendsupport.gpu.kernellibrary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

class GpuLibraryTest {
  private final GpuLibrary library =
      GpuLibrary.of(new NoPrograms(new ReferenceDevice(new DeviceId("reference", 0))));

  @Test
  void gpusHaveEveryFunctionOfTheKernelLibrary() {
    List<String> standard =
        KernelLibrary.standard().signatures().stream().map(KernelSignature::name).toList();
    assertThat(library.functionNames()).containsExactlyInAnyOrderElementsOf(standard);
    assertThat(library.find("relaxvm.unknown")).isEmpty();
    assertThat(library.origin()).isEqualTo("kernel library of reference:0");
  }

  @Test
  void argumentsAreCheckedBeforeAnythingIsBuilt() {
    PackedFunc relu = library.find("relaxvm.relu").orElseThrow();
    assertThatThrownBy(() -> relu.invoke(1, 2))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("relaxvm.relu");
  }
}
