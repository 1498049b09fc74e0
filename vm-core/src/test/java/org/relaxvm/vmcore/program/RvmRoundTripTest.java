package org.relaxvm.vmcore.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.golden.Goldens;

class RvmRoundTripTest {
  @TempDir Path folder;

  @Test
  void packageHoldsTheWholeProgram() {
    Program program = Samples.program();
    Path file = folder.resolve("sample.rvm");
    RvmWriter.write(program, file);
    Program loaded = Program.load(file);
    assertThat(ExecutableWriter.write(loaded.executable()))
        .isEqualTo(ExecutableWriter.write(program.executable()));
    assertThat(loaded.metadata()).isEqualTo(program.metadata());
    assertThat(loaded.source()).isEqualTo(file.toAbsolutePath().toString());
    assertThat(loaded.requiredFunctions()).containsExactly("f", "host.log");
    assertThat(loaded.modules()).hasSize(1);
    KernelModule kernels = loaded.modules().getFirst();
    assertThat(kernels.device()).isEqualTo("opencl");
    assertThat(kernels.image().format()).isEqualTo("opencl-c");
    assertThat(kernels.image().symbols()).containsExactly("f");
    assertThat(new String(kernels.image().bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8))
        .isEqualTo("kernel void f() {}");
  }

  @Test
  void kernelsOfOtherCompilersKeepTheirEntries() throws IOException {
    Program program = Samples.foreignKernels();
    Path file = folder.resolve("foreign.rvm");
    RvmWriter.write(program, file);
    Program loaded = Program.load(file);
    KernelModule before = program.modules().getFirst();
    KernelModule after = loaded.modules().getFirst();
    assertThat(after.device()).isEqualTo("cuda");
    assertThat(after.image().entries()).isEqualTo(before.image().entries()).hasSize(2);
    assertThat(after.image().symbols()).isEqualTo(before.image().symbols());
    Path second = folder.resolve("second.rvm");
    RvmWriter.write(loaded, second);
    assertThat(second).hasSameBinaryContentAs(file);
  }

  @Test
  void kernelsWithoutEntriesLookAsBefore() throws IOException {
    Path file = folder.resolve("sample.rvm");
    RvmWriter.write(Samples.program(), file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      String manifest =
          new String(zip.getInputStream(zip.getEntry("manifest.json")).readAllBytes(), UTF_8);
      assertThat(manifest).contains("\"symbols\" : [ \"f\" ]").doesNotContain("launches");
    }
    assertThat(Program.load(file).modules().getFirst().image().entries()).isEmpty();
  }

  @Test
  void largeConstantsAreMappedReadOnlyAndAligned() {
    Path file = folder.resolve("sample.rvm");
    RvmWriter.write(Samples.program(), file);
    Tensor weights = (Tensor) Program.load(file).executable().constants().getFirst();
    assertThat(weights.segment().isMapped()).isTrue();
    assertThat(weights.segment().isReadOnly()).isTrue();
    assertThat(weights.segment().address() % 64).isZero();
    assertThat(RvmReader.open(file).entrySizes())
        .containsEntry("constants/0", 4096L)
        .doesNotContainKey("constants/1");
  }

  @Test
  void contentIsReadableByOrdinaryZipTools() throws IOException {
    Path file = folder.resolve("sample.rvm");
    RvmWriter.write(Samples.program(), file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      List<String> names = zip.stream().map(entry -> entry.getName()).toList();
      assertThat(names)
          .containsExactly(
              "manifest.json", "metadata.json", "program.bin", "kernels/0", "constants/0");
      byte[] kernel = zip.getInputStream(zip.getEntry("kernels/0")).readAllBytes();
      assertThat(new String(kernel, UTF_8)).isEqualTo("kernel void f() {}");
    }
  }

  @Test
  void equalProgramsGiveEqualFiles() throws IOException {
    Path first = folder.resolve("first.rvm");
    Path second = folder.resolve("second.rvm");
    RvmWriter.write(Samples.program(), first);
    RvmWriter.write(Program.load(first), second);
    assertThat(second).hasSameBinaryContentAs(first);
  }

  @Test
  void writingReplacesAFileWithoutDisturbingItsReaders() throws IOException {
    Path file = folder.resolve("sample.rvm");
    RvmWriter.write(Samples.program(), file);
    Program old = Program.load(file);
    RvmWriter.write(Program.of(Samples.executable()), file);
    Tensor weights = (Tensor) old.executable().constants().getFirst();
    assertThat(weights.toFloatArray()[1023]).isEqualTo(411.5f);
    assertThat(Program.load(file).metadata()).isEqualTo(ProgramMetadata.EMPTY);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyGoldenComesBack(@TempDir Path temporary) {
    return Goldens.forEach(
        golden -> {
          Path file = temporary.resolve(golden.name() + ".rvm");
          RvmWriter.write(Program.of(golden.executable()), file);
          RvmReader.open(file).verifyAll();
          assertThat(ExecutableWriter.write(Program.load(file).executable()))
              .isEqualTo(golden.bytes());
        });
  }
}
