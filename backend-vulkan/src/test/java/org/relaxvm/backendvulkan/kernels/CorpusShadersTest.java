package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Kernels of the corpus compile in each form that a device may ask for. At quick effort a sample
 * does, which {@code -Drelaxvm.seed=} repeats.
 */
class CorpusShadersTest {
  private static final int SAMPLE = 100;
  private static final int VALIDATED = 40;

  private static List<KernelCase> sample = List.of();

  @BeforeAll
  static void choose() {
    sample = KernelCorpus.sample(CorpusShadersTest.class, SAMPLE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void compile(boolean wide) {
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    sample.parallelStream()
        .forEach(
            kernel -> {
              for (boolean hasFloat64 : new boolean[] {true, false}) {
                try {
                  for (GlslKernel shader : shaders(kernel, wide, hasFloat64)) {
                    compile(shader, hasFloat64, wrong);
                  }
                } catch (RelaxException e) {
                  wrong.add(kernel + ": " + e.getMessage());
                }
              }
            });
    assertThat(wrong).isEmpty();
  }

  private static void compile(
      GlslKernel shader, boolean hasFloat64, ConcurrentLinkedQueue<String> wrong) {
    byte[] code = ShaderCompiler.compile(shader.name(), shader.shader(), Targets.EXACT);
    if (!hasFloat64 && ShaderFeature.of(code).contains(ShaderFeature.FLOAT64)) {
      wrong.add(shader.name() + " needs doubles, which the device lacks");
    }
  }

  /** The validator of SPIR-V has nothing against a part of them. */
  @Test
  void areValid(@TempDir Path folder) throws IOException, InterruptedException {
    assumeThat(hasValidator()).as("spirv-val (Debian: spirv-tools) is not installed").isTrue();
    List<String> wrong = new ArrayList<>();
    for (KernelCase kernel : sample.subList(0, Math.min(sample.size(), VALIDATED))) {
      for (boolean wide : new boolean[] {false, true}) {
        for (GlslKernel shader : shaders(kernel, wide, true)) {
          Path file = folder.resolve(shader.name() + (wide ? ".wide" : "") + ".spv");
          Files.write(file, ShaderCompiler.compile(shader.name(), shader.shader(), Targets.EXACT));
          validate(file, wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void validate(Path file, List<String> wrong)
      throws IOException, InterruptedException {
    Process validator =
        new ProcessBuilder("spirv-val", "--target-env", "vulkan1.3", file.toString())
            .redirectErrorStream(true)
            .start();
    String log = new String(validator.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (validator.waitFor() != 0) {
      wrong.add(file.getFileName() + ": " + log);
    }
  }

  private static boolean hasValidator() {
    try {
      return new ProcessBuilder("spirv-val", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** With few push constants and work-groups of one size, or with many and another. */
  private static List<GlslKernel> shaders(KernelCase kernel, boolean wide, boolean hasFloat64) {
    boolean odd = kernel.name().hashCode() % 2 != 0;
    GpuLimits limits =
        odd ? new GpuLimits(256, 32 << 10, 32, 16, 8) : new GpuLimits(64, 32 << 10, 1, 16, 2);
    ProgramSource program =
        new ProgramSource(new GlslDialect(new GlslTarget(hasFloat64, odd ? 16 : 128, wide)));
    for (Stmt launch : GpuSchedule.of(kernel.function(), limits).launches()) {
      program.add(kernel.name(), KernelSource.of(launch), wide);
    }
    return GlslKernel.of(program.text());
  }
}
