package org.relaxvm.cli.script;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** The files of an archive in a temporary folder, which is deleted on {@link #close}. */
record UnpackedArchive(Path folder) implements AutoCloseable {
  /** The most that an archive may hold, so that a small one cannot fill the disk. */
  private static final long MAX_BYTES = 4L << 30;

  static UnpackedArchive of(Path archive) {
    try {
      UnpackedArchive unpacked = new UnpackedArchive(Files.createTempDirectory("relaxvm-check"));
      boolean done = false;
      try (InputStream in =
          new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
        unpacked.unpack(new TarReader(in));
        done = true;
      } finally {
        if (!done) {
          unpacked.close();
        }
      }
      return unpacked;
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read the archive '" + archive + "': " + e.getMessage(), e);
    }
  }

  private void unpack(TarReader tar) throws IOException {
    long total = 0;
    for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
      Path target = folder.resolve(entry.name()).normalize();
      if (!target.startsWith(folder)) {
        throw new IOException("the entry '" + entry.name() + "' leads out of the archive");
      }
      total = Math.addExact(total, entry.size());
      if (total > MAX_BYTES) {
        throw new IOException("it holds more than " + MAX_BYTES + " bytes");
      }
      if (entry.isFile()) {
        Files.createDirectories(target.getParent());
        try (var out = Files.newOutputStream(target)) {
          tar.copyTo(out);
        }
      }
    }
  }

  /** The folders that hold a file of a name, sorted. */
  List<Path> foldersWith(String name) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.endsWith(name)).map(Path::getParent).sorted().toList();
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read the folder '" + folder + "': " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot delete the folder '" + folder + "': " + e.getMessage(), e);
    }
  }
}
