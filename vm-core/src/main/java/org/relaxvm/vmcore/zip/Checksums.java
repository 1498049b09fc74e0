package org.relaxvm.vmcore.zip;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/** Checksums of memory of any size. */
public final class Checksums {
  private static final long CHUNK_BYTES = 1L << 24;

  private Checksums() {}

  /** The CRC-32 that zip archives use. */
  public static int crc32(MemorySegment content) {
    CRC32 crc = new CRC32();
    forEachChunk(content, crc::update);
    return (int) crc.getValue();
  }

  /** The SHA-256 as 64 lower-case hexadecimal digits. */
  public static String sha256(MemorySegment content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      forEachChunk(content, digest::update);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static void forEachChunk(MemorySegment content, Consumer<ByteBuffer> consumer) {
    // A ByteBuffer holds at most 2 GiB.
    for (long at = 0; at < content.byteSize(); at += CHUNK_BYTES) {
      long length = Math.min(CHUNK_BYTES, content.byteSize() - at);
      consumer.accept(content.asSlice(at, length).asByteBuffer());
    }
  }
}
