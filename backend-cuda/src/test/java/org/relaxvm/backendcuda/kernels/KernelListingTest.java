package org.relaxvm.backendcuda.kernels;

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
import org.relaxvm.backendsupport.gpu.codegen.LaunchSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendtestkit.corpus.ListedKernel;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The CUDA C that kernels become for work-groups of up to 64 work-items is what was approved, on
 * every machine. {@code -Drelaxvm.updateDocuments=true} writes it anew.
 */
class KernelListingTest {
  private static final Path APPROVED = Path.of("src/test/resources/kernels");
  private static final GpuLimits LIMITS = new GpuLimits(64, 48 << 10, 32, 16, 2);

  static Stream<ListedKernel> kernels() {
    return ListedKernel.all();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void isWhatWasApproved(ListedKernel listed) throws IOException {
    String text = text(listed);
    Path file = APPROVED.resolve(listed + ".cu");
    if (Boolean.getBoolean("relaxvm.updateDocuments")) {
      Files.createDirectories(APPROVED);
      Files.writeString(file, text);
    }
    assertThat(file).as("-Drelaxvm.updateDocuments=true writes it anew").hasContent(text);
  }

  private static String text(ListedKernel listed) {
    ScheduledKernel scheduled = GpuSchedule.of(listed.kernel(), LIMITS);
    ProgramSource program = new ProgramSource(new CudaDialect());
    StringBuilder launches = new StringBuilder();
    for (Stmt launch : scheduled.launches()) {
      LaunchSource source =
          program.add(listed.kernel().name(), KernelSource.of(launch), listed.wide());
      launches.append(
          "// %s: groups of %d, %d bytes shared\n"
              .formatted(source.name(), source.workGroupSize(), source.sharedBytes()));
    }
    return launches + program.text();
  }
}
