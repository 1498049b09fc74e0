package org.relaxvm.interoprelay.release.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedExecutable;

/** The version decides the format. */
class FileFormatTest {
  @ParameterizedTest
  @CsvSource({
    "0.6.0, TVM_0_6",
    "0.6.1, TVM_0_6",
    "0.7.0, TVM_0_7",
    "0.8.0, TVM_0_8",
    "0.9.0, TVM_0_9",
    "0.13.0, TVM_0_9",
    "0.14.0, TVM_0_14",
    "0.19.0, TVM_0_14",
    "0.6.dev, TVM_0_6",
    "0.7.dev0, TVM_0_7 TVM_0_6",
    "0.8.dev1402+g1a2b3c, TVM_0_8 TVM_0_7",
    "0.9.dev0, TVM_0_9 TVM_0_8",
    "0.10.dev0, TVM_0_9",
    "0.14.dev0, TVM_0_14 TVM_0_9",
    "0.8.0.rc0, TVM_0_8 TVM_0_7",
    "0.20.dev0, TVM_0_14",
    "0.20.0, ''",
    "0.5.0, ''",
    "0.14, ''",
    "1.0.0, ''",
    "0.99999.0, ''",
    "0.x.0, ''",
  })
  void versionDecidesTheFormat(String version, String formats) {
    assertThat(
            FileFormat.candidates(version).stream()
                .map(Enum::name)
                .collect(Collectors.joining(" ")))
        .isEqualTo(formats);
  }

  /** A file without functions that has the attributes of packed functions, or not. */
  private static byte[] bare(String version, boolean attributes) {
    RawFile file = RawFile.ofVersion(version).strings().u64(0).longs().strings("f");
    if (attributes) {
      file.u64(1).u64(0).u64(0);
    }
    return file.u64(0).toBytes();
  }

  @Test
  void filesOf07And08DifferInAttributes() {
    assertThat(ReleasedExecutableReader.read(bare("0.7.0", false), "t").packedAttributes())
        .isEmpty();
    assertThat(ReleasedExecutableReader.read(bare("0.8.0", true), "t").packedAttributes())
        .containsOnlyKeys(0);
    assertThatThrownBy(() -> ReleasedExecutableReader.read(bare("0.7.0", true), "t"))
        .isInstanceOf(MalformedFileException.class);
    assertThatThrownBy(() -> ReleasedExecutableReader.read(bare("0.8.0", false), "t"))
        .isInstanceOf(MalformedFileException.class);
  }

  @Test
  void developmentVersionsHaveTheFormatThatUsesAllBytes() {
    assertThat(ReleasedExecutableReader.read(bare("0.8.dev0", false), "t").packedAttributes())
        .isEmpty();
    assertThat(ReleasedExecutableReader.read(bare("0.8.dev0", true), "t").packedAttributes())
        .containsOnlyKeys(0);
  }

  @ParameterizedTest
  @CsvSource({
    "0.6.1, 0.7.dev5, R1",
    "0.7.0, 0.7.dev5, R2",
    "0.8.0, 0.9.dev5, R2",
    "0.9.0, 0.9.dev5, R3",
    "0.13.0, 0.14.dev5, R3",
    "0.14.0, 0.14.dev5, R4",
  })
  void developmentVersionsHaveTheFormatOfANeighbor(String format, String version, Era era) {
    byte[] release = EraFiles.bytes(format);
    byte[] old = RawFile.ofVersion(format).toBytes();
    byte[] head = RawFile.ofVersion(version).toBytes();
    byte[] bytes = Arrays.copyOf(head, head.length + release.length - old.length);
    System.arraycopy(release, old.length, bytes, head.length, release.length - old.length);
    ReleasedExecutable read = ReleasedExecutableReader.read(bytes, "t");
    assertThat(read.era()).isEqualTo(era);
    assertThat(read.version()).isEqualTo(version);
    assertThat(read.functions()).isEqualTo(EraFiles.executable(format).functions());
    assertThat(
            ReleasedExecutableReader.read(ReleasedExecutableWriter.toBytes(read), "t").functions())
        .isEqualTo(read.functions());
  }

  @Test
  void developmentVersionThatFitsNoFormatTellsTheTrials() {
    byte[] bytes = Arrays.copyOf(bare("0.8.dev0", false), 100);
    assertThatThrownBy(() -> ReleasedExecutableReader.read(bytes, "t"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(
            """
            malformed executable of the Relay VM
              at byte 81 (0x51), end of the file
              expected: no more bytes
              got: 19 bytes
              formats tried, for the development version 0.8.dev0 may have either:
                R2 (TVM 0.8): at byte 81 (0x51), end of the file
                R2 (TVM 0.7): at byte 73 (0x49), end of the file
              what to do: save the program again with a release of Apache TVM\
            """);
  }

  @Test
  void writerRefusesAVersionOfAnotherEra() {
    ReleasedExecutable r2 = EraFiles.executable("0.8.0");
    ReleasedExecutable wrong =
        new ReleasedExecutable(
            "0.9.0",
            r2.era(),
            r2.devices(),
            r2.hostDevice(),
            r2.functions(),
            r2.constants(),
            r2.constantDevices(),
            r2.packed(),
            r2.packedAttributes());
    assertThatThrownBy(() -> ReleasedExecutableWriter.toBytes(wrong))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            an executable of era R2 cannot be saved with version "0.9.0"
              expected: a version of Apache TVM from 0.6 to 0.19, such as 0.8.0, of the era
              what to do: give the executable such a version\
            """);
  }

  @Test
  void everyFormatIsOfAVersion() {
    assertThat(
            Stream.of("0.6.0", "0.7.0", "0.8.0", "0.9.0", "0.14.0")
                .flatMap(version -> FileFormat.candidates(version).stream())
                .toList())
        .isEqualTo(List.of(FileFormat.values()));
  }
}
