package org.relaxvm.vmcore.binary;

import java.util.Optional;

/**
 * What a byte string that is no program looks like, for the message about it.
 *
 * @param what such as {@code an ELF library}
 * @param remedy how to go on
 */
public record FileGuess(String what, String remedy) {
  /** The remedy for files that hold data. */
  public static final String GIVE_PROGRAM = "give a program; this file may be an input of one";

  private static final String LOAD_LIBRARY =
      "if Apache TVM exported it, load it with the relaxvm-interop-tvm jar on the class path";

  private static final String LOAD_RELAY =
      "load it as a program with the relaxvm-interop-relay jar on the class path";

  /** Guesses what a byte string is that is no executable; the first 64 bytes are enough. */
  public static FileGuess ofNoExecutable(byte[] head) {
    return ofForeign(head)
        .orElseGet(
            () -> {
              if (startsWith(head, 'P', 'K', 3, 4)) {
                return new FileGuess(
                    "a zip archive",
                    "if it is a .rvm package, load it with Program.load or relaxvm run");
              }
              if (isText(head)) {
                return new FileGuess(
                    "a text file",
                    "if it is a program in text form, assemble it with Assembler.parse");
              }
              return new FileGuess(
                  "of an unknown format",
                  "check that the file is the one you meant and is complete");
            });
  }

  /** The format of other software that begins with these bytes, if it is a known one. */
  public static Optional<FileGuess> ofForeign(byte[] head) {
    if (startsWith(head, 0x7F, 'E', 'L', 'F')) {
      return guess("an ELF library", LOAD_LIBRARY);
    }
    if (startsWith(head, 0xCF, 0xFA, 0xED, 0xFE)) {
      return guess("a library of macOS", LOAD_LIBRARY);
    }
    if (startsWith(head, 'M', 'Z') && !isText(head)) {
      return guess("a library of Windows", LOAD_LIBRARY);
    }
    if (startsWith(head, 0xD2, 0x25, 0xDE, 0x2F, 0x42, 0x14, 0x15)) {
      return guess(
          "an executable written on a big-endian machine", "save it on a little-endian one");
    }
    Optional<String> relay = RelayHeader.version(head);
    if (relay.isPresent()) {
      return guess(
          "an executable of the Relay VM, written by Apache TVM " + relay.get(), LOAD_RELAY);
    }
    if (startsWith(head, 0xB7, 0x9C, 0x04, 0x05, 0x4F, 0x8D, 0xE5, 0xF7)) {
      return guess(
          "a parameter file of Apache TVM", "give the program that takes these parameters");
    }
    if (startsWith(head, 0x89, 'P', 'N', 'G')) {
      return guess("a PNG image", GIVE_PROGRAM);
    }
    if (startsWith(head, 0xFF, 0xD8, 0xFF)) {
      return guess("a JPEG image", GIVE_PROGRAM);
    }
    if (startsWith(head, 0x93, 'N', 'U', 'M', 'P', 'Y')) {
      return guess("a NumPy array", GIVE_PROGRAM);
    }
    if (startsWith(head, 0x1F, 0x8B)) {
      return guess("a gzip archive", "unpack it first");
    }
    if (head.length > 2 && head[0] == 0x08 && head[1] >= 1 && head[1] <= 20 && head[2] == 0x12) {
      return guess("probably an ONNX model", "compile it with the relaxvm compiler first");
    }
    return Optional.empty();
  }

  private static Optional<FileGuess> guess(String what, String remedy) {
    return Optional.of(new FileGuess(what, remedy));
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
