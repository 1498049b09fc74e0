package org.relaxvm.vmcore.binary;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The header of executables of Apache TVM's Relay VM. They begin with the magic of executables of
 * the Relax VM up to era C; only the version tells them apart.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.3.
 */
public final class RelayHeader {
  /** The first eight bytes. */
  public static final long MAGIC = 0xD225DE2F4214151DL;

  /** The version that Relax executables have and Relay executables never have. */
  public static final String RELAX_VERSION = "0.14";

  private static final int VERSION_OFFSET = 16;
  private static final int LONGEST_VERSION = 256;

  private RelayHeader() {}

  /**
   * The version of the TVM that wrote a Relay executable; empty for other files.
   *
   * @param head the first bytes of a file, as many as there are up to 300
   */
  public static Optional<String> version(byte[] head) {
    if (head.length <= VERSION_OFFSET) {
      return Optional.empty();
    }
    ByteBuffer words = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    long length = words.getLong(Long.BYTES);
    if (words.getLong(0) != MAGIC
        || length <= 0
        || length > Math.min(LONGEST_VERSION, head.length - VERSION_OFFSET)) {
      return Optional.empty();
    }
    String version =
        new String(head, VERSION_OFFSET, (int) length, StandardCharsets.UTF_8)
            .replaceAll("[\\p{Cntrl}\\uFFFD]", "?");
    return version.equals(RELAX_VERSION) ? Optional.empty() : Optional.of(version);
  }
}
