package org.relaxvm.objects.schema;

import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** A generation of types: the releases of Apache TVM that have the same. */
public enum TvmRelease {
  /** 0.26 and newer. */
  V0_26("0.26");

  private final String text;

  TvmRelease(String text) {
    this.text = text;
  }

  /** The first release of the generation, as {@code 0.26}. */
  public String text() {
    return text;
  }

  /**
   * The generation of a release.
   *
   * @param version as {@code 0.26} or {@code 0.26.dev0}
   * @throws CallException a {@code ValueError} for another text, or a release that is older than
   *     all generations
   */
  public static TvmRelease parse(String version) {
    String[] parts = version.split("\\.", 3);
    try {
      int minor = Integer.parseInt(parts[1]);
      if (Integer.parseInt(parts[0]) == 0 && minor >= 26) {
        return V0_26;
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new CallException(ErrorKind.VALUE, "malformed release '" + version + "'", e);
    }
    throw new CallException(
        ErrorKind.VALUE,
        "no types of release "
            + version
            + " are known\n  known: "
            + String.join(", ", Arrays.stream(values()).map(TvmRelease::text).toList())
            + " and those that have the same types");
  }

  @Override
  public String toString() {
    return text;
  }
}
