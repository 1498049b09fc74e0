package org.relaxvm.interoprelay.release.file;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.interoprelay.release.Era;

/**
 * A format of the file. The version of the TVM that wrote a file decides it; nothing else in the
 * file does.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.4.
 */
enum FileFormat {
  TVM_0_6(Era.R1, 6, false),
  TVM_0_7(Era.R2, 7, false),
  TVM_0_8(Era.R2, 8, true),
  TVM_0_9(Era.R3, 9, true),
  TVM_0_14(Era.R4, 14, true);

  /** The versions that wrote such files, for messages. */
  static final String VERSIONS = "a version of Apache TVM from 0.6 to 0.19, such as 0.8.0";

  private static final int FIRST = 6;
  private static final int LAST = 19;
  private static final Pattern RELEASE = Pattern.compile("0\\.(\\d{1,2})\\.\\d{1,4}");
  private static final Pattern OTHER = Pattern.compile("0\\.(\\d{1,2})\\.[0-9A-Za-z.+_-]{1,64}");

  final Era era;
  final boolean packedAttributes;
  private final int since;

  FileFormat(Era era, int since, boolean packedAttributes) {
    this.era = era;
    this.since = since;
    this.packedAttributes = packedAttributes;
  }

  boolean hasDevices() {
    return era != Era.R1;
  }

  boolean hasDeviceTable() {
    return era.compareTo(Era.R3) >= 0;
  }

  boolean hasMemoryScopes() {
    return era == Era.R4;
  }

  /** The releases that wrote it, for messages. */
  String releases() {
    return switch (this) {
      case TVM_0_6 -> "TVM 0.6";
      case TVM_0_7 -> "TVM 0.7";
      case TVM_0_8 -> "TVM 0.8";
      case TVM_0_9 -> "TVM 0.9 to 0.13";
      case TVM_0_14 -> "TVM 0.14 to 0.19";
    };
  }

  /**
   * The formats that a file with a version may have, the likeliest first; empty for versions of
   * other programs. A development version lies between two releases, so either may fit.
   */
  static List<FileFormat> candidates(String version) {
    Matcher release = RELEASE.matcher(version);
    List<FileFormat> formats = new ArrayList<>();
    if (release.matches()) {
      add(formats, Integer.parseInt(release.group(1)));
      return formats;
    }
    Matcher other = OTHER.matcher(version);
    if (other.matches()) {
      int minor = Integer.parseInt(other.group(1));
      add(formats, minor);
      add(formats, minor - 1);
    }
    return formats;
  }

  private static void add(List<FileFormat> formats, int minor) {
    if (minor < FIRST || minor > LAST) {
      return;
    }
    FileFormat found = TVM_0_6;
    for (FileFormat format : values()) {
      if (format.since <= minor) {
        found = format;
      }
    }
    if (!formats.contains(found)) {
      formats.add(found);
    }
  }
}
