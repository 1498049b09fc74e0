package org.relaxvm.backendsupport.cache;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The file of one kernel, big-endian: magic (8 bytes), version (4), digest of the key (32), length
 * of the content (8), SHA-256 of the content (32), content to the end of the file.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why has the kernel cache no lock file?"
 */
final class EntryFile {
  /** Also part of each key, so that versions do not see each other's files. */
  static final int VERSION = 1;

  static final int HEADER_BYTES = 84;

  // Neither text nor what a transfer as text would leave alone.
  private static final long MAGIC = 0x89_52_56_4d_4b_0d_0a_1aL;

  private EntryFile() {}

  /** Writes an entry to where the channel is. */
  static void write(FileChannel channel, byte[] key, byte[] content) throws IOException {
    ByteBuffer header = header(key, content.length, sha256().digest(content));
    for (ByteBuffer part : new ByteBuffer[] {header, ByteBuffer.wrap(content)}) {
      while (part.hasRemaining()) {
        channel.write(part);
      }
    }
  }

  /**
   * Reads an entry.
   *
   * @param most bytes of content that are believed
   * @return empty when the file is anything but the whole entry of the key
   * @throws IOException when there is no such file, or it cannot be read
   */
  static Optional<byte[]> read(Path file, byte[] key, long most) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size() - HEADER_BYTES;
      if (length < 0 || length > Math.min(most, Integer.MAX_VALUE - 8)) {
        return Optional.empty();
      }
      InputStream in = Channels.newInputStream(channel);
      byte[] header = in.readNBytes(HEADER_BYTES);
      byte[] content = in.readNBytes((int) length);
      byte[] expected = header(key, content.length, sha256().digest(content)).array();
      boolean whole = content.length == length && Arrays.equals(header, expected);
      return whole ? Optional.of(content) : Optional.empty();
    }
  }

  /** Bytes of the file of a kernel of this size. */
  static long fileBytes(byte[] content) {
    return HEADER_BYTES + (long) content.length;
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Deletes a file, if it can be. */
  static boolean delete(Path file) {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException _) {
      return false;
    }
  }

  private static ByteBuffer header(byte[] key, long length, byte[] checksum) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .putLong(MAGIC)
        .putInt(VERSION)
        .put(key)
        .putLong(length)
        .put(checksum)
        .flip();
  }
}
