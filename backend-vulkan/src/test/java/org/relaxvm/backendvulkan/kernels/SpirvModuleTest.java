package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;

/** What is no SPIR-V is refused with what is wrong with it. */
class SpirvModuleTest {
  private static byte[] shader() {
    return ShaderCompiler.compile(
        "empty", "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n", Targets.PLAIN);
  }

  @Test
  void aFileThatIsCutOffIsRefused() {
    byte[] whole = shader();
    assertThatThrownBy(() -> SpirvModule.of(Arrays.copyOf(whole, whole.length - 3)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("got: " + (whole.length - 3) + " bytes")
        .hasMessageContaining("what to do:");
    // The last instructions but OpFunctionEnd are OpLabel, of two words, and OpReturn.
    assertThatThrownBy(() -> SpirvModule.of(Arrays.copyOf(whole, whole.length - 12)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("got: one of 2");
  }

  @Test
  void otherFilesAreRefused() {
    byte[] bytes = shader();
    bytes[0] = 0;
    assertThatThrownBy(() -> SpirvModule.of(bytes))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("expected: the first word 0x07230203")
        .hasMessageContaining("got: the first word 0x07230200");
    assertThatThrownBy(() -> SpirvModule.of(new byte[0]))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("got: 0 bytes");
  }
}
