package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExecutableRoundTripTest {
  private static List<Path> goldenExecutables() {
    return GoldenFiles.executables();
  }

  @Test
  void workedExampleIsWrittenBackByteForByte() {
    Executable executable = ExecutableReader.read(WorkedExample.bytes());
    assertThat(ExecutableWriter.write(executable)).isEqualTo(WorkedExample.bytes());
    assertThat(ExecutableWriter.byteSize(executable)).isEqualTo(350);
  }

  @Test
  void workedExampleListsAsTheFormatSays() {
    assertThat(InstructionText.listing(ExecutableReader.read(WorkedExample.bytes())))
        .isEqualTo(
            """
            @main:
              call  f                in: %0, i-1, c[0] dst: %1
              ret   %1

            @f packed_func;

            """);
  }

  @ParameterizedTest
  @MethodSource("goldenExecutables")
  void goldenExecutableIsWrittenBackByteForByte(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ReadResult fromArray = ExecutableReader.readResult(file, ReadOptions.DEFAULT.withStrict(true));
    assertThat(fromArray.era()).isEqualTo(Era.D);
    assertThat(fromArray.warnings()).isEmpty();
    assertThat(ExecutableWriter.write(ExecutableReader.read(bytes))).isEqualTo(bytes);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    ExecutableWriter.write(fromArray.executable(), stream);
    assertThat(stream.toByteArray()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @MethodSource("goldenExecutables")
  void goldenExecutableListsAsTvmDoes(Path file) throws IOException {
    Path expected = file.resolveSibling("as_text.txt");
    if (Files.exists(expected)) {
      assertThat(InstructionText.listing(ExecutableReader.read(file)))
          .isEqualTo(Files.readString(expected));
    }
  }
}
