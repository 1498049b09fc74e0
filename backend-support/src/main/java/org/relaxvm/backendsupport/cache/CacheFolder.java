package org.relaxvm.backendsupport.cache;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The files of a cache. Other processes add and delete files at any time, so whatever is seen may
 * be gone a moment later. Files with other names are never touched. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "When is the kernel cache swept?"
 */
final class CacheFolder {
  /** A file under way is written in less. */
  static final Duration TEMPORARY_LIFE = Duration.ofHours(1);

  private static final Pattern ENTRY = Pattern.compile("[0-9a-f]{64}\\.kernel");
  private static final Pattern TEMPORARY = Pattern.compile("\\.[0-9a-f]{64}\\.kernel\\..*\\.tmp");

  private final Path folder;

  CacheFolder(Path folder) {
    this.folder = folder;
  }

  /** How many entries there are, and their size. */
  record Content(int entries, long bytes) {}

  private record Entry(Path file, long bytes, FileTime used) {}

  Path path() {
    return folder;
  }

  /** Where the kernel of an id is, or would be. */
  Path entry(String id) {
    return folder.resolve(id + ".kernel");
  }

  /** Makes the folder, for its owner only: who can write to it chooses what devices run. */
  void create() throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    try {
      Files.createDirectories(folder, ownerOnly(folder.getFileSystem()));
    } catch (FileAlreadyExistsException e) {
      throw new IOException(e.getFile() + " is not a folder", e);
    }
  }

  private static FileAttribute<?>[] ownerOnly(FileSystem system) {
    return system.supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Why nothing can be written here, as far as that shows without trying; empty if nothing does.
   */
  String refusal() {
    for (Path path = folder; path != null; path = path.getParent()) {
      if (Files.exists(path)) {
        return !Files.isDirectory(path)
            ? path + " is not a folder"
            : Files.isWritable(path) ? "" : path + " cannot be written";
      }
    }
    return folder + " has no root";
  }

  /** What the file system said. */
  static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied: " + denied.getFile();
      case NoSuchFileException missing -> "no such file or folder: " + missing.getFile();
      default -> e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    };
  }

  /** Counts the entries. */
  Content content() throws IOException {
    List<Entry> entries = entries();
    return new Content(entries.size(), bytes(entries));
  }

  /**
   * Deletes what processes left that died while they wrote, and, where there is more than the
   * limit, the entries used longest ago, until a quarter of it is free.
   *
   * @return bytes of the entries that stay
   */
  long sweep(long limitBytes, Instant now) throws IOException {
    deleteTemporaries(now.minus(TEMPORARY_LIFE));
    List<Entry> entries = entries();
    long bytes = bytes(entries);
    if (bytes > limitBytes) {
      long goal = limitBytes - limitBytes / 4;
      entries.sort(Comparator.comparing(Entry::used).thenComparing(Entry::file));
      for (Entry entry : entries) {
        if (bytes <= goal) {
          break;
        }
        EntryFile.delete(entry.file);
        bytes -= entry.bytes;
      }
    }
    return bytes;
  }

  private void deleteTemporaries(Instant before) throws IOException {
    for (Entry file : files(TEMPORARY)) {
      if (file.used.toInstant().isBefore(before)) {
        EntryFile.delete(file.file);
      }
    }
  }

  private List<Entry> entries() throws IOException {
    return files(ENTRY);
  }

  private List<Entry> files(Pattern names) throws IOException {
    List<Entry> files = new ArrayList<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(
            folder, file -> names.matcher(file.getFileName().toString()).matches())) {
      for (Path file : all) {
        try {
          BasicFileAttributes attributes =
              Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          if (attributes.isRegularFile()) {
            files.add(new Entry(file, attributes.size(), attributes.lastModifiedTime()));
          }
        } catch (NoSuchFileException _) {
          // Deleted since it was listed.
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  private static long bytes(List<Entry> entries) {
    return entries.stream().mapToLong(Entry::bytes).sum();
  }
}
