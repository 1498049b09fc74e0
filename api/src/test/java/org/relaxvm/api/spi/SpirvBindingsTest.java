package org.relaxvm.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;

/** Bindings of parameters in SPIR-V (docs/spec/device-modules.md, section 5). */
class SpirvBindingsTest {
  private static KernelEntry entry(int buffers, int scalars, boolean uniform) {
    List<DType> parameters = new ArrayList<>(Collections.nCopies(buffers, KernelEntry.HANDLE));
    parameters.addAll(Collections.nCopies(scalars, DType.INT32));
    return new KernelEntry("k", parameters, List.of(), Set.of(), uniform);
  }

  @Test
  void scalarsTakeEightBytesEach() {
    SpirvBindings none = SpirvBindings.of(entry(2, 0, false));
    assertThat(none).isEqualTo(new SpirvBindings(2, 0, false));
    assertThat(none.pushConstantBytes()).isZero();
    assertThat(SpirvBindings.of(entry(1, 1, false)).pushConstantBytes()).isEqualTo(8);
    SpirvBindings most = SpirvBindings.of(entry(3, 16, false));
    assertThat(most.pushConstantBytes()).isEqualTo(128);
    assertThat(most.scalarOffset(15)).isEqualTo(120);
  }

  @Test
  void theFlagDecidesAndNotTheNumber() {
    SpirvBindings many = SpirvBindings.of(entry(3, 17, true));
    assertThat(many.pushConstantBytes()).isZero();
    assertThat(many.scalarBytes()).isEqualTo(136);
    assertThat(many.uniformBinding()).isEqualTo(3);
    assertThat(SpirvBindings.of(entry(0, 1, true)).pushConstantBytes()).isZero();
    assertThat(SpirvBindings.of(entry(0, 17, false)).pushConstantBytes()).isEqualTo(136);
  }

  @Test
  void handlesComeFirst() {
    KernelEntry mixed = new KernelEntry("k", List.of(DType.INT32, KernelEntry.HANDLE), List.of());
    assertThatThrownBy(() -> SpirvBindings.of(mixed))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "parameter 1 of SPIR-V kernel k is a handle after a scalar\n"
                + "  expected: handles first, then scalars");
  }
}
