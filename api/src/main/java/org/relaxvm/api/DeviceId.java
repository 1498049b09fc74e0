package org.relaxvm.api;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Names a device: its kind (the name of the backend, such as {@code cpu} or {@code cuda}) and its
 * number among the devices of that kind.
 *
 * @param kind lower-case letters, digits, {@code -} and {@code _}; starts with a letter
 * @param ordinal counted from 0
 */
public record DeviceId(String kind, int ordinal) {
  /** What a kind looks like, as a regular expression. */
  public static final String KIND_PATTERN = "[a-z][a-z0-9_-]*";

  /** The host CPU. */
  public static final DeviceId CPU = new DeviceId("cpu", 0);

  /** Checks both parts. */
  public DeviceId {
    if (!kind.matches(KIND_PATTERN) || ordinal < 0) {
      throw malformed(kind + ":" + ordinal);
    }
  }

  /**
   * Reads {@code kind} or {@code kind:ordinal}; without an ordinal it is 0.
   *
   * @throws BackendException a {@code ValueError} when the text has another form
   */
  public static DeviceId parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return new DeviceId(text, 0);
    }
    String digits = text.substring(colon + 1);
    if (!digits.matches("[0-9]{1,6}")) {
      throw malformed(text);
    }
    return new DeviceId(text.substring(0, colon), Integer.parseInt(digits));
  }

  /**
   * The number that DLPack and TVM bytecode use for this kind (docs/spec/executable-format.md,
   * section 1).
   */
  public int typeCode() {
    return DeviceTypeCodes.codeOf(kind);
  }

  private static BackendException malformed(String text) {
    return new BackendException(
        ErrorKind.VALUE,
        "malformed device name '"
            + text
            + "': expected a backend name and optionally a number, such as cpu, cuda:0 or"
            + " opencl:1");
  }

  /** The form that {@link #parse} reads, such as {@code cuda:0}. */
  @Override
  public String toString() {
    return kind + ":" + ordinal;
  }
}
