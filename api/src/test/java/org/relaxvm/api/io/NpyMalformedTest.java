package org.relaxvm.api.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** Every message is asserted whole; no damaged file may do more than raise one. */
class NpyMalformedTest {
  private static void refuses(byte[] bytes, String message) {
    assertThatThrownBy(() -> Npy.read(MemorySegment.ofArray(bytes), "x.npy"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message);
  }

  private static void refusesHeader(String header, String message) {
    refuses(NpyFile.of(header, new byte[8]), message);
  }

  @Test
  void missingFilesAndFoldersAreNamed(@TempDir Path folder) {
    Path file = folder.resolve("none.npy");
    Throwable thrown = catchThrowable(() -> Npy.read(file));
    assertThat(thrown).hasMessage("cannot read " + file + ": no such file or folder");
    assertThat(((MalformedFileException) thrown).kind()).isEqualTo(ErrorKind.IO);
    assertThatThrownBy(() -> Npy.read(folder))
        .hasMessage("cannot read " + folder + ": it is a folder");
    assertThatThrownBy(() -> Npy.map(file))
        .hasMessage("cannot read " + file + ": no such file or folder");
  }

  @Test
  void emptyAndForeignFilesAreRefused() {
    refuses(new byte[0], "malformed .npy file x.npy: it is empty");
    refuses(
        "PK\3\4 a zip archive".getBytes(StandardCharsets.US_ASCII),
        "malformed .npy file x.npy: it does not start with the magic bytes 93 'NUMPY'; is it a .npy"
            + " file?");
  }

  @Test
  void unknownVersionsAreRefused() {
    byte[] bytes = NpyFile.of(NpyFile.header("<f4", false, "(2,)"), new byte[8]);
    bytes[6] = 4;
    refuses(bytes, "cannot read .npy file x.npy: it has version 4.0; expected 1.0, 2.0 or 3.0");
  }

  @Test
  void hugeHeadersAreRefusedBeforeTheyAreRead() {
    byte[] bytes = NpyFile.of(2, NpyFile.header("<f4", false, "(2,)"), new byte[8]);
    bytes[11] = 0x7F;
    refuses(
        bytes,
        "malformed .npy file x.npy: its header claims 2130706490 bytes; expected at most 65536");
  }

  @Test
  void everyTruncationIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Npy.write(out, Tensor.of(new float[] {1, 2}, Shape.of(2)));
    byte[] whole = out.toByteArray();
    for (int length = 0; length < whole.length; length++) {
      MemorySegment prefix = MemorySegment.ofArray(Arrays.copyOf(whole, length));
      Throwable thrown = catchThrowable(() -> Npy.read(prefix, "x.npy"));
      assertThat(thrown).as("%d bytes", length).isInstanceOf(MalformedFileException.class);
    }
    refuses(
        Arrays.copyOf(whole, 60),
        "malformed .npy file x.npy: its header needs 128 bytes, but there are only 60; the file is"
            + " truncated");
    refuses(
        Arrays.copyOf(whole, 133),
        "malformed .npy file x.npy: its shape [2] of float32 needs 8 bytes of elements, but 5"
            + " follow the header; the file is truncated");
    refuses(
        Arrays.copyOf(whole, 140),
        "malformed .npy file x.npy: its shape [2] of float32 needs 8 bytes of elements, but 12"
            + " follow the header; the file is longer than it should be");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "(4000000000, 4000000000)~its shape [4000000000, 4000000000] of float32 has more than"
            + " 2^63-1 bytes",
        "(2305843009213693952,)~its header has the extent 2305843009213693952, which is absurd",
        "(99999999999999999999999999,)~its header has the extent 99999999999999999999..., which is"
            + " absurd",
        "(-1,)~its header has '-1,), }' at character 51; expected an extent: a number of at least"
            + " 0",
        "(2.5,)~its header has '.5,), }' at character 52; expected a comma or the end of the tuple",
        "[2]~its header has '[2], }' at character 50; expected a tuple",
        "(2~its header has '}' at character 54; expected an extent: a number of at least 0",
        "None~its header has 'None, }' at character 50; expected a tuple",
      })
  void badShapesAreRefused(String shape, String message) {
    String header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
    refusesHeader(header, "malformed .npy file x.npy: " + message);
  }

  @Test
  void tooManyAxesAreRefused() {
    refusesHeader(
        NpyFile.header("<f4", false, "(" + "1, ".repeat(65) + ")"),
        "cannot read .npy file x.npy: it has more than 64 axes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "``~its header has the end at character 0; expected the start of a dictionary",
        "{}~its header has no 'descr'",
        "{'descr': '<f4'}~its header has no 'shape'",
        "{'descr': '<f4', 'shape': ()}~its header has no 'fortran_order'",
        "{'descr': '<f4', 'descr': '<f4'}~its header has 'descr' twice",
        "{'colour': 1}~its header has the key 'colour' at character 1; expected descr,"
            + " fortran_order or shape",
        "{'descr': 5}~its header has '5}' at character 10; expected an element type such as '<f4'",
        "{'descr' '<f4'}~its header has ''<f4'}' at character 9; expected a colon",
        "{'fortran_order': 1}~its header has '1}' at character 18; expected True or False",
        "{'descr': '<f4~its header has ''<f4' at character 10; expected an element type such as"
            + " '<f4'",
        "{'descr': 'float'}~its element type is 'float'; expected a text such as '<f4' or '|b1'",
      })
  void badHeadersAreRefused(String header, String message) {
    refusesHeader(header, "malformed .npy file x.npy: " + message);
  }

  @Test
  void textAfterTheHeaderIsRefused() {
    refusesHeader(
        NpyFile.header("<f4", false, "(2,)") + "import os",
        "malformed .npy file x.npy: its header has more text at character 57; expected nothing"
            + " after the dictionary");
  }

  @Test
  void typesWithoutACounterpartAreRefused() {
    String types =
        "bool, int8 to int64, uint8 to uint64, float16, float32, float64, complex64 and complex128";
    refusesHeader(
        NpyFile.header("|O", false, "(1,)"),
        "cannot read .npy file x.npy: its elements are Python objects, which only Python can load;"
            + " expected "
            + types);
    for (String descr : new String[] {"<U5", "|S3", "<M8[ns]", "<f16", "<i3", "<f1"}) {
      refusesHeader(
          NpyFile.header(descr, false, "(1,)"),
          "cannot read .npy file x.npy: tensors have no counterpart of its element type '"
              + descr
              + "'; convert the array to one of "
              + types
              + " with astype before saving it");
    }
    refusesHeader(
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "cannot read .npy file x.npy: its elements are structures of several fields; save each"
            + " field as an array of its own");
  }

  @Test
  void damagedBytesNeverDoMoreThanRaiseAnError() throws IOException {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("NpyMalformedTest seed: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Npy.write(out, Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)));
    byte[] whole = out.toByteArray();
    int refused = 0;
    for (int round = 0; round < 5000; round++) {
      byte[] damaged = whole.clone();
      for (int i = random.nextInt(3); i >= 0; i--) {
        damaged[random.nextInt(80)] = (byte) random.nextInt(256);
      }
      try {
        Npy.read(MemorySegment.ofArray(damaged), "x.npy");
      } catch (MalformedFileException e) {
        assertThat(e.getMessage()).contains("x.npy: ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1000);
  }
}
