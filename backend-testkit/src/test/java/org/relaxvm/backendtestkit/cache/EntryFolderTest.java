package org.relaxvm.backendtestkit.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries come back whole or not at all. */
class EntryFolderTest {
  private static final byte[] KEY = key(1);
  private static final byte[] CONTENT = "content".getBytes(UTF_8);

  @TempDir Path folder;

  private static byte[] key(int number) {
    return Digests.sha256(new byte[] {(byte) number});
  }

  private EntryFolder entries() {
    return new EntryFolder(folder, 1 << 20);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void anEntryIsFoundByAnotherUserOfTheFolder() throws IOException {
    assertThat(entries().find(KEY)).isEmpty();
    entries().store(KEY, CONTENT);
    assertThat(entries().find(KEY)).hasValueSatisfying(c -> assertThat(c).isEqualTo(CONTENT));
    assertThat(entries().find(key(2))).isEmpty();
    assertThat(files()).as("files, without those half written").hasSize(1);
  }

  @Test
  void aTruncatedEntryIsNotFoundAndWrittenAgain() throws IOException {
    entries().store(KEY, CONTENT);
    Path file = files().getFirst();
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(entries().find(KEY)).as("the first %s bytes", length).isEmpty();
    }
    entries().store(KEY, CONTENT);
    assertThat(entries().find(KEY)).isPresent();
  }

  @Test
  void aDamagedEntryIsNotFound() throws IOException {
    entries().store(KEY, CONTENT);
    Path file = files().getFirst();
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 1;
      Files.write(file, damaged);
      assertThat(entries().find(KEY)).as("with byte %s changed", i).isEmpty();
    }
  }

  @Test
  void theOldestEntriesGoWhenThereAreTooMany() throws IOException {
    EntryFolder large = entries();
    byte[] content = new byte[100 - 64];
    for (int i = 0; i < 10; i++) {
      large.store(key(i), content);
      for (Path file : files()) {
        if (large.find(key(i)).isPresent() && file.toString().endsWith(".entry")) {
          FileTime now = Files.getLastModifiedTime(file);
          Files.setLastModifiedTime(file, FileTime.fromMillis(now.toMillis() - 1_000));
        }
      }
    }
    // Ten entries of 100 bytes each; three quarters of 800 are kept, and one is added.
    new EntryFolder(folder, 800).store(key(10), content);
    List<Integer> kept =
        IntStream.rangeClosed(0, 10).filter(i -> large.find(key(i)).isPresent()).boxed().toList();
    assertThat(kept).containsExactly(4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void aFolderThatCannotBeMadeHoldsNothing() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    EntryFolder none = new EntryFolder(file, 1 << 20);
    none.store(KEY, CONTENT);
    assertThat(none.find(KEY)).isEmpty();
  }

  @Test
  void manyWritersLeaveAWholeEntry() {
    EntryFolder shared = entries();
    byte[] content = new byte[100_000];
    IntStream.range(0, 64)
        .parallel()
        .forEach(
            i -> {
              shared.store(KEY, content);
              assertThat(shared.find(KEY)).isPresent();
            });
  }
}
