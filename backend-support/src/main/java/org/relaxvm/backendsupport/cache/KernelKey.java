package org.relaxvm.backendsupport.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * What a compiled kernel depends on. Two keys are the same kernel only when all of it is equal.
 *
 * @param source text that is compiled, or any text that stands for it
 * @param device name of the device, with whatever else tells its kind apart
 * @param driver version of the driver, or of the compiler in it
 * @param options of the compiler
 */
public record KernelKey(String source, String device, String driver, String options) {
  /** The SHA-256 of all parts, each with its length before it, and of the cache's format. */
  byte[] digest() {
    MessageDigest digest = EntryFile.sha256();
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, EntryFile.VERSION));
    for (String part : new String[] {source, device, driver, options}) {
      byte[] bytes = part.getBytes(UTF_8);
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, bytes.length));
      digest.update(bytes);
    }
    return digest.digest();
  }

  /** The digest as text, which is the name of the kernel's file. */
  String id() {
    return HexFormat.of().formatHex(digest());
  }

  /** Not the source, which may be long. */
  @Override
  public String toString() {
    return "kernel " + id().substring(0, 12) + " for " + device + ", driver " + driver;
  }
}
