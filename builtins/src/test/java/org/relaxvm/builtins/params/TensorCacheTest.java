package org.relaxvm.builtins.params;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.builtins.fakes.CacheDirectory;

class TensorCacheTest {
  private final TensorCache cache = new TensorCache();

  @TempDir Path directory;

  @Test
  void rawTensorsAreLoadedAsTheyAre() throws IOException {
    new CacheDirectory(directory).floats("w", 1.5f, -2).ints("i", "raw", 7, 8, 9).write();
    load();
    assertThat(tensor("w")).hasToString("float32[2] on cpu:0");
    assertThat(tensor("w").toFloatArray()).containsExactly(1.5f, -2);
    assertThat(tensor("i").toLongArray()).containsExactly(7, 8, 9);
  }

  @Test
  void halvedFloatsAreWidened() throws IOException {
    new CacheDirectory(directory)
        .halves("w", "float32", "f32-to-bf16", 0x3FC0, 0xC000, 0x7F80)
        .write();
    load();
    assertThat(tensor("w").dtype()).isEqualTo(DType.FLOAT32);
    assertThat(tensor("w").toFloatArray()).containsExactly(1.5f, -2, Float.POSITIVE_INFINITY);
  }

  @Test
  void otherDtypesAreRawWhateverTheirFormatSays() throws IOException {
    new CacheDirectory(directory)
        .ints("i", "f32-to-bf16", 7, 8)
        .halves("b", "bfloat16", "f32-to-bf16", 0x3FC0)
        .halves("h", "bfloat16", "raw", 0xC000)
        .write();
    load();
    assertThat(tensor("i").toLongArray()).containsExactly(7, 8);
    assertThat(tensor("b").dtype()).isEqualTo(DType.BFLOAT16);
    assertThat(tensor("b").toFloatArray()).containsExactly(1.5f);
    assertThat(tensor("h").toFloatArray()).containsExactly(-2);
  }

  @Test
  void scalarsAndEmptyTensorsAreLoaded() throws IOException {
    new CacheDirectory(directory)
        .floats("all", 4, 5)
        .record("scalar", "[]", "float32", "raw", 4, 4)
        .record("empty", "[2, 0]", "float32", "raw", 0, 8)
        .write();
    load();
    assertThat(tensor("scalar").toFloatArray()).containsExactly(5);
    assertThat(tensor("empty").shape()).isEqualTo(Shape.of(2, 0));
  }

  @Test
  void theLastOfEqualNamesStaysAndReplacesWhatWasThere() throws IOException {
    cache.update("w", Tensor.scalar(1f), false);
    new CacheDirectory(directory).floats("w", 2).floats("w", 3).write();
    load();
    assertThat(tensor("w").toFloatArray()).containsExactly(3);
  }

  @Test
  void theOlderNameOfTheManifestIsFound() throws IOException {
    new CacheDirectory(directory)
        .floats("w", 2)
        .write("ndarray-cache.json", "params_shard_0.bin", "raw-shard", 4);
    load();
    assertThat(tensor("w").toFloatArray()).containsExactly(2);
  }

  @Test
  void aFailedLoadChangesNothing() throws IOException {
    cache.update("w", Tensor.scalar(1f), false);
    new CacheDirectory(directory).floats("w", 2).record("x", "[1]", "float32", "raw", 4, 4).write();
    assertThat(catchThrowableOfType(RelaxException.class, this::load)).isNotNull();
    assertThat(tensor("w").toFloatArray()).containsExactly(1);
  }

  @Test
  void aDirectoryWithoutAManifestIsRefused() {
    loadFails(
        ErrorKind.IO,
        "cannot load parameters from "
            + directory
            + ": it has neither tensor-cache.json nor ndarray-cache.json");
  }

  @Test
  void aManifestThatIsNoJsonObjectIsRefused() throws IOException {
    manifest("[1]");
    loadFails(ErrorKind.VALUE, "the manifest is not a JSON object\n" + "  got: [1]");
    manifest("{\"records\": ");
    RelaxException error = catchThrowableOfType(RelaxException.class, this::load);
    assertThat(error.kind()).isEqualTo(ErrorKind.INTERNAL);
    assertThat(error)
        .hasMessage(
            "the manifest is not valid JSON: Unexpected end-of-input within/between Object entries"
                + "\n  got: {\"records\": ");
    assertThat(error.tvmMessage())
        .hasValue(
            "Failed to parse JSON: Unexpected end-of-input within/between Object entries. The JSON"
                + " string is:{\"records\": ");
  }

  @Test
  void aManifestWithMissingOrWrongFieldsIsRefused() throws IOException {
    manifest("{}");
    loadFails(ErrorKind.VALUE, "\"records\" in the manifest must be an array, but it is missing");
    manifest("{\"records\": [3]}");
    loadFails(
        ErrorKind.VALUE, "\"records\" in the manifest must be an array of objects, but it is [3]");
    manifest("{\"records\": [{\"records\": [], \"dataPath\": 3}]}");
    loadFails(
        ErrorKind.VALUE,
        "\"dataPath\" in records[0] of the manifest must be a string, but it is 3");
    manifest(
        "{\"records\": [{\"records\": [{\"name\": \"a\", \"dtype\": \"int8\", \"shape\":"
            + " [1.5]}]}]}");
    loadFails(
        ErrorKind.VALUE,
        "\"shape\" in records[0] of records[0] of the manifest must be an array of integers, but it"
            + " is [1.5]");
    manifest(
        "{\"records\": [{\"records\": [], \"dataPath\": \"a\", \"format\": \"raw-shard\","
            + " \"nbytes\": \"4\"}]}");
    loadFails(
        ErrorKind.VALUE,
        "\"nbytes\" in records[0] of the manifest must be an integer, but it is 4");
  }

  @Test
  void aShardOfAnotherFormatIsRefused() throws IOException {
    new CacheDirectory(directory)
        .floats("w", 1)
        .write("tensor-cache.json", "params_shard_0.bin", "zip", 4);
    shardFails("its format must be raw-shard, but is zip");
  }

  @Test
  void aTruncatedShardIsRefused() throws IOException {
    new CacheDirectory(directory)
        .floats("w", 1)
        .write("tensor-cache.json", "params_shard_0.bin", "raw-shard", 8);
    shardFails(
        "it is incomplete or damaged\n  expected: 8 bytes\n  got: 4\n  what to do: download it"
            + " again");
  }

  @Test
  void aMissingShardIsRefused() throws IOException {
    new CacheDirectory(directory)
        .floats("w", 1)
        .write("tensor-cache.json", "gone.bin", "raw-shard", 4);
    Path gone = directory.resolve("gone.bin");
    loadFails(
        ErrorKind.VALUE,
        "cannot load parameters from gone.bin: cannot read the file:"
            + " java.nio.file.NoSuchFileException: "
            + gone);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../secret.bin", "/etc/passwd"})
  void aShardOutsideOfTheDirectoryIsRefused(String path) throws IOException {
    new CacheDirectory(directory).floats("w", 1).write("tensor-cache.json", path, "raw-shard", 4);
    loadFails(
        ErrorKind.VALUE,
        "cannot load parameters from "
            + path
            + ": a shard must be inside of the directory "
            + directory);
  }

  @Test
  void aRecordOfAnotherSizeThanItsTensorIsRefused() throws IOException {
    new CacheDirectory(directory)
        .floats("all", 1, 2)
        .record("w", "[1, 2]", "float32", "raw", 4, 0)
        .write();
    shardFails("tensor w, float32[1, 2] in format raw, takes 8 bytes, but its record says 4");
  }

  @Test
  void aHalvedRecordOfTheWholeSizeIsRefused() throws IOException {
    new CacheDirectory(directory)
        .floats("all", 1, 2)
        .record("w", "[2]", "float32", "f32-to-bf16", 8, 0)
        .write();
    shardFails("tensor w, float32[2] in format f32-to-bf16, takes 4 bytes, but its record says 8");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, Long.MAX_VALUE, Long.MIN_VALUE})
  void aRecordOutsideOfItsShardIsRefused(long byteOffset) throws IOException {
    new CacheDirectory(directory)
        .floats("all", 1, 2)
        .record("w", "[2]", "float32", "raw", 8, byteOffset)
        .write();
    shardFails(
        "tensor w has 8 bytes at " + byteOffset + ", which is outside of the shard's 8 bytes");
  }

  @Test
  void aShapeThatIsNoneIsRefused() throws IOException {
    new CacheDirectory(directory).record("w", "[-2, 2]", "float32", "raw", 0, 0).write();
    shardFails("shape [-2, 2] has a negative extent and so no element count");
  }

  @Test
  void aSizeThatNoTensorHasIsRefused() throws IOException {
    new CacheDirectory(directory)
        .record("w", "[4294967296, 4294967296]", "float32", "raw", 0, 0)
        .write();
    RelaxException error = catchThrowableOfType(RelaxException.class, this::load);
    assertThat(error.kind()).isEqualTo(ErrorKind.VALUE);
    assertThat(error).hasMessageContaining("params_shard_0.bin");
  }

  @Test
  void twoTensorsMayShareBytesButNotMore() throws IOException {
    CacheDirectory folder = new CacheDirectory(directory).floats("a", 1, 2);
    folder.record("b", "[2]", "float32", "raw", 8, 0).write();
    load();
    assertThat(tensor("b").toFloatArray()).containsExactly(1, 2);
    folder.record("c", "[1]", "float32", "raw", 4, 0).write();
    shardFails(
        "its tensors, up to c, take more than 2 times the 8 bytes that it has: they overlap");
  }

  @Test
  void oneFileUnderManyShardsIsRefusedAsWell() throws IOException {
    String shard =
        "{\"dataPath\": \"%sp.bin\", \"format\": \"raw-shard\", \"nbytes\": 4, \"records\":"
            + " [{\"name\": \"w\", \"shape\": [1], \"dtype\": \"float32\", \"format\": \"raw\","
            + " \"nbytes\": 4, \"byteOffset\": 0}]}";
    Files.write(directory.resolve("p.bin"), new byte[4]);
    manifest(
        "{\"records\": ["
            + String.join(",", shard.formatted(""), shard.formatted("./"), shard.formatted("a/../"))
            + "]}");
    loadFails(
        ErrorKind.VALUE,
        "cannot load parameters from a/../p.bin: its tensors, up to w, take "
            + "more than 2 times the 4 bytes that it has: they overlap");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "."})
  void aShardThatIsAFolderIsRefused(String path) throws IOException {
    new CacheDirectory(directory).floats("w", 1).write("tensor-cache.json", path, "raw-shard", 4);
    loadFails(
        ErrorKind.VALUE,
        "cannot load parameters from " + path + ": it is no file with bytes of its own");
  }

  /** What a pipe gives has no end, or comes never. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aManifestThatIsAPipeIsRefused() throws Exception {
    Path pipe = directory.resolve("tensor-cache.json");
    boolean made;
    try {
      made = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
    } catch (IOException _) {
      made = false;
    }
    if (!made) {
      System.out.println("skipped: no pipes can be made here");
    }
    Assumptions.assumeTrue(made, "no pipes");
    loadFails(ErrorKind.IO, "cannot read " + pipe + ": it is no file with bytes of its own");
  }

  private void manifest(String json) throws IOException {
    Files.writeString(directory.resolve("tensor-cache.json"), json);
  }

  private void load() {
    cache.load(directory);
  }

  private void shardFails(String what) {
    loadFails(ErrorKind.VALUE, "cannot load parameters from params_shard_0.bin: " + what);
  }

  private void loadFails(ErrorKind kind, String message) {
    RelaxException error = catchThrowableOfType(RelaxException.class, this::load);
    assertThat(error.kind()).isEqualTo(kind);
    assertThat(error).hasMessage(message);
  }

  private Tensor tensor(String name) {
    return Objects.requireNonNull(cache.find(name), name);
  }
}
