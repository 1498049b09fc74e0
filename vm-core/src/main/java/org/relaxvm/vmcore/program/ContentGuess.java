package org.relaxvm.vmcore.program;

import java.util.HexFormat;

/**
 * What a file that no reader takes looks like, for the message.
 *
 * @param what completes "it is ..."
 * @param remedy what the user can do
 */
record ContentGuess(String what, String remedy) {
  private static final String GIVE_PROGRAM = "give a program; this file may be an input of one";

  static ContentGuess of(FileHead head) {
    if (head.size() == 0) {
      return new ContentGuess("an empty file", "write or download it again");
    }
    if (head.hasAt(0, 0x7F, 'E', 'L', 'F')) {
      return new ContentGuess(
          "an ELF library",
          "a library exported by Apache TVM needs the relaxvm-interop-tvm jar on the class path");
    }
    if (head.hasTextAt(0, "PK\3\4")) {
      return ofZip(head);
    }
    if (head.hasAt(0, 0x89, 'P', 'N', 'G')) {
      return new ContentGuess("a PNG image", GIVE_PROGRAM);
    }
    if (head.hasAt(0, 0xFF, 0xD8, 0xFF)) {
      return new ContentGuess("a JPEG image", GIVE_PROGRAM);
    }
    if (head.hasAt(0, 0x93, 'N', 'U', 'M', 'P', 'Y')) {
      return new ContentGuess("a NumPy array", GIVE_PROGRAM);
    }
    if (head.hasAt(0, 0xB7, 0x9C, 0x04, 0x05, 0x4F, 0x8D, 0xE5, 0xF7)) {
      return new ContentGuess("a parameter file of Apache TVM", GIVE_PROGRAM);
    }
    if (head.hasAt(0, 0x1F, 0x8B)) {
      return new ContentGuess("a gzip archive", "unpack it first");
    }
    if (head.hasAt(0, 0x08) && head.at(1) >= 1 && head.at(1) <= 20 && head.at(2) == 0x12) {
      return new ContentGuess(
          "probably an ONNX model", "compile it with the relaxvm compiler first");
    }
    if (looksLikeText(head)) {
      return new ContentGuess(
          "a text file that is no program",
          "a program in text form starts with the line 'relaxvm-text 1' or with a function such"
              + " as '@main(x):'");
    }
    return new ContentGuess(
        "of an unknown format, starting with the bytes " + firstBytes(head),
        "check that the file is complete and is the one you meant");
  }

  private static ContentGuess ofZip(FileHead head) {
    int nameLength = head.at(26) + 256 * Math.max(0, head.at(27));
    String text = head.text();
    boolean complete = nameLength > 0 && nameLength <= 255 && 30 + nameLength <= head.size();
    String name = complete ? ascii(head, 30, nameLength) : "";
    if (name.endsWith(".npy")) {
      return new ContentGuess("an archive of NumPy arrays (.npz)", GIVE_PROGRAM);
    }
    if (text.contains("META-INF/MANIFEST.MF")) {
      return new ContentGuess(
          "a Java archive", "put it on the class path, and give a program here");
    }
    String first = name.isEmpty() ? "" : ", but '" + name + "'";
    return new ContentGuess(
        "a zip archive whose first entry is not 'manifest.json'" + first,
        "a .rvm package must be written by RelaxVM; packing its files again with a zip tool loses"
            + " the order and alignment that it needs");
  }

  private static String ascii(FileHead head, int offset, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      int c = head.at(offset + i);
      text.append(c >= 0x20 && c < 0x7F ? (char) c : '?');
    }
    return text.toString();
  }

  private static boolean looksLikeText(FileHead head) {
    for (int i = 0; i < head.size(); i++) {
      int c = head.at(i);
      if (c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f') {
        return false;
      }
    }
    // The head may end within a character.
    String text = head.text();
    int malformed = text.indexOf('\uFFFD');
    return malformed < 0 || (head.size() == FileHead.LIMIT && malformed >= text.length() - 3);
  }

  private static String firstBytes(FileHead head) {
    byte[] bytes = new byte[Math.min(8, head.size())];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) head.at(i);
    }
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }
}
