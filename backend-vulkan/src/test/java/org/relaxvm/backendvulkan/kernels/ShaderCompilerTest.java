package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.BackendException;

/** What the compiler gives, and how it refuses. */
class ShaderCompilerTest {
  private static final String SETTING = "relaxvm.vulkan.failedSources";
  private static final String WRONG = "#version 460\nvoid main() { float x = nothing; }\n";

  @TempDir Path folder;

  @AfterEach
  void forget() {
    System.clearProperty(SETTING);
  }

  @Test
  void aRefusedShaderIsKeptAndTheLogIsShown() throws IOException {
    System.setProperty(SETTING, folder.toString());
    assertThatThrownBy(() -> ShaderCompiler.compile("softmax_0", WRONG, Targets.PLAIN))
        .isInstanceOf(BackendException.class)
        .message()
        .matches(
            "shaderc cannot compile the shader of softmax_0"
                + "\\n  compiler: softmax_0:2: error: 'nothing' : undeclared identifier(\\n    .+)*"
                + "\\n  source: "
                + Pattern.quote(folder + File.separator)
                + "relaxvm-\\d+\\.comp");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).singleElement().satisfies(file -> assertThat(file).hasContent(WRONG));
    }
  }

  @Test
  void theVersionIsThatOfTheDevice() {
    String shader = "#version 460\nlayout(local_size_x_id = 0) in;\nvoid main() {}\n";
    assertThat(SpirvModule.of(ShaderCompiler.compile("v", shader, Targets.PLAIN)).header()[1])
        .isEqualTo(0x10500);
    assertThat(SpirvModule.of(ShaderCompiler.compile("v", shader, Targets.EXACT)).header()[1])
        .isEqualTo(0x10600);
  }

  @Test
  void severalThreadsCompileAtOnce() {
    byte[] alone = compileTerm(3);
    assertThat(IntStream.range(0, 64).parallel().mapToObj(i -> compileTerm(i % 4)).toList())
        .allSatisfy(code -> assertThat(code).isNotEmpty())
        .element(3)
        .isEqualTo(alone);
  }

  private static byte[] compileTerm(int number) {
    String shader =
        """
        #version 460
        layout(local_size_x_id = 0) in;
        layout(set = 0, binding = 0, std430) buffer rv_buffer0 { float A[]; };
        void main() { A[gl_LocalInvocationID.x] *= %d.0f; }
        """
            .formatted(number);
    return ShaderCompiler.compile("term" + number, shader, Targets.PLAIN);
  }
}
