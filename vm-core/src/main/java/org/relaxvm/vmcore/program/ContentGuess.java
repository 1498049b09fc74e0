package org.relaxvm.vmcore.program;

import java.util.HexFormat;
import org.relaxvm.vmcore.binary.FileGuess;

/** What a file that no reader takes looks like, for the message. */
final class ContentGuess {
  private ContentGuess() {}

  static FileGuess of(FileHead head) {
    if (head.size() == 0) {
      return new FileGuess("an empty file", "write or download it again");
    }
    if (head.hasTextAt(0, "PK\3\4")) {
      return ofZip(head);
    }
    return FileGuess.ofForeign(head.bytes()).orElseGet(() -> ofUnknown(head));
  }

  private static FileGuess ofUnknown(FileHead head) {
    if (looksLikeText(head)) {
      return new FileGuess(
          "a text file that is no program",
          "a program in text form starts with the line 'relaxvm-text 1' or with a function such"
              + " as '@main(x):'");
    }
    return new FileGuess(
        "of an unknown format, starting with the bytes " + firstBytes(head),
        "check that the file is complete and is the one you meant");
  }

  private static FileGuess ofZip(FileHead head) {
    int nameLength = head.at(26) + 256 * Math.max(0, head.at(27));
    String text = head.text();
    boolean complete = nameLength > 0 && nameLength <= 255 && 30 + nameLength <= head.size();
    String name = complete ? ascii(head, 30, nameLength) : "";
    if (name.endsWith(".npy")) {
      return new FileGuess("an archive of NumPy arrays (.npz)", FileGuess.GIVE_PROGRAM);
    }
    if (text.contains("META-INF/MANIFEST.MF")) {
      return new FileGuess("a Java archive", "put it on the class path, and give a program here");
    }
    String first = name.isEmpty() ? "" : ", but '" + name + "'";
    return new FileGuess(
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
