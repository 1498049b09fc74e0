package org.relaxvm.vmcore.binary;

/**
 * What a byte string that is no executable may be, for the message about it.
 *
 * @param what such as {@code an ELF library}
 * @param remedy how to go on
 */
public record FileGuess(String what, String remedy) {
  /** Guesses by the first bytes; at least one and at most the first 64 matter. */
  public static FileGuess of(byte[] head) {
    if (startsWith(head, 0x7F, 'E', 'L', 'F')) {
      return new FileGuess(
          "an ELF library",
          "if Apache TVM exported it, load it with the relaxvm-interop-tvm jar on the class path");
    }
    if (startsWith(head, 'P', 'K', 3, 4)) {
      return new FileGuess(
          "a zip archive", "if it is a .rvm package, load it with Program.load or relaxvm run");
    }
    if (startsWith(head, 0x1F, 0x8B)) {
      return new FileGuess("a gzip archive", "unpack it first");
    }
    if (startsWith(head, 0xD2, 0x25, 0xDE, 0x2F, 0x42, 0x14, 0x15)) {
      return new FileGuess(
          "an executable written on a big-endian machine", "save it on a little-endian one");
    }
    if (startsWith(head, 0xB7, 0x9C, 0x04, 0x05, 0x4F, 0x8D, 0xE5, 0xF7)) {
      return new FileGuess(
          "a parameter file of Apache TVM", "give the program that takes these parameters");
    }
    if (isText(head)) {
      return new FileGuess(
          "a text file", "if it is a program in text form, assemble it with Assembler.parse");
    }
    return new FileGuess(
        "of an unknown format", "check that the file is the one you meant and is complete");
  }

  private static boolean startsWith(byte[] head, int... expected) {
    for (int i = 0; i < expected.length; i++) {
      if (i >= head.length || (head[i] & 0xFF) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isText(byte[] head) {
    for (byte b : head) {
      int c = b & 0xFF;
      if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F) {
        return false;
      }
    }
    return true;
  }
}
