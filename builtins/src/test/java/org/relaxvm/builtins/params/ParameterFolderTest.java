package org.relaxvm.builtins.params;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.builtins.fakes.CacheDirectory;

class ParameterFolderTest {
  @TempDir Path directory;

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
        "int4",
        "float8_e4m3fn",
        "float32x4"
      })
  void tensorsOfEveryTypeComeBackAsTheyWere(String dtype) {
    Tensor tensor = Tensor.zeros(DType.parse(dtype), Shape.of(3, 5));
    MemorySegment bytes = tensor.segment();
    for (long i = 0; i < bytes.byteSize(); i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (31 * i + 7));
    }
    ParameterFolder.write(directory, Map.of("w", tensor));
    Tensor read = get(ParameterFolder.read(directory), "w");
    assertThat(read).hasToString(tensor.toString());
    assertThat(read.segment().mismatch(bytes)).isEqualTo(-1);
  }

  @Test
  void tensorsComeBackInOrderWhateverTheirOffsetIs() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("w", Tensor.of(new int[] {1, 2, 3, 4}, Shape.of(2, 2)).permute(1, 0));
    tensors.put("", Tensor.scalar(7L));
    tensors.put("\u00e4 \"\\", Tensor.zeros(DType.BOOL, Shape.of(0, 3)));
    ParameterFolder.write(directory.resolve("new/folder"), tensors);
    Map<String, Tensor> read = ParameterFolder.read(directory.resolve("new/folder"));
    assertThat(read.keySet()).containsExactly("w", "", "\u00e4 \"\\");
    assertThat(get(read, "w").toLongArray()).containsExactly(1, 3, 2, 4);
    assertThat(get(read, "").toLongArray()).containsExactly(7);
    assertThat(get(read, "\u00e4 \"\\")).hasToString("bool[0, 3] on cpu:0");
  }

  @Test
  void alignedTensorsAreTheFileItselfAndOthersAreCopied() throws IOException {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("first", floats(16));
    tensors.put("odd", floats(1));
    tensors.put("shifted", floats(16));
    ParameterFolder.write(directory, tensors);
    Map<String, Tensor> read = ParameterFolder.read(directory);
    assertThat(get(read, "first").segment().isMapped()).isTrue();
    assertThat(get(read, "odd").segment().isMapped()).isTrue();
    assertThat(get(read, "shifted").segment().isMapped()).isFalse();
    for (Tensor tensor : read.values()) {
      assertThat(tensor.segment().address() % 64).isZero();
      assertThat(tensor.isConstant()).isTrue();
      assertThatThrownBy(() -> tensor.fill(0)).isInstanceOf(CallException.class);
    }
    assertThat(get(read, "shifted").toFloatArray()).isEqualTo(floats(16).toFloatArray());
  }

  @Test
  void halvedFloatsAreRoundedAndOthersStay() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("w", Tensor.of(new float[] {1.00390625f, 1.01171875f, -3.4e38f}, Shape.of(3)));
    tensors.put("i", Tensor.of(new int[] {65537}, Shape.of(1)));
    ParameterFolder.writeHalved(directory, tensors);
    Map<String, Tensor> read = ParameterFolder.read(directory);
    assertThat(get(read, "w").dtype()).isEqualTo(DType.FLOAT32);
    assertThat(get(read, "w").toFloatArray()).containsExactly(1, 1.015625f, -3.3895314e38f);
    assertThat(get(read, "i").toLongArray()).containsExactly(65537);
    Map<String, Tensor> halves = ParameterFolder.readBfloat16(directory);
    assertThat(get(halves, "w").dtype()).isEqualTo(DType.BFLOAT16);
    assertThat(get(halves, "w").toFloatArray()).containsExactly(1, 1.015625f, -3.3895314e38f);
    assertThat(get(halves, "w").segment().isMapped()).isTrue();
    assertThat(get(halves, "i").toLongArray()).containsExactly(65537);
  }

  @Test
  void theManifestsSayWhatIsWhere() throws IOException {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("w", floats(6).reshape(Shape.of(2, 3)));
    tensors.put("i", Tensor.of(new int[] {1}, Shape.of(1)));
    ParameterFolder.writeHalved(directory, tensors);
    String manifest =
        """
        {metadata={}, records=[{dataPath=params_shard_0.bin, format=raw-shard, nbytes=16, records=[\
        {name=w, shape=[2, 3], dtype=%s, format=%s, nbytes=12, byteOffset=0}, \
        {name=i, shape=[1], dtype=int32, format=f32-to-bf16, nbytes=4, byteOffset=12}], \
        md5sum=%s}]}\
        """;
    String md5 = md5(directory.resolve("params_shard_0.bin"));
    assertThat(json("tensor-cache.json"))
        .isEqualTo(manifest.formatted("float32", "f32-to-bf16", md5));
    assertThat(json("tensor-cache-b16.json")).isEqualTo(manifest.formatted("bfloat16", "raw", md5));
  }

  @Test
  void onlyHalvedTensorsHaveASecondManifest() {
    ParameterFolder.writeHalved(directory, Map.of("i", Tensor.scalar(1L)));
    assertThat(directory.resolve("tensor-cache-b16.json")).doesNotExist();
    assertThatThrownBy(() -> ParameterFolder.readBfloat16(directory))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "cannot load parameters from "
                + directory
                + ": it has neither tensor-cache-b16.json nor ndarray-cache-b16.json");
  }

  @Test
  void anOlderFolderOfHalvesIsRead() throws IOException {
    new CacheDirectory(directory)
        .halves("w", "bfloat16", "raw", 0x3FC0)
        .write("ndarray-cache-b16.json", "params_shard_0.bin", "raw-shard", 2);
    assertThat(get(ParameterFolder.readBfloat16(directory), "w").toFloatArray())
        .containsExactly(1.5f);
  }

  @Test
  void shardsStayBelowTheirLimitAndLargeTensorsHaveTheirOwn() {
    // The limit is 40 bytes here: 20 bytes and more are large.
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("a", floats(4));
    tensors.put("b", floats(4));
    tensors.put("large", floats(5)); // a shard of its own at once: a and b stay open
    tensors.put("c", floats(1));
    tensors.put("d", floats(1)); // 36 + 4 reach the limit
    tensors.put("huge", floats(50));
    tensors.put("middle", floats(8)); // fits beside d
    ParameterFolder.write(directory, tensors, TensorRecord.RAW, 40);
    List<String> shards = new ArrayList<>();
    for (ShardRecord shard : Manifest.read(directory, Manifest.FILE_NAMES).shards()) {
      shards.add(
          shard.dataPath()
              + shard.records().stream().map(r -> r.name() + "@" + r.byteOffset()).toList());
    }
    assertThat(shards)
        .containsExactly(
            "params_shard_0.bin[large@0]",
            "params_shard_1.bin[a@0, b@16, c@32]",
            "params_shard_2.bin[huge@0]",
            "params_shard_3.bin[d@0, middle@4]");
    Map<String, Tensor> read = ParameterFolder.read(directory);
    assertThat(read).hasSize(7);
    tensors.forEach(
        (name, tensor) ->
            assertThat(get(read, name).toFloatArray()).isEqualTo(tensor.toFloatArray()));
  }

  @Test
  void noTensorsAreAFolderToo() {
    ParameterFolder.write(directory, Map.of());
    assertThat(ParameterFolder.read(directory)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tensor-cache.json",
        "ndarray-cache.json",
        "tensor-cache-b16.json",
        "ndarray-cache-b16.json"
      })
  void aFolderWithParametersIsNotWrittenTo(String manifest) throws IOException {
    Files.writeString(directory.resolve(manifest), "{}");
    assertThatThrownBy(() -> ParameterFolder.write(directory, Map.of("w", floats(1))))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "the folder "
                + directory
                + " holds parameters already: it has "
                + manifest
                + "\n  what to do: write into another folder, or remove these");
    assertThat(directory.resolve("params_shard_0.bin")).doesNotExist();
  }

  @Test
  void everyTruncationOfAShardIsRefused() throws IOException {
    ParameterFolder.write(directory, Map.of("w", floats(4)));
    Path shard = directory.resolve("params_shard_0.bin");
    byte[] whole = Files.readAllBytes(shard);
    for (int length = 0; length < whole.length; length++) {
      Files.write(shard, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> ParameterFolder.read(directory))
          .as("the first %d bytes", length)
          .isInstanceOf(MalformedFileException.class)
          .hasMessageEndingWith(
              "\n  expected: 16 bytes\n  got: " + length + "\n  what to do: download it again");
    }
  }

  @Test
  void everyTruncationOfAManifestIsRefused() throws IOException {
    ParameterFolder.write(directory, Map.of("w", floats(4)));
    Path file = directory.resolve("tensor-cache.json");
    String whole = Files.readString(file).stripTrailing();
    for (int length = 0; length < whole.length(); length++) {
      Files.writeString(file, whole.substring(0, length));
      assertThatThrownBy(() -> ParameterFolder.read(directory))
          .as("the first %d characters", length)
          .isInstanceOf(RelaxException.class);
    }
  }

  @Test
  void theReadFolderStaysUsableWhenItsFilesAreReplaced() throws IOException {
    ParameterFolder.write(directory, Map.of("w", floats(16)));
    Tensor before = get(ParameterFolder.read(directory), "w");
    Files.delete(directory.resolve("tensor-cache.json"));
    ParameterFolder.write(directory, Map.of("w", floats(32)));
    assertThat(before.toFloatArray()).isEqualTo(floats(16).toFloatArray());
    assertThat(get(ParameterFolder.read(directory), "w").shape()).isEqualTo(Shape.of(32));
  }

  private static Tensor floats(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i - 2.5f;
    }
    return Tensor.of(values, Shape.of(count));
  }

  private static Tensor get(Map<String, Tensor> tensors, String name) {
    return Objects.requireNonNull(tensors.get(name), name);
  }

  private String json(String manifest) throws IOException {
    return JSON.std.anyFrom(Files.readString(directory.resolve(manifest))).toString();
  }

  private static String md5(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("MD5").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
