package org.relaxvm.api.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.fakes.FakeDevice;

class NpyTest {
  @TempDir Path folder;

  private Tensor read(String descr, boolean columnMajor, String shape, byte... elements) {
    byte[] bytes = NpyFile.of(NpyFile.header(descr, columnMajor, shape), elements);
    return Npy.read(NpyFile.write(folder, bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "|b1, bool, 01, 1",
    "|i1, int8, FE, -2",
    "|u1, uint8, FE, 254",
    "<i2, int16, FEFF, -2",
    ">i2, int16, FFFE, -2",
    "<u2, uint16, FEFF, 65534",
    ">u2, uint16, 0102, 258",
    "<i4, int32, 04030201, 16909060",
    ">i4, int32, 01020304, 16909060",
    "=i4, int32, 04030201, 16909060",
    "<u4, uint32, FFFFFFFF, 4294967295",
    "<i8, int64, 0807060504030201, 72623859790382856",
    ">i8, int64, 0102030405060708, 72623859790382856",
    "<u8, uint64, 0100000000000000, 1",
    "<f2, float16, 003E, 1.5",
    ">f2, float16, 3E00, 1.5",
    "<f4, float32, 0000C03F, 1.5",
    ">f4, float32, 3FC00000, 1.5",
    "<f8, float64, 000000000000F83F, 1.5",
    ">f8, float64, 3FF8000000000000, 1.5",
  })
  void readsEveryElementTypeInEitherByteOrder(
      String descr, String dtype, String hex, double value) {
    byte[] element = HexFormat.of().parseHex(hex);
    Tensor tensor = read(descr, false, "()", element);
    assertThat(tensor.dtype()).isEqualTo(DType.parse(dtype));
    assertThat(tensor.shape()).isEqualTo(Shape.scalar());
    assertThat(tensor.toDoubleArray()).containsExactly(value);
  }

  @Test
  void readsComplexNumbersOfEitherByteOrder() {
    byte[] big = {0x3F, (byte) 0x80, 0, 0, 0x40, 0, 0, 0};
    MemorySegment memory = read(">c8", false, "(1,)", big).segment();
    assertThat(memory.getAtIndex(ValueLayout.JAVA_FLOAT, 0)).isEqualTo(1f);
    assertThat(memory.getAtIndex(ValueLayout.JAVA_FLOAT, 1)).isEqualTo(2f);
  }

  @Test
  void readsColumnMajorArraysIntoRowMajorTensors() {
    Tensor tensor = read("|i1", true, "(2, 3)", new byte[] {1, 4, 2, 5, 3, 6});
    assertThat(tensor.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(tensor.isContiguous()).isTrue();
    assertThat(tensor.segment().toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"(0,)", "(3, 0, 2)", "(0L, 5L)"})
  void readsEmptyArrays(String shape) {
    assertThat(read("<f4", true, shape).elementCount()).isZero();
  }

  @Test
  void readsAllVersions() {
    String header = NpyFile.header("|u1", false, "(2,)");
    for (int version = 1; version <= 3; version++) {
      byte[] bytes = NpyFile.of(version, header, (byte) 7, (byte) 8);
      assertThat(Npy.read(MemorySegment.ofArray(bytes), "memory").toLongArray())
          .containsExactly(7, 8);
    }
  }

  @Test
  void readsHeadersWithOtherOrderQuotesAndBlanks() {
    byte[] bytes =
        NpyFile.of(
            "{ \"shape\":(2 , 1),\t'fortran_order':False,'descr':\"|u1\"}", (byte) 7, (byte) 8);
    assertThat(Npy.read(MemorySegment.ofArray(bytes), "memory").shape()).isEqualTo(Shape.of(2, 1));
  }

  @Test
  void aReadTensorCanBeWrittenAndIsIndependentOfTheFile() throws IOException {
    Path file = NpyFile.write(folder, NpyFile.of(NpyFile.header("|u1", false, "(1,)"), (byte) 7));
    Tensor tensor = Npy.read(file);
    Files.delete(file);
    tensor.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 9);
    assertThat(tensor.toLongArray()).containsExactly(9);
  }

  @Test
  void bareBytesAreReadAsTheDtypeThatIsAskedFor() {
    Path file =
        NpyFile.write(
            folder, NpyFile.of(NpyFile.header("<V2", false, "(1,)"), (byte) 0xC0, (byte) 0x3F));
    Tensor tensor = Npy.read(file, DType.BFLOAT16);
    assertThat(tensor.toFloatArray()).containsExactly(1.5f);
    assertThatThrownBy(() -> Npy.read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot read .npy file "
                + file
                + ": its elements are bare bytes ('<V2'), as NumPy writes bfloat16 and float8; say"
                + " which dtype they are when reading it");
    assertThatThrownBy(() -> Npy.read(file, DType.FLOAT32))
        .hasMessage(
            "cannot read .npy file "
                + file
                + ": its elements have 2 bytes each, which is not the size of float32");
  }

  @Test
  void anotherDtypeThanTheFilesIsRefused() {
    Path file = NpyFile.write(folder, NpyFile.of(NpyFile.header("|i1", false, "(1,)"), (byte) 1));
    assertThat(Npy.read(file, DType.INT8).toLongArray()).containsExactly(1);
    assertThatThrownBy(() -> Npy.read(file, DType.UINT8))
        .hasMessage(
            "cannot read .npy file " + file + ": its elements are int8, but uint8 was asked for");
  }

  @Test
  void mapsAFileWithoutACopyAndReadOnly() {
    Path file = folder.resolve("m.npy");
    Npy.write(file, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)));
    Tensor mapped = Npy.map(file);
    assertThat(mapped.toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(mapped.segment().isReadOnly()).isTrue();
    assertThat(mapped.segment().address() % 64).isZero();
  }

  @Test
  void mapsColumnMajorFilesAsStridedTensors() {
    byte[] bytes = NpyFile.of(NpyFile.header("|i1", true, "(2, 3)"), new byte[] {1, 4, 2, 5, 3, 6});
    Tensor mapped = Npy.map(NpyFile.write(folder, bytes));
    assertThat(mapped.strides()).containsExactly(1, 2);
    assertThat(mapped.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void filesThatCannotBeMappedSaySo() {
    Path big = NpyFile.write(folder, NpyFile.of(NpyFile.header(">i2", false, "(1,)"), new byte[2]));
    assertThatThrownBy(() -> Npy.map(big))
        .hasMessage(
            "cannot read .npy file "
                + big
                + ": its elements are big endian and cannot be mapped; read the file");
    Path odd =
        NpyFile.write(folder, NpyFile.of(NpyFile.header("<i4", false, "(1,)") + " ", new byte[4]));
    assertThatThrownBy(() -> Npy.map(odd))
        .hasMessage(
            "cannot read .npy file "
                + odd
                + ": its elements start at byte 69 and cannot be mapped as int32; read the file");
  }

  @Test
  void writesWhatNumPyWrites() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Npy.write(out, Tensor.of(new short[] {1, 2}, Shape.of(2, 1)));
    String header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }";
    byte[] bytes = out.toByteArray();
    assertThat(new String(bytes, 10, 118, StandardCharsets.US_ASCII))
        .isEqualTo(header + " ".repeat(117 - header.length()) + "\n");
    assertThat(bytes).hasSize(128 + 4).startsWith(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0);
    assertThat(bytes).endsWith(1, 0, 2, 0);
  }

  @Test
  void goldenFilesAreReadAndWrittenWithTheSameBytes() throws IOException {
    Path golden = Path.of("../../shared/golden");
    if (!Files.isDirectory(golden)) {
      System.out.println("skipped: no golden files at " + golden.toAbsolutePath().normalize());
    }
    assumeTrue(Files.isDirectory(golden), "no golden files");
    try (Stream<Path> walk = Files.walk(golden)) {
      List<Path> files = walk.filter(path -> path.toString().endsWith(".npy")).toList();
      assertThat(files).isNotEmpty();
      for (Path file : files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(out, Npy.read(file));
        assertThat(out.toByteArray()).as("%s", file).isEqualTo(Files.readAllBytes(file));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"bfloat16, <V2", "float8_e4m3fn, <V1", "float8_e5m2, <V1", "complex64, <c8"})
  void otherTypesAreWrittenAndReadBack(String name, String descr) throws IOException {
    DType dtype = DType.parse(name);
    Tensor tensor = Tensor.zeros(dtype, Shape.of(3));
    tensor.segment().fill((byte) 0x11);
    Path file = folder.resolve("t.npy");
    Npy.write(file, tensor);
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .contains("{'descr': '" + descr + "'");
    Tensor back = Npy.read(file, dtype);
    assertThat(back.dtype()).isEqualTo(dtype);
    assertThat(back.segment().mismatch(tensor.segment())).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"int4", "float4_e2m1fn", "float32x4", "handle"})
  void dtypesWithoutAFormAreRefused(String name) {
    Tensor tensor = Tensor.zeros(DType.parse(name), Shape.of(2));
    Path file = folder.resolve("t.npy");
    assertThatThrownBy(() -> Npy.write(file, tensor))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "dtype " + name + " has no form in a .npy file; cast the tensor before writing it");
    assertThat(file).doesNotExist();
  }

  @Test
  void writesStridedTensorsInRowMajorOrder() {
    Path file = folder.resolve("t.npy");
    Npy.write(file, Tensor.of(new int[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)).permute(1, 0));
    Tensor back = Npy.read(file);
    assertThat(back.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(back.toLongArray()).containsExactly(1, 4, 2, 5, 3, 6);
  }

  @Test
  void writesTensorsOfOtherDevices() {
    FakeDevice device = new FakeDevice(DeviceId.parse("fake:0"));
    byte[] elements =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(5).putInt(6).array();
    Storage storage = new Storage(device, new FakeDevice.Block(elements), 8, "", null, null);
    Path file = folder.resolve("t.npy");
    Npy.write(file, Tensor.view(storage, 0, DType.INT32, Shape.of(2)));
    assertThat(Npy.read(file).toLongArray()).containsExactly(5, 6);
  }

  @Test
  void writingReplacesAFileAndLeavesNoOtherFile() throws IOException {
    Path file = folder.resolve("t.npy");
    Files.writeString(file, "old");
    Npy.write(file, Tensor.scalar(3L));
    assertThat(Npy.read(file).toLongArray()).containsExactly(3);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aFailedWriteLeavesTheOldFileAndNothingElse() throws IOException {
    Path file = folder.resolve("t.npy");
    Files.writeString(file, "old");
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    channel -> {
                      channel.write(ByteBuffer.allocate(10));
                      throw new IOException("disk full");
                    }))
        .hasMessage("cannot write " + file + ": disk full");
    assertThat(file).hasContent("old");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void writingIntoAMissingFolderIsRefused() {
    Path file = folder.resolve("none/t.npy");
    assertThatThrownBy(() -> Npy.write(file, Tensor.scalar(3L)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("cannot write " + file + ": no such file or folder");
  }
}
