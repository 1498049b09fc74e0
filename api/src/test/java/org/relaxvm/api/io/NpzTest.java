package org.relaxvm.api.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;

class NpzTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("a.npz");
  }

  private static Map<String, Tensor> sample() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("w", Tensor.zeros(DType.FLOAT32, Shape.of(300, 200)));
    tensors.put("layer/b", Tensor.of(new long[] {4, 5}, Shape.of(2)));
    tensors.put("empty", Tensor.zeros(DType.INT8, Shape.of(0, 3)));
    return tensors;
  }

  private static byte[] npy(Tensor tensor) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Npy.write(out, tensor);
    return out.toByteArray();
  }

  private Path zip(String... names) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file()))) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(npy(Tensor.of(new byte[] {1, 2, 3}, Shape.of(3))));
      }
    }
    return file();
  }

  private static void patch(Path file, String from, String to) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertThat(text).contains(from);
    Files.writeString(file, text.replace(from, to), StandardCharsets.ISO_8859_1);
  }

  @Test
  void writtenArchivesAreReadBackInOrder() {
    Npz.write(file(), sample());
    assertSample(Npz.read(file()));
    Npz.writeCompressed(file(), sample());
    assertSample(Npz.read(file()));
    assertThat(file().toFile().length()).isLessThan(2000);
  }

  private static void assertSample(Map<String, Tensor> read) {
    assertThat(read.keySet()).containsExactly("w", "layer/b", "empty");
    assertThat(read.get("w")).hasToString("float32[300, 200] on cpu:0");
    assertThat(read.get("layer/b")).extracting(Tensor::toLongArray).isEqualTo(new long[] {4, 5});
    assertThat(read.get("empty")).hasToString("int8[0, 3] on cpu:0");
  }

  @Test
  void theSameTensorsGiveTheSameBytes() throws IOException {
    Npz.write(file(), sample());
    byte[] first = Files.readAllBytes(file());
    Npz.write(file(), sample());
    assertThat(Files.readAllBytes(file())).isEqualTo(first);
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Files.writeString(file(), "no archive at all");
    assertThatThrownBy(() -> Npz.read(file()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "malformed .npz file "
                + file()
                + ": it is no readable zip archive: zip END header not found");
    Path missing = folder.resolve("none.npz");
    assertThatThrownBy(() -> Npz.read(missing))
        .hasMessage("cannot read " + missing + ": no such file or folder");
  }

  @Test
  void entriesThatAreNoArraysAreRefused() throws IOException {
    Path file = zip("a.npy", "readme.txt");
    assertThatThrownBy(() -> Npz.read(file))
        .hasMessage(
            "malformed .npz file "
                + file
                + ": its entry 'readme.txt' is no array; expected only names that end in .npy");
  }

  @Test
  void duplicateNamesAreRefused() throws IOException {
    Path file = zip("a.npy", "b.npy");
    patch(file, "b.npy", "a.npy");
    assertThatThrownBy(() -> Npz.read(file))
        .hasMessage("malformed .npz file " + file + ": it has two arrays named 'a'");
  }

  @Test
  void damagedArraysAreNamedWithTheirEntry() throws IOException {
    Npz.write(file(), Map.of("a", Tensor.of(new byte[] {1, 2, 3}, Shape.of(3))));
    patch(file(), "\1\2\3", "\1\2\4");
    assertThatThrownBy(() -> Npz.read(file()))
        .hasMessage(
            "malformed .npy file "
                + file()
                + "!/a.npy: its checksum does not match; the archive is damaged");
    Npz.write(file(), Map.of("a", Tensor.of(new byte[] {1, 2, 3}, Shape.of(3))));
    patch(file(), "(3,)", "(4,)");
    assertThatThrownBy(() -> Npz.read(file()))
        .hasMessage(
            "malformed .npy file "
                + file()
                + "!/a.npy: its shape [4] of int8 needs 4 bytes of elements, but 3 follow the"
                + " header; the file is truncated");
  }

  @Test
  void theLimitHoldsForAllArraysTogether() {
    Npz.write(file(), sample());
    assertThatThrownBy(() -> Npz.read(file(), 240_200))
        .hasMessage(
            "cannot read .npy file "
                + file()
                + "!/layer/b.npy: it has 144 bytes, 240128 were read before, and the limit is"
                + " 240200; allow more if the archive is to be trusted");
  }

  @Test
  void sizesThatDeflateCannotReachAreRefusedBeforeAnythingIsAllocated() throws IOException {
    Path file = zip("a.npy");
    byte[] bytes = Files.readAllBytes(file);
    // The uncompressed size in the central directory, 24 bytes after its signature.
    int directory = indexOf(bytes, new byte[] {'P', 'K', 1, 2});
    Arrays.fill(bytes, directory + 24, directory + 27, (byte) 0xFF);
    bytes[directory + 27] = 0x7F;
    Files.write(file, bytes);
    assertThatThrownBy(() -> Npz.read(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageMatching(
            "malformed .npy file .*a.npz!/a.npy: the archive says that [0-9]+ compressed bytes make"
                + " 2147483647, which cannot be; the archive is damaged");
  }

  @Test
  void sizesThatAreTooSmallAreRefused() throws IOException {
    Path file = zip("a.npy");
    byte[] bytes = Files.readAllBytes(file);
    int directory = indexOf(bytes, new byte[] {'P', 'K', 1, 2});
    bytes[directory + 24]--;
    Files.write(file, bytes);
    assertThatThrownBy(() -> Npz.read(file)).isInstanceOf(MalformedFileException.class);
  }

  @Test
  void namesAreChecked() {
    assertThatThrownBy(() -> Npz.write(file(), Map.of("", Tensor.scalar(1L))))
        .isInstanceOf(CallException.class)
        .hasMessage("an array in a .npz file needs a name of 1 to 1024 characters, but '' has 0");
    assertThat(file()).doesNotExist();
  }

  private static int indexOf(byte[] bytes, byte[] pattern) {
    for (int i = 0; ; i++) {
      if (Arrays.equals(bytes, i, i + pattern.length, pattern, 0, pattern.length)) {
        return i;
      }
    }
  }
}
