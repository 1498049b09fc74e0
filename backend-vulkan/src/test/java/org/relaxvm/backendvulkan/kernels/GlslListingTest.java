package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendtestkit.corpus.ListedKernel;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The GLSL that kernels become for work-groups of up to 64 work-items is what was approved, on
 * every machine, and the compiler takes it. {@code -Drelaxvm.updateDocuments=true} writes it anew.
 */
class GlslListingTest {
  private static final Path APPROVED = Path.of("src/test/resources/kernels");
  private static final GpuLimits LIMITS = new GpuLimits(64, 32 << 10, 1, 16, 2);

  static Stream<ListedKernel> kernels() {
    return ListedKernel.all();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void isWhatWasApproved(ListedKernel listed) throws IOException {
    String text = text(listed);
    Path file = APPROVED.resolve(listed + ".comp");
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      Files.createDirectories(APPROVED);
      Files.writeString(file, text);
    }
    assertThat(file).as("-Drelaxvm.updateDocuments=true writes it anew").hasContent(text);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void compiles(ListedKernel listed) {
    assertThat(GlslKernel.of(text(listed)))
        .isNotEmpty()
        .allSatisfy(
            kernel ->
                assertThat(
                        SpirvModule.of(
                                ShaderCompiler.compile(
                                    kernel.name(), kernel.shader(), Targets.PLAIN))
                            .instructions())
                    .isNotEmpty());
  }

  private static String text(ListedKernel listed) {
    ScheduledKernel scheduled = GpuSchedule.of(listed.kernel(), LIMITS);
    GlslTarget target = new GlslTarget(listed.hasFloat64(), 128, listed.wide());
    ProgramSource program = new ProgramSource(new GlslDialect(target));
    for (Stmt launch : scheduled.launches()) {
      program.add(listed.kernel().name(), KernelSource.of(launch), listed.wide());
    }
    return program.text();
  }
}
