package org.relaxvm.interoponnx.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.host.DeferredMemory;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.proto.TensorProto;

/** Elements of tensors: raw, in typed fields, in other files. */
class TensorDataTest {
  @TempDir Path folder;

  private static OnnxMessages.Builder proto(ElementType type, long... dims) {
    OnnxMessages.Builder builder =
        OnnxMessages.builder("TensorProto").set("data_type", type.number());
    for (long dim : dims) {
      builder.add("dims", dim);
    }
    return builder;
  }

  private Tensor read(Message message) {
    return new TensorData(new ExternalData(folder))
        .tensor(TensorProto.read(MemorySegment.ofArray(message.toByteArray())), "the tensor 't'");
  }

  private static ByteString bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return ByteString.copyFrom(bytes);
  }

  // ---------------------------------------------------------------- typed fields

  @Test
  void typedFieldsOfEachWidth() {
    assertThat(
            read(proto(ElementType.FLOAT, 2).add("float_data", 1.5f, -2f).build()).toFloatArray())
        .containsExactly(1.5f, -2f);
    assertThat(read(proto(ElementType.DOUBLE, 1).add("double_data", 0.1).build()).toDoubleArray())
        .containsExactly(0.1);
    assertThat(read(proto(ElementType.INT8, 2).add("int32_data", -1, 5).build()).toLongArray())
        .containsExactly(-1, 5);
    assertThat(read(proto(ElementType.UINT16, 1).add("int32_data", 65535).build()).toLongArray())
        .containsExactly(65535);
    assertThat(read(proto(ElementType.BOOL, 2).add("int32_data", 1, 0).build()).toLongArray())
        .containsExactly(1, 0);
    assertThat(read(proto(ElementType.INT64, 1).add("int64_data", -3L).build()).toLongArray())
        .containsExactly(-3);
    assertThat(
            read(proto(ElementType.UINT32, 1).add("uint64_data", 4294967295L).build())
                .toLongArray())
        .containsExactly(4294967295L);
    assertThat(read(proto(ElementType.UINT64, 1).add("uint64_data", 7L).build()).toLongArray())
        .containsExactly(7);
  }

  @Test
  void halvesAreBitPatterns() {
    assertThat(read(proto(ElementType.FLOAT16, 1).add("int32_data", 0x3C00).build()).toFloatArray())
        .containsExactly(1);
    assertThat(
            read(proto(ElementType.BFLOAT16, 1).add("int32_data", 0x3F80).build()).toFloatArray())
        .containsExactly(1);
  }

  @Test
  void elementsOfFourBitsSharePackedBytes() {
    Tensor raw = read(proto(ElementType.UINT4, 3).set("raw_data", bytes(0x21, 0x03)).build());
    Tensor typed = read(proto(ElementType.UINT4, 3).add("int32_data", 0x21, 0x03).build());
    assertThat(raw.dtype().bits()).isEqualTo(4);
    assertThat(raw.segment().toArray(ValueLayout.JAVA_BYTE)).startsWith(0x21, 0x03);
    assertThat(typed.segment().toArray(ValueLayout.JAVA_BYTE)).startsWith(0x21, 0x03);
  }

  @Test
  void manyNumbersInOnePieceAndInSeveral() {
    OnnxMessages.Builder proto = proto(ElementType.INT32, 1000);
    for (int i = 0; i < 1000; i++) {
      proto.add("int32_data", i * 7 - 300);
    }
    long[] values = read(proto.build()).toLongArray();
    assertThat(values).hasSize(1000).startsWith(-300, -293).endsWith(6693);
  }

  @Test
  void noDimsAreAScalarAndAnExtentOfZeroIsEmpty() {
    assertThat(read(proto(ElementType.FLOAT).add("float_data", 3f).build()).shape())
        .isEqualTo(Shape.of());
    assertThat(read(proto(ElementType.FLOAT, 0, 3).build()).elementCount()).isZero();
  }

  // ---------------------------------------------------------------- refusals

  private void assertRefused(Message message, String problem) {
    assertThatThrownBy(() -> read(message))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("the tensor 't' " + problem);
  }

  @Test
  void lengthsThatDoNotFitAreRefused() {
    assertRefused(
        proto(ElementType.FLOAT, 2).set("raw_data", bytes(0, 0, 0, 0)).build(),
        "has 4 bytes of raw data; expected 8");
    assertRefused(
        proto(ElementType.INT64, 2).add("int64_data", 1L).build(), "has 1 numbers; expected 2");
    assertRefused(proto(ElementType.FLOAT, -1).build(), "has the extent -1");
    assertRefused(
        proto(ElementType.FLOAT, 1L << 40, 1L << 40).build(), "has more elements than 2^63");
    assertRefused(
        proto(ElementType.FLOAT, 0, 1L << 40, 1L << 40).build(), "has more elements than 2^63");
    assertRefused(
        proto(ElementType.STRING, 1).build(), "has elements of type string; expected numbers");
  }

  @Test
  void aHugeExtentAllocatesNothing() {
    assertRefused(
        proto(ElementType.INT64, 1L << 50).add("int64_data", 1L).build(),
        "has 1 numbers; expected 1125899906842624");
  }

  // ---------------------------------------------------------------- alignment

  @Test
  void alignedElementsAreUsedWhereTheyAre() {
    try (Arena arena = Arena.ofShared()) {
      byte[] header = proto(ElementType.FLOAT, 512).build().toByteArray();
      // The tag of raw_data and its length, 2 bytes, end at a multiple of 64.
      int begin = 128;
      MemorySegment file = arena.allocate(begin + 2048, 64);
      int start = begin - 3 - header.length;
      MemorySegment.copy(header, 0, file, ValueLayout.JAVA_BYTE, start, header.length);
      MemorySegment.copy(
          new byte[] {9 << 3 | 2, (byte) 0x80, 0x10}, 0, file, ValueLayout.JAVA_BYTE, begin - 3, 3);
      Tensor tensor =
          new TensorData(new ExternalData(folder))
              .tensor(TensorProto.read(file.asSlice(start)), "the tensor 't'");
      assertThat(tensor.segment().address()).isEqualTo(file.address() + begin);
    }
  }

  @Test
  void elementsThatAreNotAlignedAreCopiedAtTheirFirstUse() throws IOException {
    float[] values = new float[1000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 0.5f;
    }
    Message message =
        proto(ElementType.FLOAT, values.length)
            .set("raw_data", ByteString.copyFrom(bytes(values)))
            .build();
    // The head of the tensor takes less than 64 bytes.
    Path path = Files.write(folder.resolve("t.pb"), message.toByteArray());
    MappedFile file = MappedFile.open(path);
    Tensor tensor =
        new TensorData(Optional.of(file), new ExternalData(folder))
            .tensor(TensorProto.read(file.bytes()), "the tensor 't'");
    assertThat(tensor.storage().memory())
        .isInstanceOfSatisfying(
            DeferredMemory.class, memory -> assertThat(memory.isFilled()).isFalse());
    assertThat(tensor.toFloatArray()).isEqualTo(values);
    assertThat(tensor.segment().address() % 64).isZero();
  }

  @Test
  void anInterruptedThreadReadsTheMapping() throws IOException {
    write("t.bin", 1, 2, 3, 4);
    MappedFile file = MappedFile.open(folder.resolve("t.bin"));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(8);
      Thread.currentThread().interrupt();
      file.copy(file.bytes().asSlice(4, 8), target);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(target.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(2, 3);
    }
  }

  @Test
  void aFileThatHasBecomeShorterIsAnErrorOfReading() throws IOException {
    write("t.bin", 1, 2, 3, 4);
    Path path = folder.resolve("t.bin");
    MappedFile file = MappedFile.open(path);
    MemorySegment part = file.bytes().asSlice(4, 8);
    try (RandomAccessFile shorter = new RandomAccessFile(path.toFile(), "rw");
        Arena arena = Arena.ofConfined()) {
      shorter.setLength(8);
      MemorySegment target = arena.allocate(8);
      assertThatThrownBy(() -> file.copy(part, target))
          .isInstanceOf(MalformedFileException.class)
          .hasMessage(
              """
              cannot read the elements of a tensor from %s: the file has become shorter
                what to do: leave the file as it is while the model is in use\
              """,
              path);
    }
  }

  // ---------------------------------------------------------------- other files

  private static Message external(String location, String... more) {
    OnnxMessages.Builder proto = proto(ElementType.FLOAT, 2).set("data_location", 1);
    entry(proto, "location", location);
    for (int i = 0; i < more.length; i += 2) {
      entry(proto, more[i], more[i + 1]);
    }
    return proto.build();
  }

  private static void entry(OnnxMessages.Builder proto, String key, String value) {
    proto.add(
        "external_data",
        OnnxMessages.builder("StringStringEntryProto").set("key", key).set("value", value).build());
  }

  private static byte[] bytes(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  private void write(String name, float... values) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes(values));
  }

  @Test
  void elementsAreFoundInOtherFiles() throws IOException {
    write("weights.bin", 1, 2, 3, 4);
    write("deeper/more.bin", 5, 6);
    assertThat(read(external("weights.bin", "offset", "8", "length", "8")).toFloatArray())
        .containsExactly(3, 4);
    assertThat(read(external("deeper/more.bin")).toFloatArray()).containsExactly(5, 6);
  }

  @Test
  void offsetsHaveMoreThan32Bits() throws IOException {
    long offset = (5L << 30) + 64;
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve("big.bin").toFile(), "rw")) {
      file.setLength(offset + 8);
      file.seek(offset);
      file.write(new byte[] {0, 0, (byte) 0x80, 0x3F, 0, 0, 0, 0x40});
    }
    assertThat(read(external("big.bin", "offset", Long.toString(offset))).toFloatArray())
        .containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../w.bin",
        "a/../../w.bin",
        "/etc/passwd",
        "C:\\w.bin",
        "C:/w.bin",
        "a\\b",
        "",
        "a\0b",
        "*/_ORT_MEM_ADDR_/*"
      })
  void locationsElsewhereAreRefused(String location) {
    assertRefused(external(location), "is in the file '" + location + "'; expected a path below");
  }

  @Test
  void aLinkThatLeadsElsewhereIsRefused(@TempDir Path other) throws IOException {
    Files.write(other.resolve("w.bin"), new byte[8]);
    Files.createSymbolicLink(folder.resolve("link.bin"), other.resolve("w.bin"));
    assertRefused(external("link.bin"), "is in the file 'link.bin'; expected a path below");
  }

  @Test
  void aFolderThatLeadsElsewhereIsRefused(@TempDir Path other) throws IOException {
    Files.write(other.resolve("w.bin"), new byte[8]);
    Files.createSymbolicLink(folder.resolve("folder"), other);
    assertRefused(external("folder/w.bin"), "is in the file 'folder/w.bin'; expected a path below");
  }

  @Test
  void aLinkInsideTheFolderIsFollowed() throws IOException {
    write("weights.bin", 1, 2);
    Files.createSymbolicLink(folder.resolve("link.bin"), Path.of("weights.bin"));
    assertThat(read(external("link.bin")).toFloatArray()).containsExactly(1, 2);
  }

  @Test
  void anAbsolutePathIsRefusedEvenInTheFolder() throws IOException {
    write("weights.bin", 1, 2);
    String location = folder.resolve("weights.bin").toString();
    assertRefused(external(location), "is in the file '" + location + "'; expected a path below");
  }

  /** A file whose elements are not aligned is copied: tensors of the same bytes share the copy. */
  @Test
  void tensorsOfTheSameBytesShareThem() throws IOException {
    write("weights.bin", 1, 2, 3, 4);
    TensorData data = new TensorData(new ExternalData(folder));
    Tensor first = data.tensor(tensor(external("weights.bin", "offset", "4")), "a");
    Tensor second = data.tensor(tensor(external("./weights.bin", "offset", "4")), "b");
    assertThat(second.toFloatArray()).containsExactly(2, 3);
    assertThat(second.segment().heapBase()).isEqualTo(first.segment().heapBase());
  }

  @Test
  void tensorsThatOverlapTakeNoMoreMemoryThanTheirFile() throws IOException {
    write("weights.bin", 1, 2, 3, 4, 5);
    TensorData data = new TensorData(new ExternalData(folder));
    for (int offset : new int[] {4, 8}) {
      String text = Integer.toString(offset);
      data.tensor(tensor(external("weights.bin", "offset", text)), "a");
    }
    assertThatThrownBy(
            () -> data.tensor(tensor(external("weights.bin", "offset", "12")), "the tensor 't'"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            """
            malformed ONNX model: the tensor 't' overlaps with other tensors in the same file, so \
            that copies of them take more than its 20 bytes
              what to do: let each tensor have its own bytes, or the same as another one\
            """);
  }

  private static TensorProto tensor(Message message) {
    return TensorProto.read(MemorySegment.ofArray(message.toByteArray()));
  }

  @Test
  void filesThatAreCutOffMissingOrFoldersAreRefused() throws IOException {
    write("short.bin", 1);
    Files.createDirectory(folder.resolve("folder"));
    assertRefused(external("short.bin"), "takes 8 bytes from byte 0 of 'short.bin', which has 4");
    assertRefused(external("none.bin"), "is in the file " + folder.resolve("none.bin"));
    assertRefused(external("folder"), "is in " + folder.resolve("folder"));
    assertRefused(
        external("short.bin", "offset", "-4"), "has the offset '-4'; expected a number, 0 or more");
    assertRefused(external("short.bin", "length", "4"), "has 4 bytes in 'short.bin'; expected 8");
    assertRefused(
        external("short.bin", "offset", "9223372036854775807"),
        "takes 8 bytes from byte 9223372036854775807 of 'short.bin', which has 4");
    assertRefused(
        external("short.bin", "length", "9223372036854775807"),
        "has 9223372036854775807 bytes in 'short.bin'; expected 8");
    assertRefused(
        external("short.bin", "offset", "9223372036854775808"),
        "has the offset '9223372036854775808'; expected a number, 0 or more");
  }

  @Test
  void stringsAreCounted() {
    Message message =
        proto(ElementType.STRING, 2).add("string_data", ByteString.copyFromUtf8("a")).build();
    TensorProto proto = TensorProto.read(MemorySegment.ofArray(message.toByteArray()));
    TensorData data = new TensorData(new ExternalData(folder));
    assertThatThrownBy(() -> data.strings(proto, "the tensor 't'"))
        .hasMessageContaining("has 1 strings; expected 2");
  }
}
