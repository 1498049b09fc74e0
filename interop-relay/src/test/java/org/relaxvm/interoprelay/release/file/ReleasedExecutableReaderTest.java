package org.relaxvm.interoprelay.release.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedExecutable;

/** Files of all eras, well-formed and not. */
class ReleasedExecutableReaderTest {
  private static final String DAMAGED =
      "\n  what to do: the file is damaged: copy, download or build it again";

  static Stream<String> versions() {
    return EraFiles.VERSIONS.stream();
  }

  private static ReleasedExecutable read(byte[] bytes) {
    return ReleasedExecutableReader.read(bytes, "test");
  }

  /** A file of era R2 whose only function has these instructions. */
  private static RawFile file(int instructions) {
    return RawFile.ofVersion("0.7.0")
        .strings("main")
        .u64(0)
        .longs()
        .strings()
        .u64(1)
        .strings("main", "3", Integer.toString(instructions))
        .strings()
        .longs();
  }

  private static void assertRefused(byte[] bytes, String problem) {
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOfSatisfying(
            MalformedFileException.class,
            e -> {
              assertThat(e.summary()).isEqualTo(problem);
              assertThat(e.kind()).isEqualTo(ErrorKind.VALUE);
              assertThat(e.locations()).containsExactly("executable of the Relay VM from test");
            });
  }

  private static String inMain(String details) {
    return "malformed executable of the Relay VM: function 'main'" + details + DAMAGED;
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyInstructionOfAnEraIsRead(String version) {
    ReleasedExecutable read = read(EraFiles.bytes(version));
    ReleasedExecutable expected = EraFiles.executable(version);
    assertThat(read.version()).isEqualTo(version);
    assertThat(read.era()).isEqualTo(expected.era());
    assertThat(read.functions()).isEqualTo(expected.functions());
    assertThat(read.devices()).isEqualTo(expected.devices());
    assertThat(read.hostDevice()).isEqualTo(expected.hostDevice());
    assertThat(read.constantDevices()).isEqualTo(expected.constantDevices());
    assertThat(read.packed()).isEqualTo(expected.packed());
    assertThat(read.packedAttributes()).isEqualTo(expected.packedAttributes());
    assertThat(read.constants()).hasSameSizeAs(expected.constants());
    for (int i = 0; i < read.constants().size(); i++) {
      assertThat(describe(read.constants().get(i)))
          .isEqualTo(describe(expected.constants().get(i)));
    }
  }

  private static String describe(ReleasedConstant constant) {
    return switch (constant) {
      case ReleasedConstant.Stored(Tensor tensor) ->
          tensor.dtype() + " " + tensor.toDisplayString(10);
      case ReleasedConstant.LateBound(String name) -> name;
    };
  }

  @ParameterizedTest
  @MethodSource("versions")
  void writerMakesTheBytesOfTheSpecification(String version) {
    ReleasedExecutable executable = EraFiles.executable(version);
    byte[] written = ReleasedExecutableWriter.toBytes(executable);
    assertThat(read(written).functions()).isEqualTo(executable.functions());
    assertThat(written).hasSameSizeAs(EraFiles.bytes(version));
    assertThat(ReleasedExecutableWriter.toBytes(read(written))).isEqualTo(written);
  }

  @Test
  void wrongHashIsRefused() {
    RawFile file = file(1);
    int at = file.size() + 8;
    long right = RawFile.hash(1, 2);
    assertRefused(
        file.hashed(right + 1, 1, 2).toBytes(),
        inMain(
            "\n  at byte %d (0x%x), instruction 0 of 1, hash\n  expected: 0x%x, computed from the words\n  got: 0x%x"
                .formatted(at, at, right, right + 1)));
  }

  @Test
  void shortInstructionIsRefused() {
    RawFile file = file(2).code(12, 1);
    int at = file.size() + 8 + 8 * 3;
    assertRefused(
        file.code(0, 1).toBytes(),
        inMain(
            "\n  at byte %d (0x%x), instruction 1 of 2, destination\n  expected: a word more\n  got: an instruction of 3 words"
                .formatted(at, at)));
  }

  @Test
  void longInstructionIsRefused() {
    RawFile file = file(1);
    int at = file.size() + 8 + 8 * 3;
    assertRefused(
        file.code(1, 0, 7).toBytes(),
        inMain(
            "\n  at byte %d (0x%x), instruction 0 of 1, end of the instruction\n  expected: 3 words\n  got: 4"
                .formatted(at, at)));
  }

  @Test
  void unknownOpcodeIsRefusedByEra() {
    RawFile file = file(1);
    int at = file.size() + 8 + 8;
    assertRefused(
        file.code(20, 0).toBytes(),
        inMain(
            "\n  at byte %d (0x%x), instruction 0 of 1, opcode\n  expected: 0 to 19 in era R2\n  got: 20"
                .formatted(at, at)));
  }

  @Test
  void negativeRegisterIsRefused() {
    RawFile file = file(1);
    int at = file.size() + 8 + 16;
    assertRefused(
        file.code(1, -1).toBytes(),
        inMain(
            "\n  at byte %d (0x%x), instruction 0 of 1, register\n  expected: 0 to 2147483647\n  got: -1"
                .formatted(at, at)));
  }

  @Test
  void moreOutputsThanArgumentsAreRefused() {
    RawFile file = file(1);
    int at = file.size() + 8 + 32;
    assertRefused(
        file.code(4, 0, 1, 2, 0).toBytes(),
        inMain(
            "\n  at byte %d (0x%x), instruction 0 of 1, number of outputs\n  expected: at most 1\n  got: 2"
                .formatted(at, at)));
  }

  @Test
  void unknownConstantTagIsRefused() {
    RawFile file = RawFile.ofVersion("0.9.0").u64(1).i32(1).i32(0).i32(0).strings("main").u64(1);
    int at = file.size();
    assertRefused(
        file.i32(2).u64(0).u64(0).toBytes(),
        "malformed executable of the Relay VM\n  at byte %d (0x%x), constant 0 of 1, tag\n  expected: 0 (tensor) or 1 (name of a tensor that is given later)\n  got: 2"
                .formatted(at, at)
            + DAMAGED);
  }

  @Test
  void bytesAfterTheEndAreRefused() {
    byte[] bytes = file(1).code(1, 0).toBytes();
    int at = bytes.length;
    assertRefused(
        Arrays.copyOf(bytes, at + 3),
        "malformed executable of the Relay VM\n  at byte %d (0x%x), end of the file\n  expected: no more bytes\n  got: 3 bytes\n  what to do: cut the file there if it was padded; otherwise copy, download or build it again"
            .formatted(at, at));
  }

  @Test
  void functionWithoutAGlobalNameIsRefused() {
    RawFile file = RawFile.ofVersion("0.6.0").strings("main").u64(0).strings().u64(1);
    int at = file.size();
    assertRefused(
        file.strings("other", "1", "1").strings().code(1, 0).toBytes(),
        "malformed executable of the Relay VM: function 'other'".replace(": function 'other'", "")
            + "\n  at byte %d (0x%x), instruction 0 of 1, name\n  expected: a function name of the file that has no code yet\n  got: 'other'"
                .formatted(at, at)
            + DAMAGED);
  }

  @Test
  void registerCountMustBeADecimalNumber() {
    RawFile file = RawFile.ofVersion("0.6.0").strings("main").u64(0).strings().u64(1);
    int at = file.size() + 8 + 12;
    assertRefused(
        file.strings("main", "1e3", "1").strings().code(1, 0).toBytes(),
        "malformed executable of the Relay VM\n  at byte %d (0x%x), function 0 of 1, size of the register file\n  expected: a decimal number from 0 to 16777216\n  got: \"1e3\""
                .formatted(at, at)
            + DAMAGED);
  }

  @Test
  void executableOfTheRelaxVmIsNamed() {
    assertRefused(
        RawFile.ofVersion("0.14").u64(0).toBytes(),
        """
        malformed executable of the Relay VM
          at byte 8 (0x8), version
          expected: a version of Apache TVM from 0.6 to 0.19, such as 0.8.0
          got: "0.14", which executables of the Relax VM have
          what to do: read it with ExecutableReader\
        """);
  }

  @Test
  void versionOfAnotherTimeIsRefused() {
    assertRefused(
        RawFile.ofVersion("0.5.0").u64(0).toBytes(),
        """
        malformed executable of the Relay VM
          at byte 8 (0x8), version
          expected: a version of Apache TVM from 0.6 to 0.19, such as 0.8.0
          got: "0.5.0"
          what to do: no other version of Apache TVM wrote programs of the Relay VM: check the file\
        """);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void everyPrefixIsRefused(String version) {
    byte[] bytes = EraFiles.bytes(version);
    for (int length = 0; length < bytes.length; length++) {
      byte[] prefix = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(prefix))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("at byte ");
    }
  }
}
