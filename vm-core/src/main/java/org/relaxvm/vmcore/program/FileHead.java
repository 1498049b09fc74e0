package org.relaxvm.vmcore.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** The first bytes of a file, by which its format is told. Immutable. */
public final class FileHead {
  /** The number of bytes kept, or all when the file is shorter. */
  public static final int LIMIT = 4096;

  private final byte[] bytes;

  private FileHead(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The head of a file's content. */
  public static FileHead of(byte[] content) {
    return new FileHead(Arrays.copyOf(content, Math.min(content.length, LIMIT)));
  }

  /**
   * Reads the head of a file.
   *
   * @throws MalformedFileException an {@code IOError} when the file cannot be read
   */
  public static FileHead of(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return new FileHead(in.readNBytes(LIMIT));
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + e.getMessage(), e);
    }
  }

  /** The number of bytes known. */
  public int size() {
    return bytes.length;
  }

  /** The byte at an index as 0 to 255, or -1 past the end. */
  public int at(int index) {
    return index < bytes.length ? bytes[index] & 0xFF : -1;
  }

  /** Whether the bytes from {@code offset} on are these; each is 0 to 255. */
  public boolean hasAt(int offset, int... expected) {
    for (int i = 0; i < expected.length; i++) {
      if (at(offset + i) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the bytes from {@code offset} on are those of an ASCII text. */
  public boolean hasTextAt(int offset, String expected) {
    return hasAt(offset, expected.chars().toArray());
  }

  /** The bytes known, as a copy. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The head as text; bytes that are no UTF-8 become replacement characters. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
