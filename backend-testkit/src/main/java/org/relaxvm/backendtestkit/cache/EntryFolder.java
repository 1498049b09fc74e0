package org.relaxvm.backendtestkit.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries in files of a folder, which several processes may use at once. A file holds the key, the
 * content and its digest; one that does not is ignored and written again. Files are written under
 * another name and moved into place. A folder that cannot be written to is a slow one, not an
 * error. Thread-safe.
 */
final class EntryFolder {
  private static final String ENDING = ".entry";
  private static final int DIGEST_BYTES = 32;

  private final Logger log = LoggerFactory.getLogger(EntryFolder.class);
  private final AtomicBoolean isTrimmed = new AtomicBoolean();
  private final Path folder;
  private final long mostBytes;

  /**
   * A folder, which need not exist.
   *
   * @param mostBytes when entries take more than this, the oldest quarter of the bytes is deleted;
   *     looked at before the first entry is stored
   */
  EntryFolder(Path folder, long mostBytes) {
    this.folder = folder;
    this.mostBytes = mostBytes;
  }

  /** The content of an entry that is there and whole. */
  Optional<byte[]> find(byte[] key) {
    try {
      ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(path(key)));
      if (file.remaining() < 2 * DIGEST_BYTES) {
        return Optional.empty();
      }
      byte[] storedKey = new byte[DIGEST_BYTES];
      byte[] digest = new byte[DIGEST_BYTES];
      file.get(storedKey).get(digest);
      byte[] content = new byte[file.remaining()];
      file.get(content);
      boolean isWhole =
          Arrays.equals(storedKey, key) && Arrays.equals(digest, Digests.sha256(content));
      return isWhole ? Optional.of(content) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      log.debug("an entry of {} is not read: {}", folder, e.toString());
      return Optional.empty();
    }
  }

  /** Stores an entry, in place of one of the same key. */
  void store(byte[] key, byte[] content) {
    try {
      Path target = path(key);
      Files.createDirectories(target.getParent());
      if (isTrimmed.compareAndSet(false, true)) {
        trim();
      }
      Path written = Files.createTempFile(folder, "", ".part");
      try {
        ByteBuffer file = ByteBuffer.allocate(2 * DIGEST_BYTES + content.length);
        file.put(key).put(Digests.sha256(content)).put(content);
        Files.write(written, file.array());
        Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      log.debug("an entry of {} is not stored: {}", folder, e.toString());
    }
  }

  /** Deletes the oldest entries when there are too many. */
  private void trim() throws IOException {
    record Entry(Path path, long size, long age) {}
    List<Entry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(ENDING)).toList()) {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        entries.add(new Entry(file, attributes.size(), -attributes.lastModifiedTime().toMillis()));
      }
    } catch (NoSuchFileException | UncheckedIOException e) {
      // Another process is deleting.
      return;
    }
    long bytes = entries.stream().mapToLong(Entry::size).sum();
    if (bytes <= mostBytes) {
      return;
    }
    entries.sort(Comparator.comparingLong(Entry::age).reversed());
    for (Entry entry : entries) {
      if (bytes <= mostBytes - mostBytes / 4) {
        return;
      }
      Files.deleteIfExists(entry.path());
      bytes -= entry.size();
    }
  }

  private Path path(byte[] key) {
    String name = HexFormat.of().formatHex(key);
    return folder.resolve(name.substring(0, 2)).resolve(name.substring(2) + ENDING);
  }
}
