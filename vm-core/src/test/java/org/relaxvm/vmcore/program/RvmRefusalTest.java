package org.relaxvm.vmcore.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.zip.Checksums;
import org.relaxvm.vmcore.zip.StoredZipWriter;

/** Damaged, foreign and hostile packages: one clear message each. */
class RvmRefusalTest {
  private static final String AGAIN = "; get or write the file again";

  @TempDir Path folder;
  private Path file;
  private Map<String, byte[]> entries;

  @BeforeEach
  void writeSample() throws IOException {
    file = folder.resolve("sample.rvm").toAbsolutePath();
    RvmWriter.write(Samples.program(), file);
    readEntries();
  }

  private void readEntries() throws IOException {
    entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
  }

  @Test
  void newerVersionIsRefusedBeforeAnythingElse() throws IOException {
    entries.put("manifest.json", "{\"format\":\"relaxvm-program\",\"version\":2}".getBytes(UTF_8));
    refuses(
        " is a package of version 2, but this RelaxVM reads versions up to 1; update RelaxVM, or"
            + " write the package with this release");
  }

  @Test
  void foreignManifestIsRefused() throws IOException {
    entries.put("manifest.json", "{\"format\":\"vsix\"}".getBytes(UTF_8));
    refuses(
        " is no RelaxVM package: its manifest.json has the format 'vsix' instead of"
            + " 'relaxvm-program'");
  }

  @Test
  void changedCodeIsRefused() throws IOException {
    byte[] program = entry("program.bin");
    String before = sha256(program);
    program[program.length - 8] ^= 1;
    refuses(
        " is damaged: entry 'program.bin' has the SHA-256 "
            + sha256(program)
            + ", but manifest.json says "
            + before
            + AGAIN);
  }

  @Test
  void changedMetadataIsRefused() throws IOException {
    byte[] metadata = entry("metadata.json");
    String before = sha256(metadata);
    metadata[10] ^= 1;
    refuses(
        " is damaged: entry 'metadata.json' has the SHA-256 "
            + sha256(metadata)
            + ", but manifest.json says "
            + before
            + AGAIN);
  }

  @Test
  void changedConstantIsFoundByVerifyAllOnly() throws IOException {
    byte[] constant = entry("constants/0");
    String before = sha256(constant);
    constant[5] ^= 1;
    rewrite();
    assertThat(Program.load(file).executable().constants()).hasSize(5);
    assertThatThrownBy(() -> RvmReader.open(file).verifyAll())
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            file
                + " is damaged: entry 'constants/0' has the SHA-256 "
                + sha256(constant)
                + ", but manifest.json says "
                + before
                + AGAIN);
  }

  @Test
  void missingEntryIsRefused() throws IOException {
    entries.remove("constants/0");
    refuses(" is damaged: manifest.json names the entry 'constants/0', which is missing" + AGAIN);
  }

  @Test
  void unlistedEntryIsRefused() throws IOException {
    entries.put("extra", new byte[3]);
    refuses(" is damaged: entry 'extra' is not listed in manifest.json" + AGAIN);
  }

  @Test
  void shorterEntryIsRefused() throws IOException {
    entries.put("constants/0", new byte[4095]);
    refuses(" is damaged: entry 'constants/0' has 4095 bytes, but manifest.json says 4096" + AGAIN);
  }

  @Test
  void constantOfAnotherSizeThanItsShapeIsRefused() throws IOException {
    replaceInManifest("\"dtype\" : \"float32\"", "\"dtype\" : \"float64\"");
    refuses(
        " is damaged: constant 0 is float64[32, 32] and needs 8192 bytes, but entry 'constants/0'"
            + " has 4096"
            + AGAIN);
  }

  @Test
  void constantOfAnImpossibleShapeIsRefused() throws IOException {
    replaceInManifest("[ 32, 32 ]", "[ 4611686018427387904, 32 ]");
    refuses(
        " is damaged: constant 0: the element count of shape [4611686018427387904, 32] does not"
            + " fit 63 bits"
            + AGAIN);
  }

  @Test
  void constantWithoutAnEntryInTheExecutableIsRefused() throws IOException {
    replaceInManifest("\"index\" : 0", "\"index\" : 3");
    refuses(
        " is damaged: manifest.json has a constant 3 for which program.bin has no placeholder"
            + AGAIN);
  }

  @Test
  void compressedEntriesAreRefused() throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
        zip.closeEntry();
      }
    }
    assertRefused(
        ": entry 'manifest.json' is compressed (method 8), but only stored entries can be mapped;"
            + " write the package with RelaxVM");
  }

  @Test
  void entriesPackedByAnotherToolAreRefusedForTheirAlignment() throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setMethod(ZipOutputStream.STORED);
      for (Map.Entry<String, byte[]> item : entries.entrySet()) {
        ZipEntry entry = new ZipEntry(item.getKey());
        entry.setSize(item.getValue().length);
        entry.setCrc(Integer.toUnsignedLong(crc32(item.getValue())));
        // An odd number of bytes more than RelaxVM itself would write.
        entry.setExtra(new byte[] {(byte) 0xFE, (byte) 0xCA, 1, 0, 7});
        zip.putNextEntry(entry);
        zip.write(item.getValue());
        zip.closeEntry();
      }
    }
    assertThatThrownBy(() -> Program.load(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageMatching(
            "\\Q"
                + file
                + "\\E: entry 'constants/0' starts at byte \\d+, which is no multiple of 64, so it"
                + " cannot be mapped; write the package with RelaxVM, not with a zip tool");
  }

  @Test
  void truncatedPackagesAreRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int length = 64; length < bytes.length; length += 97) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertRefused(
          " is damaged: it does not end with a zip directory, so it is truncated or something was"
              + " appended"
              + AGAIN);
    }
  }

  @Test
  void impossibleKernelsAreRefused() throws IOException {
    Map<String, String> problems =
        Map.of(
            "[ \"handle\", \"int32\", \"float64\" ]",
            "[ \"bool\" ]",
            "\"blockIdx.x\"",
            "\"threadIdx.x\"");
    Map<String, String> messages =
        Map.of(
            "[ \"bool\" ]",
            ": manifest.json: a parameter has the type bool\n"
                + "  expected: handle, int32, int64, uint32, float32 or float64\n"
                + "  kernel: f",
            "\"threadIdx.x\"",
            ": manifest.json: the launch tag threadIdx.x is given twice\n  kernel: f");
    for (Map.Entry<String, String> problem : problems.entrySet()) {
      writeForeignKernels();
      replaceInManifest(problem.getKey(), problem.getValue());
      refuses(Objects.requireNonNull(messages.get(problem.getValue())));
    }
    writeForeignKernels();
    replaceInManifest("\"name\" : \"g\"", "\"name\" : \"x\"");
    refuses(
        " is damaged: kernels in entry 'kernels/0': entry 'x' of a module image must be one of its"
            + " symbols, once; the symbols are [f, g, h]"
            + AGAIN);
    writeForeignKernels();
    replaceInManifest("\"tensorMaps\" : [ 1 ]", "\"tensorMaps\" : [ 4294967297 ]");
    refuses(
        ": manifest.json: kernels[0]: launches[1]: field 'tensorMaps' must be indexes of"
            + " parameters, but is 4294967297");
  }

  private void writeForeignKernels() throws IOException {
    RvmWriter.write(Samples.foreignKernels(), file);
    readEntries();
  }

  @Test
  void noFlippedByteGoesUnnoticedOrCrashes() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] expected = ExecutableWriter.write(Samples.executable());
    int step = Effort.chosen().pick(7, 1, 1);
    int first = Math.floorMod(Long.getLong("relaxvm.seed", System.nanoTime()), step);
    System.out.printf("RvmRefusalTest: every %dth byte, -Drelaxvm.seed=%d%n", step, first);
    int flipped = 0;
    int refused = 0;
    for (int i = first; i < bytes.length; i += step) {
      flipped++;
      byte[] damaged = bytes.clone();
      damaged[i] ^= 0x41;
      Files.write(file, damaged);
      try {
        Program program = Program.load(file);
        RvmReader.open(file).verifyAll();
        assertThat(ExecutableWriter.write(program.executable())).isEqualTo(expected);
        assertThat(program.metadata()).isEqualTo(Samples.metadata());
      } catch (RelaxException e) {
        assertThat(e.getMessage()).contains(file.toString());
        refused++;
      }
    }
    // What may change unnoticed is padding and time stamps.
    assertThat(refused).isGreaterThan(flipped * 3 / 4);
  }

  @Test
  void unwritableTargetIsReported() {
    Path target = folder.resolve("absent/sample.rvm").toAbsolutePath();
    assertThatThrownBy(() -> RvmWriter.write(Samples.program(), target))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("cannot write " + target + ": ")
        .extracting(e -> ((MalformedFileException) e).kind())
        .isEqualTo(ErrorKind.IO);
  }

  private byte[] entry(String name) {
    return Objects.requireNonNull(entries.get(name), name);
  }

  private void replaceInManifest(String from, String to) {
    String manifest = new String(entry("manifest.json"), UTF_8);
    assertThat(manifest).contains(from);
    entries.put("manifest.json", manifest.replace(from, to).getBytes(UTF_8));
  }

  private void refuses(String message) throws IOException {
    rewrite();
    assertRefused(message);
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> Program.load(file))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(file + message);
  }

  private void rewrite() throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      StoredZipWriter zip = new StoredZipWriter(channel);
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.add(entry.getKey(), MemorySegment.ofArray(entry.getValue()));
      }
      zip.finish();
    }
  }

  private static String sha256(byte[] bytes) {
    return Checksums.sha256(MemorySegment.ofArray(bytes));
  }

  private static int crc32(byte[] bytes) {
    return Checksums.crc32(MemorySegment.ofArray(bytes));
  }
}
