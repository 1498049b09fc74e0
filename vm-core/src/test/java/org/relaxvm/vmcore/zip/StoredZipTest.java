package org.relaxvm.vmcore.zip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SequencedMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.MalformedFileException;

class StoredZipTest {
  private static byte[] zip(long zip64From, String... names) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StoredZipWriter writer = new StoredZipWriter(Channels.newChannel(out), zip64From);
    for (String name : names) {
      writer.add(name, MemorySegment.ofArray(("content of " + name).getBytes(UTF_8)));
    }
    writer.finish();
    return out.toByteArray();
  }

  private static SequencedMap<String, StoredEntry> read(byte[] bytes) {
    return StoredZip.read("a.zip", MemorySegment.ofArray(bytes));
  }

  private static String text(StoredEntry entry) {
    return new String(entry.content().toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }

  private static void refuses(byte[] bytes, String message) {
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message);
  }

  @Test
  void entriesComeBackInOrderAndAligned() throws IOException {
    SequencedMap<String, StoredEntry> entries = read(zip(1L << 32, "b", "folder/a", "c"));
    assertThat(entries.sequencedKeySet()).containsExactly("b", "folder/a", "c");
    for (StoredEntry entry : entries.values()) {
      assertThat(entry.dataOffset() % StoredZipWriter.ALIGNMENT).isZero();
      assertThat(text(entry)).isEqualTo("content of " + entry.name());
      assertThat(entry.matchesCrc()).isTrue();
    }
  }

  @Test
  void zip64FieldsAreUnderstoodHereAndByTheJdk(@TempDir Path folder) throws IOException {
    for (long from : new long[] {0, 1, 50, 100}) {
      byte[] bytes = zip(from, "first", "second");
      assertThat(text(read(bytes).lastEntry().getValue())).isEqualTo("content of second");
      Path file = folder.resolve("a" + from + ".zip");
      Files.write(file, bytes);
      try (ZipFile jdk = new ZipFile(file.toFile())) {
        byte[] second = jdk.getInputStream(jdk.getEntry("second")).readAllBytes();
        assertThat(new String(second, UTF_8)).isEqualTo("content of second");
      }
    }
  }

  @Test
  void emptyArchiveHasNoEntries() throws IOException {
    assertThat(read(zip(1L << 32))).isEmpty();
  }

  @Test
  void duplicateNamesAreRefused() throws IOException {
    refuses(
        zip(1L << 32, "a", "a"),
        "a.zip is damaged: it has two entries named 'a'; get or write the file again");
  }

  @Test
  void namesThatLeaveTheFolderAreRefused() throws IOException {
    for (String name : new String[] {"../a", "/a", "a/../../b", "a\\b", "c:a", "a//b", "./a"}) {
      refuses(
          zip(1L << 32, name),
          "a.zip has an entry with the name '"
              + name
              + "', but only plain relative paths are read");
    }
    refuses(
        zip(1L << 32, "a\0b"),
        "a.zip has an entry with the name 'a?b', but only plain relative paths are read");
  }

  @Test
  void directoryThatPointsAtAnotherEntryIsRefused() throws IOException {
    byte[] bytes = zip(1L << 32, "a", "b");
    // Both directory entries point at the first one's header, whose name is made to fit.
    int directory = directoryOf(bytes);
    int second = directory + ZipLayout.CENTRAL_BYTES + 1;
    System.arraycopy(bytes, directory + 16, bytes, second + 16, 4);
    System.arraycopy(bytes, directory + 42, bytes, second + 42, 4);
    refuses(
        bytes,
        "a.zip is damaged: the header of entry 'b' differs from the directory;"
            + " get or write the file again");
  }

  @Test
  void entryInsideAnotherIsRefused() throws IOException {
    // The content of the outer entry is an archive; its first header is a valid header.
    byte[] inner = zip(1L << 32, "b");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StoredZipWriter writer = new StoredZipWriter(Channels.newChannel(out), 1L << 32);
    writer.add("a", MemorySegment.ofArray(inner));
    writer.add("b", MemorySegment.ofArray("content of b".getBytes(UTF_8)));
    writer.finish();
    byte[] bytes = out.toByteArray();
    int second = directoryOf(bytes) + ZipLayout.CENTRAL_BYTES + 1;
    MemorySegment.ofArray(bytes).set(ZipLayout.U32, second + 42L, 64);
    refuses(bytes, "a.zip is damaged: two entries overlap at byte 64; get or write the file again");
  }

  @Test
  void sizesThatReachPastTheFileAreRefused() throws IOException {
    byte[] bytes = zip(1L << 32, "a");
    int directory = directoryOf(bytes);
    for (int at : new int[] {18, 22, directory + 20, directory + 24}) {
      MemorySegment.ofArray(bytes).set(ZipLayout.U32, at, 0x7FFF_FFFF);
    }
    refuses(
        bytes,
        "a.zip is damaged: entry 'a' reaches past the start of the directory;"
            + " get or write the file again");
  }

  private static int directoryOf(byte[] bytes) {
    return MemorySegment.ofArray(bytes).get(ZipLayout.U32, bytes.length - 6L);
  }
}
