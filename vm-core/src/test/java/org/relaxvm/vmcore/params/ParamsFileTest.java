package org.relaxvm.vmcore.params;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;

class ParamsFileTest {
  private static final long MAGIC = 0xF7E58D4F05049CB7L;

  @TempDir Path directory;

  @Test
  void aFileIsReadFieldByField() {
    ByteBuffer file = header(1, "bias", 1);
    file.putLong(0xDD5E40F096B4A13FL).putLong(0).putInt(1).putInt(0).putInt(1);
    file.put((byte) 2).put((byte) 32).putShort((short) 1).putLong(2).putLong(8);
    file.putFloat(1.5f).putFloat(-2);
    Map<String, Tensor> tensors = read(file);
    assertThat(tensors).containsOnlyKeys("bias");
    assertThat(tensors.get("bias")).hasToString("float32[2] on cpu:0");
    assertThat(tensors.get("bias"))
        .isNotNull()
        .satisfies(bias -> assertThat(bias.toFloatArray()).containsExactly(1.5f, -2));
  }

  @Test
  void whatIsWrittenIsReadInOrder() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("w", Tensor.of(new int[] {1, 2, 3, 4}, Shape.of(2, 2)).permute(1, 0));
    tensors.put("", Tensor.scalar(7L));
    tensors.put("ä", Tensor.zeros(DType.BOOL, Shape.of(0, 3)));
    Path file = directory.resolve("model.params");
    ParamsFile.write(file, tensors);
    Map<String, Tensor> read = ParamsFile.read(file);
    assertThat(read.keySet()).containsExactly("w", "", "ä");
    assertThat(read.values())
        .extracting(Tensor::toString)
        .containsExactly("int32[2, 2] on cpu:0", "int64[] on cpu:0", "bool[0, 3] on cpu:0");
    assertThat(read.values().iterator().next().toLongArray()).containsExactly(1, 3, 2, 4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bool",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8_e4m3fn",
        "float8_e5m2"
      })
  void tensorsOfEveryTypeComeBackAsTheyWere(String dtype) {
    Tensor tensor = Tensor.zeros(DType.parse(dtype), Shape.of(3, 5));
    MemorySegment bytes = tensor.segment();
    for (long i = 0; i < bytes.byteSize(); i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (31 * i + 7));
    }
    Path file = directory.resolve("model.params");
    ParamsFile.write(file, Map.of("w", tensor));
    Tensor read = Objects.requireNonNull(ParamsFile.read(file).get("w"));
    assertThat(read).hasToString(tensor.toString());
    assertThat(read.segment().mismatch(bytes)).isEqualTo(-1);
  }

  @Test
  void aNameTwiceIsRefused() throws IOException {
    Path file = directory.resolve("model.params");
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("a", Tensor.scalar(1f));
    tensors.put("b", Tensor.scalar(2f));
    ParamsFile.write(file, tensors);
    byte[] bytes = Files.readAllBytes(file);
    bytes[41] = 'a'; // after magic, reserved word, count, and twice a length and a letter
    assertThatThrownBy(() -> ParamsFile.read(MemorySegment.ofArray(bytes)))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("expected: each name once")
        .hasMessageContaining("got: 'a' again");
  }

  @Test
  void anotherMagicIsRefused() {
    ByteBuffer file = buffer(16).putLong(5).putLong(0);
    fails(
        file,
        "malformed parameters file\n"
            + "  at byte 0 (0x0), magic\n"
            + "  expected: 0xF7E58D4F05049CB7\n"
            + "  got: 0x5\n"
            + "  what to do: check that it is a .params file that you named");
  }

  @Test
  void anotherNumberOfTensorsThanNamesIsRefused() {
    fails(
        header(1, "bias", 2),
        "malformed parameters file\n"
            + "  at byte 36 (0x24), number of tensors\n"
            + "  expected: 1, as many as names\n"
            + "  got: 2\n"
            + "  what to do: the file is damaged: copy, download or build it again");
  }

  @Test
  void moreNamesThanBytesAreRefusedBeforeAnythingIsAllocated() {
    ByteBuffer file = buffer(24).putLong(MAGIC).putLong(0).putLong(Long.MAX_VALUE);
    fails(
        file,
        "malformed parameters file\n"
            + "  at byte 16 (0x10), number of names\n"
            + "  expected: at most 0, for 0 bytes are left and each takes 8 or more\n"
            + "  got: 9223372036854775807\n"
            + "  what to do: the file is cut short: copy, download or build it again");
  }

  @Test
  void everyTruncationIsRefused() throws IOException {
    Path file = directory.resolve("model.params");
    ParamsFile.write(file, Map.of("w", Tensor.scalar(1f)));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      MemorySegment part = MemorySegment.ofArray(whole).asSlice(0, length);
      assertThatThrownBy(() -> ParamsFile.read(part))
          .as("the first %d bytes", length)
          .isInstanceOf(MalformedFileException.class);
    }
  }

  @Test
  void aRefusedTensorLeavesTheFileBeforeAsItWas() throws IOException {
    Path file = directory.resolve("model.params");
    ParamsFile.write(file, Map.of("w", Tensor.scalar(1f)));
    Tensor packed = Tensor.zeros(new DType(TypeCode.INT, 4, 1), Shape.of(3));
    assertThatThrownBy(() -> ParamsFile.write(file, Map.of("w", packed)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "a tensor int4[3] cannot be saved: the format stores whole bytes per element and no"
                + " lanes");
    assertThat(Objects.requireNonNull(ParamsFile.read(file).get("w")).toFloatArray())
        .containsExactly(1f);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aMissingFileIsNamed() {
    Path file = directory.resolve("gone.params");
    assertThatThrownBy(() -> ParamsFile.read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("Cannot open " + file + "\n  reason: there is no such file");
  }

  private static ByteBuffer header(long names, String name, long tensors) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return buffer(256)
        .putLong(MAGIC)
        .putLong(0)
        .putLong(names)
        .putLong(text.length)
        .put(text)
        .putLong(tensors);
  }

  private static ByteBuffer buffer(int capacity) {
    return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static Map<String, Tensor> read(ByteBuffer file) {
    return ParamsFile.read(MemorySegment.ofBuffer(file.flip()));
  }

  private static void fails(ByteBuffer file, String message) {
    MalformedFileException error =
        catchThrowableOfType(MalformedFileException.class, () -> read(file));
    assertThat(error.kind()).isEqualTo(ErrorKind.INTERNAL);
    assertThat(error).hasMessage(message);
  }
}
