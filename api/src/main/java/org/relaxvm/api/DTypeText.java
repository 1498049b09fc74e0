package org.relaxvm.api;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Apache TVM's text form of a dtype (docs/spec/executable-format.md, section 1.1). */
final class DTypeText {
  private static final Pattern TAIL =
      Pattern.compile("(\\d*)(?:(_?x|xvscalex)(-?\\d*))?", Pattern.DOTALL);
  private static final Map<String, TypeCode> SMALL_FLOATS = smallFloats();

  private DTypeText() {}

  static String format(DType dtype) {
    if (dtype.equals(DType.VOID)) {
      return "";
    }
    TypeCode code = dtype.code();
    if (code == TypeCode.HANDLE) {
      return "handle";
    }
    StringBuilder text = new StringBuilder(code.text());
    boolean plainBool = code == TypeCode.BOOL && dtype.bits() == 8;
    if (code.code() < TypeCode.FLOAT8_E3M4.code() && !plainBool) {
      text.append(dtype.bits());
    }
    if (dtype.lanes() > 1) {
      text.append('x').append(dtype.lanes());
    } else if (dtype.lanes() < -1) {
      text.append("xvscalex").append(-dtype.lanes());
    }
    return text.toString();
  }

  /** More than any name has; names come from files, and reading one must stay cheap. */
  private static final int MAX_LENGTH = 64;

  static DType parse(String text) {
    if (text.isEmpty() || text.equals("void")) {
      return DType.VOID;
    }
    if (text.length() > MAX_LENGTH) {
      throw unknown(text.substring(0, MAX_LENGTH) + "...");
    }
    for (Map.Entry<String, TypeCode> entry : SMALL_FLOATS.entrySet()) {
      if (text.startsWith(entry.getKey())) {
        TypeCode code = entry.getValue();
        return withTail(text, text.substring(entry.getKey().length()), code, smallBits(code));
      }
    }
    int letters = 0;
    while (letters < text.length() && Character.isLetter(text.charAt(letters))) {
      letters++;
    }
    String base = text.substring(0, letters);
    String tail = text.substring(letters);
    return switch (base) {
      case "int", "i" -> withTail(text, tail, TypeCode.INT, base.equals("i") ? -1 : 32);
      case "uint", "u" -> withTail(text, tail, TypeCode.UINT, base.equals("u") ? -1 : 32);
      case "float", "f" -> withTail(text, tail, TypeCode.FLOAT, base.equals("f") ? -1 : 32);
      case "bfloat", "bf" -> withTail(text, tail, TypeCode.BFLOAT, base.equals("bf") ? -1 : 16);
      case "complex" -> withTail(text, tail, TypeCode.COMPLEX, 64);
      case "bool" -> withTail(text, tail, TypeCode.BOOL, 8);
      case "handle" -> withTail(text, tail, TypeCode.HANDLE, 64);
      // Letters run on into the lanes when no bit count stands between: "boolx4", "floatxvscalex4".
      default -> withoutBits(text, base, tail);
    };
  }

  private static DType withoutBits(String text, String base, String tail) {
    for (String separator : new String[] {"xvscalex", "x"}) {
      if (base.endsWith(separator) && base.length() > separator.length()) {
        String stem = base.substring(0, base.length() - separator.length());
        DType scalar = parse(stem);
        return withLanes(text, scalar.code(), scalar.bits(), separator, tail);
      }
    }
    throw unknown(text);
  }

  private static DType withTail(String text, String tail, TypeCode code, int defaultBits) {
    Matcher matcher = TAIL.matcher(tail);
    if (!matcher.matches()) {
      throw unknown(text);
    }
    String digits = matcher.group(1);
    if ((digits.isEmpty() && defaultBits < 0) || digits.length() > 3) {
      throw unknown(text);
    }
    boolean fixedBits = code.code() >= TypeCode.FLOAT8_E3M4.code();
    int bits = digits.isEmpty() || fixedBits ? defaultBits : Integer.parseInt(digits);
    if (bits > 255 || (fixedBits && !digits.isEmpty())) {
      throw unknown(text);
    }
    String separator = matcher.group(2);
    if ("_x".equals(separator) && code != TypeCode.FLOAT4_E2M1FN) {
      throw unknown(text);
    }
    return withLanes(text, code, bits, separator, matcher.group(3));
  }

  private static DType withLanes(
      String text, TypeCode code, int bits, @Nullable String separator, @Nullable String digits) {
    if (separator == null || digits == null) {
      return new DType(code, bits, 1);
    }
    int lanes = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
    if (lanes < 1 || lanes > Short.MAX_VALUE) {
      throw new CallException(
              ErrorKind.VALUE,
              "the lanes of dtype '" + text + "' must be an integer from 1 to " + Short.MAX_VALUE)
          .withTvmMessage(
              "Invalid lanes specification in dtype '"
                  + text
                  + "'. Lanes must be a positive integer.");
    }
    return new DType(code, bits, separator.equals("xvscalex") ? -lanes : lanes);
  }

  private static CallException unknown(String text) {
    return new CallException(
            ErrorKind.VALUE,
            "unknown dtype '"
                + text
                + "'\n  expected: a name such as float32, int64, uint8, bool, bfloat16 or"
                + " float8_e4m3fn, optionally with lanes such as x4")
        .withTvmMessage("unknown dtype `" + text + '`');
  }

  private static int smallBits(TypeCode code) {
    return Integer.parseInt(code.text(), 5, 6, 10);
  }

  private static Map<String, TypeCode> smallFloats() {
    // Longest names first, so that float8_e4m3fnuz is not read as float8_e4m3.
    Map<String, TypeCode> names =
        new TreeMap<>(
            (a, b) -> a.length() != b.length() ? b.length() - a.length() : a.compareTo(b));
    for (TypeCode code : TypeCode.values()) {
      if (code.code() >= TypeCode.FLOAT8_E3M4.code()) {
        String name = code.text();
        names.put(name, code);
        names.put("fp" + name.substring("float".length()), code);
        names.put("f" + name.substring("float".length()), code);
      }
    }
    return names;
  }
}
