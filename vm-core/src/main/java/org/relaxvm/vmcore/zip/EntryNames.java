package org.relaxvm.vmcore.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** Names of entries: plain relative paths, so that unpacking them anywhere is safe. */
final class EntryNames {
  private static final int MAX_BYTES = 1024;

  private EntryNames() {}

  static String decode(String file, MemorySegment bytes, long offset, int length) {
    if (length == 0 || length > MAX_BYTES) {
      throw refused(file, "a name of " + length + " bytes");
    }
    byte[] raw = bytes.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    String name;
    try {
      name = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException e) {
      throw refused(file, "a name that is no UTF-8");
    }
    if (!isPlain(name)) {
      throw refused(file, "the name '" + printable(name) + "'");
    }
    return name;
  }

  private static boolean isPlain(String name) {
    if (name.indexOf('\\') >= 0 || name.indexOf(':') >= 0) {
      return false;
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      return false;
    }
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return false;
      }
    }
    return true;
  }

  private static String printable(String name) {
    StringBuilder text = new StringBuilder();
    name.codePoints()
        .limit(100)
        .forEach(c -> text.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return text.toString();
  }

  private static MalformedFileException refused(String file, String what) {
    return new MalformedFileException(
        ErrorKind.VALUE,
        file + " has an entry with " + what + ", but only plain relative paths are read");
  }
}
