package org.relaxvm.cli.output;

import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;

/** Where a class comes from. */
public final class CodeOrigin {
  private CodeOrigin() {}

  /** The jar or folder of a class, or its module where it has neither. */
  public static String of(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      return type.getModule().toString();
    }
    try {
      return Path.of(source.getLocation().toURI()).toString();
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException _) {
      return source.getLocation().toString();
    }
  }
}
