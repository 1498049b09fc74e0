package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.verify.Verifier;

class EraTest {
  private static final ReadOptions VERIFIED = ReadOptions.DEFAULT.withAcceptance(Verifier::verify);

  static Stream<Arguments> eras() {
    return Stream.of(
        arguments(Era.A, EraFiles.Tags.A),
        arguments(Era.B, EraFiles.Tags.B),
        arguments(Era.C, EraFiles.Tags.C));
  }

  @ParameterizedTest
  @MethodSource("eras")
  void eraIsFoundOutFromTheTags(Era era, EraFiles.Tags tags) {
    byte[] file = EraFiles.oneConstantOfEachKind(tags);
    ReadResult result = ExecutableReader.readResult(MemorySegment.ofArray(file), VERIFIED);
    assertThat(result.era()).isEqualTo(era);
    assertConstants(result.executable());
    assertConstants(ExecutableReader.read(file, ReadOptions.DEFAULT.withEra(era)));
  }

  @ParameterizedTest
  @MethodSource("eras")
  void oldFileIsWrittenBackInTheNewestEra(Era era, EraFiles.Tags tags) {
    byte[] file = EraFiles.oneConstantOfEachKind(tags);
    Executable old = ExecutableReader.read(file, ReadOptions.DEFAULT.withEra(era));
    ReadResult again =
        ExecutableReader.readResult(
            MemorySegment.ofArray(ExecutableWriter.write(old)), ReadOptions.DEFAULT);
    assertThat(again.era()).isEqualTo(Era.D);
    assertConstants(again.executable());
  }

  private static void assertConstants(Executable executable) {
    List<Object> constants = executable.constants();
    assertThat(constants.subList(1, 6))
        .isEqualTo(List.of(DType.INT64, Shape.of(3, -1), "größe", 1L << 60, 0.25));
    assertThat(constants.getFirst())
        .isInstanceOfSatisfying(
            Tensor.class,
            tensor -> {
              assertThat(tensor.dtype()).isEqualTo(DType.FLOAT32);
              assertThat(tensor.shape()).isEqualTo(Shape.of(2));
              assertThat(tensor.toFloatArray()).containsExactly(1, 2);
              assertThat(tensor.segment().isReadOnly()).isTrue();
              assertThat(tensor.segment().address() % 64).isZero();
            });
  }

  @Test
  void workedExampleWithTheOldMagicIsTheSameProgram() {
    byte[] old = WorkedExample.oldMagicBytes();
    assertThat(old).hasSize(342);
    ReadResult result = ExecutableReader.readResult(MemorySegment.ofArray(old), VERIFIED);
    assertThat(result.era()).isEqualTo(Era.C);
    assertThat(ExecutableWriter.write(result.executable())).isEqualTo(WorkedExample.bytes());
  }

  @Test
  void fileWithoutConstantsCountsAsTheNewestEraOfItsMagic() {
    MemorySegment file = MemorySegment.ofArray(EraFiles.withoutConstants());
    assertThat(ExecutableReader.readResult(file, VERIFIED).era()).isEqualTo(Era.C);
  }

  @Test
  void fileThatFitsNoEraTellsWhatWasTried() {
    byte[] cut = Arrays.copyOf(WorkedExample.oldMagicBytes(), 341);
    assertThatThrownBy(() -> ExecutableReader.read(cut, VERIFIED))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "malformed executable (section: instructions)\n"
                + "  at byte 262 (0x106), number of instruction words\n"
                + "  expected: at most 8, for 71 bytes are left and each takes 8 or "
                + "more\n"
                + "  got: 9\n"
                + "  eras tried, for the file does not say which it is:\n"
                + "    C (0.22): malformed executable (section: instructions)\n"
                + "    B (0.21): a constant of the executable cannot be of type type "
                + "index 69\n"
                + "    A (up to 0.20): a constant of the executable cannot be of type "
                + "type index 69\n"
                + "  what to do: give the era of the release that wrote it in the read "
                + "options");
  }

  @Test
  void readingThatTheVerifierRefusesIsNotTaken() {
    byte[] file = EraFiles.withoutConstants();
    file[file.length - 8] = 9;
    assertThat(ExecutableReader.read(file)).isNotNull();
    assertThatThrownBy(() -> ExecutableReader.read(file, VERIFIED))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith(
            "the result: expected a register below %1 or %void, but got %9\n"
                + "  at function main, pc 0: ret %9\n"
                + "  rule: register\n"
                + "  eras tried, for the file does not say which it is:\n");
  }

  @Test
  void askedEraMustFitTheMagic() {
    assertThatThrownBy(
            () -> ExecutableReader.read(WorkedExample.bytes(), ReadOptions.DEFAULT.withEra(Era.B)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "malformed executable (section: header)\n"
                + "  at byte 0 (0x0), magic\n"
                + "  expected: 0xD225DE2F4214151D of era B\n"
                + "  got: 0xD225DE2F4214151E\n"
                + "  what to do: leave out the era that was asked for, so that it is "
                + "found out");
  }
}
