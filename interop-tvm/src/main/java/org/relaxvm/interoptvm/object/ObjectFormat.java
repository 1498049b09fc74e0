package org.relaxvm.interoptvm.object;

import java.util.Locale;

/** How a native library is laid out. */
public enum ObjectFormat {
  /** Linux and most other Unix systems. */
  ELF("an ELF library"),
  /** macOS. */
  MACH_O("a Mach-O library"),
  /** Windows. */
  PE("a PE library");

  private final String text;

  ObjectFormat(String text) {
    this.text = text;
  }

  /** The format that an operating system loads. */
  static ObjectFormat ofSystem(String osName) {
    String name = osName.toLowerCase(Locale.ROOT);
    if (name.startsWith("windows")) {
      return PE;
    }
    return name.startsWith("mac") || name.startsWith("darwin") ? MACH_O : ELF;
  }

  /** Such as {@code an ELF library}. */
  @Override
  public String toString() {
    return text;
  }
}
