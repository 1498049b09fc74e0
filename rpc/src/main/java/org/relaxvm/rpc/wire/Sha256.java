package org.relaxvm.rpc.wire;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of contents: clients and servers keep what they have by its digest. */
public final class Sha256 {
  private static final long CHUNK = 1 << 30;

  private Sha256() {}

  /** The digest of all bytes in hexadecimal digits; they are read where they are. */
  public static String of(MemorySegment bytes) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
    for (long at = 0; at < bytes.byteSize(); at += CHUNK) {
      digest.update(bytes.asSlice(at, Math.min(CHUNK, bytes.byteSize() - at)).asByteBuffer());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
