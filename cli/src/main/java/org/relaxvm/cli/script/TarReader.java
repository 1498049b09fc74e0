package org.relaxvm.cli.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tar archive entry by entry: POSIX ustar, and long names of GNU and of pax headers. Links
 * and devices are skipped.
 */
final class TarReader {
  private static final int BLOCK = 512;
  private static final int MAX_HEADER = 1 << 20;

  private final InputStream in;
  private long left;
  private long padding;

  TarReader(InputStream in) {
    this.in = in;
  }

  /**
   * An entry.
   *
   * @param size in bytes
   */
  record Entry(String name, long size, boolean isFile) {}

  /** The next entry, after whatever is left of the one before; null at the end. */
  @Nullable Entry next() throws IOException {
    String longName = null;
    while (true) {
      skip();
      byte[] header = in.readNBytes(BLOCK);
      if (header.length == 0 || (header.length == BLOCK && isZero(header))) {
        return null;
      }
      if (header.length < BLOCK) {
        throw new EOFException("it ends within the header of an entry");
      }
      left = number(header, 124, 12);
      padding = -left & (BLOCK - 1);
      char type = (char) header[156];
      switch (type) {
        case 'L' -> longName = string(content(), 0, Integer.MAX_VALUE);
        case 'x' -> longName = path(content(), longName);
        case 'g' -> skip();
        default -> {
          String name = longName != null ? longName : name(header);
          return new Entry(name, left, type == '0' || type == 0);
        }
      }
    }
  }

  /** Copies the content of the current entry. */
  void copyTo(OutputStream out) throws IOException {
    byte[] buffer = new byte[1 << 16];
    while (left > 0) {
      int count = in.readNBytes(buffer, 0, (int) Math.min(buffer.length, left));
      if (count == 0) {
        throw new EOFException("it ends within an entry");
      }
      out.write(buffer, 0, count);
      left -= count;
    }
  }

  private void skip() throws IOException {
    try {
      in.skipNBytes(left + padding);
    } catch (EOFException e) {
      throw new IOException("it ends within an entry", e);
    }
    left = 0;
    padding = 0;
  }

  private byte[] content() throws IOException {
    if (left > MAX_HEADER) {
      throw new IOException("a name of " + left + " bytes");
    }
    byte[] content = in.readNBytes((int) left);
    left = 0;
    return content;
  }

  /** The path of a pax header: records such as {@code 21 path=folder/name\n}. */
  private static @Nullable String path(byte[] content, @Nullable String otherwise) {
    for (String line : new String(content, UTF_8).split("\n", -1)) {
      int start = line.indexOf(" path=");
      if (start > 0) {
        return line.substring(start + " path=".length());
      }
    }
    return otherwise;
  }

  private static String name(byte[] header) {
    boolean isUstar = string(header, 257, 5).equals("ustar");
    String prefix = isUstar ? string(header, 345, 155) : "";
    String name = string(header, 0, 100);
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  private static long number(byte[] header, int from, int length) throws IOException {
    String digits = string(header, from, length).strip();
    if (!digits.matches("[0-7]{0,12}")) {
      throw new IOException("the size of an entry is no octal number");
    }
    return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
  }

  private static String string(byte[] bytes, int from, int length) {
    int end = from;
    while (end < bytes.length && end - from < length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, from, end - from, UTF_8);
  }

  private static boolean isZero(byte[] block) {
    return Arrays.equals(block, new byte[BLOCK]);
  }
}
