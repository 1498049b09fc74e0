package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

class ExecutableReaderTest {
  private static byte[] patched(int at, int... values) {
    byte[] bytes = WorkedExample.bytes();
    for (int i = 0; i < values.length; i++) {
      bytes[at + i] = (byte) values[i];
    }
    return bytes;
  }

  private static void assertRefused(byte[] bytes, String message) {
    assertThatThrownBy(() -> ExecutableReader.read(bytes))
        .isInstanceOfSatisfying(
            MalformedFileException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
        .hasMessage(message);
  }

  private static String wrongMagic(String got, String remedy) {
    return "malformed executable (section: header)\n  at byte 0 (0x0), magic\n"
        + "  expected: 0xD225DE2F4214151D or 0xD225DE2F4214151E\n  got: "
        + got
        + "\n  what to do: "
        + remedy;
  }

  @Test
  void otherFilesAreNamed() {
    assertRefused(
        new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0},
        wrongMagic(
            "0x10102464C457F; the file is an ELF library",
            "if Apache TVM exported it, load it with the relaxvm-interop-tvm jar on the class"
                + " path"));
    assertRefused(
        new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0},
        wrongMagic(
            "0x4034B50; the file is a zip archive",
            "if it is a .rvm package, load it with Program.load or relaxvm run"));
    assertRefused(
        "@main:\n".getBytes(StandardCharsets.UTF_8),
        wrongMagic(
            "7 bytes; the file is a text file",
            "if it is a program in text form, assemble it with Assembler.parse"));
    assertRefused(
        new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9},
        wrongMagic(
            "0x807060504030201; the file is of an unknown format",
            "check that the file is the one you meant and is complete"));
  }

  @Test
  void executableOfTheRelayVmIsNamed() {
    byte[] bytes = Arrays.copyOf(EraFiles.withoutConstants(), 40);
    bytes[8] = 6;
    bytes[20] = '.';
    bytes[21] = '0';
    assertRefused(
        bytes,
        """
        malformed executable (section: version)
          at byte 8 (0x8), version
          expected: "0.14"
          got: "0.14.0"; the file is an executable of the Relay VM
          what to do: load it with Program.load and the relaxvm-interop-relay jar on the class path\
        """);
  }

  @Test
  void booleansOfOldReleasesAreReadAsBooleans() {
    byte[] bytes = patched(0xDE, 1, 1, 1, 0, 4);
    assertThat(ExecutableReader.read(bytes).constants().get(1))
        .isInstanceOfSatisfying(
            Tensor.class, tensor -> assertThat(tensor.dtype()).isEqualTo(DType.BOOL));
  }

  @Test
  void emptyFileIsRefused() {
    assertRefused(
        new byte[0],
        "malformed executable (section: header)\n"
            + "  at byte 0 (0x0), magic\n"
            + "  expected: 8 bytes\n"
            + "  got: an empty file\n"
            + "  what to do: write or download the file again");
  }

  @Test
  void unknownVersionIsNamed() {
    assertRefused(
        patched(0x13, '5'),
        "malformed executable (section: version)\n"
            + "  at byte 8 (0x8), version\n"
            + "  expected: \"0.14\"\n"
            + "  got: \"0.15\"\n"
            + "  what to do: the file follows another version of the format: compile "
            + "the program with a release that writes version 0.14");
  }

  @Test
  void hugeCountIsRefusedBeforeAnythingIsAllocated() {
    assertRefused(
        patched(0x14, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF),
        "malformed executable (section: function table)\n"
            + "  at byte 20 (0x14), number of functions\n"
            + "  expected: at most 6, for 322 bytes are left and each takes 52 or "
            + "more\n"
            + "  got: 18446744073709551615\n"
            + "  what to do: the file is cut short: copy, download or build it again");
  }

  @Test
  void unknownFunctionKindIsRefused() {
    assertRefused(
        patched(0x5D, 3),
        "malformed executable (section: function table)\n"
            + "  at byte 93 (0x5d), function 1 of 2, kind\n"
            + "  expected: 0 (packed), 1 (VM) or 2 (compiled)\n"
            + "  got: 3\n"
            + "  what to do: the file is damaged: copy, download or build it again");
  }

  @Test
  void nameThatIsNotUtf8IsRefused() {
    assertRefused(
        patched(0x69, 0xFF),
        "malformed executable (section: function table)\n"
            + "  at byte 105 (0x69), function 1 of 2, name\n"
            + "  expected: UTF-8\n"
            + "  got: bytes that are not UTF-8\n"
            + "  what to do: the file is damaged: copy, download or build it again");
  }

  @Test
  void unknownConstantTagIsRefused() {
    assertRefused(
        patched(0xA2, 71),
        "a constant of the executable cannot be of type ffi.Array\n"
            + "  at byte 162 (0xa2), constant 0 of 2, type index\n"
            + "  expected: in era D 1 (int), 3 (float), 5 (dtype), 65 (string), 69 "
            + "(shape), 70 (tensor)\n"
            + "  got: 71\n"
            + "  what to do: the file is damaged: copy, download or build it again");
  }

  @Test
  void tensorOfAnotherDeviceIsRefused() {
    assertRefused(
        patched(0xD2, 2),
        "a stored tensor must be one of the CPU\n"
            + "  at byte 210 (0xd2), constant 1 of 2, tensor device type\n"
            + "  expected: 1 (cpu)\n"
            + "  got: 2\n"
            + "  what to do: copy the tensor to the CPU before saving");
  }

  @Test
  void tensorWithAnotherByteSizeIsRefused() {
    assertRefused(
        patched(0xEA, 3),
        "malformed tensor\n"
            + "  at byte 234 (0xea), constant 1 of 2, tensor byte size\n"
            + "  expected: 4 for float32[1]\n"
            + "  got: 3\n"
            + "  what to do: the file is damaged: copy, download or build it again");
  }

  @ParameterizedTest
  @CsvSource({
    "0xC2, 0, tensor magic",
    "0xDA, 65, tensor rank",
    "0xDE, 18, data type code",
    "0xE0, 2, tensor data type",
    "0xE9, 255, 'tensor shape, axis 0'",
    "0xE9, 127, tensor byte size",
  })
  void damagedTensorHeaderNamesItsField(String at, int value, String field) {
    assertThatThrownBy(() -> ExecutableReader.read(patched(Integer.decode(at), value)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("malformed tensor\n  at byte ")
        .hasMessageContaining(", constant 1 of 2, " + field + "\n  expected: ");
  }

  @Test
  void packedSubByteTensorIsRefused() {
    byte[] bytes = patched(0xDE, 0, 4, 1, 0, 4);
    assertRefused(
        bytes,
        "malformed tensor\n"
            + "  at byte 234 (0xea), constant 1 of 2, tensor byte size\n"
            + "  expected: 2 bytes in memory for int4[4]\n"
            + "  got: 4 bytes in the file\n"
            + "  what to do: data types below one byte cannot be packed in this "
            + "format: save the tensor as int8");
  }

  @Test
  void bytesAfterTheEndAreAWarningOrAnErrorWhenStrict() {
    byte[] longer = Arrays.copyOf(WorkedExample.bytes(), 353);
    ReadResult result =
        ExecutableReader.readResult(MemorySegment.ofArray(longer), ReadOptions.DEFAULT);
    assertThat(result.warnings())
        .isEqualTo(
            List.of("the executable ends at byte 350, but 3 more bytes follow: they are ignored"));
    assertThatThrownBy(() -> ExecutableReader.read(longer, ReadOptions.DEFAULT.withStrict(true)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            """
            the executable ends at byte 350, but 3 more bytes follow
              at byte 350 (0x15e), end of the file
              expected: no more bytes
              got: 3 bytes
              what to do: cut the file there, or read it without the strict option\
            """);
  }

  @Test
  void missingFileIsNamed(@TempDir Path folder) {
    Path file = folder.resolve("no.bin");
    assertThatThrownBy(() -> ExecutableReader.read(file))
        .isInstanceOfSatisfying(
            MalformedFileException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.IO))
        .hasMessage("Cannot open " + file + "\n  reason: there is no such file");
  }

  @Test
  void alignedNativeConstantIsUsedInPlaceAndReadOnly() {
    try (Arena arena = Arena.ofConfined()) {
      byte[] bytes = WorkedExample.bytes();
      // The tensor's data is at 0xF2; shift the file so that it falls on a boundary of 64 bytes.
      int shift = 64 - 0xF2 % 64;
      MemorySegment memory = arena.allocate(bytes.length + shift, 64);
      MemorySegment file = memory.asSlice(shift);
      file.copyFrom(MemorySegment.ofArray(bytes));
      Tensor tensor = (Tensor) ExecutableReader.read(file, ReadOptions.DEFAULT).constants().get(1);
      assertThat(tensor.segment().address()).isEqualTo(file.address() + 0xF2);
      assertThat(tensor.segment().isReadOnly()).isTrue();
      MemorySegment elsewhere = arena.allocate(bytes.length + 1, 64).asSlice(1);
      elsewhere.copyFrom(MemorySegment.ofArray(bytes));
      Tensor copy =
          (Tensor) ExecutableReader.read(elsewhere, ReadOptions.DEFAULT).constants().get(1);
      assertThat(copy.segment().address() % 64).isZero();
      assertThat(copy.segment().isReadOnly()).isTrue();
      assertThat(copy.toFloatArray()).containsExactly(1);
    }
  }
}
