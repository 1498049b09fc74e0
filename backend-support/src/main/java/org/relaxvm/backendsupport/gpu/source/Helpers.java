package org.relaxvm.backendsupport.gpu.source;

import java.util.Map;
import java.util.TreeMap;

/**
 * Functions that programs bring along, in plain C: operations that have no operator of the same
 * meaning. Only those that are used are written. For one program; not thread-safe.
 */
final class Helpers {
  private final Map<String, String> functions = new TreeMap<>();

  /** Division towards 0; by 0 it gives 0. */
  String divide(String type, String a, String b) {
    return call(
        "rv_div",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { return b == 0 ? 0 : b == (%1$s)-1 && b < 0 ? (%1$s)(0 - a) : a"
            + " / b; }",
        a,
        b);
  }

  /** The rest of {@link #divide}; by 0 it gives 0. */
  String rest(String type, String a, String b) {
    return call(
        "rv_rem",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { return b == 0 || b == (%1$s)-1 && b < 0 ? 0 : a %% b; }",
        a,
        b);
  }

  /** Division towards negative infinity; by 0 it gives 0. */
  String floorDivide(String type, String a, String b) {
    String quotient = divide(type, "a", "b");
    String rest = rest(type, "a", "b");
    return call(
        "rv_floordiv",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { %1$s r = "
            + rest
            + "; return "
            + quotient
            + " - (r != 0 && (r < 0) != (b < 0) ? 1 : 0); }",
        a,
        b);
  }

  /** The rest of {@link #floorDivide}. */
  String floorRest(String type, String a, String b) {
    String rest = rest(type, "a", "b");
    return call(
        "rv_floormod",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { %1$s r = "
            + rest
            + "; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }",
        a,
        b);
  }

  /** The lesser of two; NaN of floats when either is. */
  String min(String type, String a, String b) {
    return call(
        "rv_min", type, "%1$s %2$s(%1$s a, %1$s b) { return a != a || a < b ? a : b; }", a, b);
  }

  /** The greater of two; NaN of floats when either is. */
  String max(String type, String a, String b) {
    return call(
        "rv_max", type, "%1$s %2$s(%1$s a, %1$s b) { return a != a || a > b ? a : b; }", a, b);
  }

  /** Bits moved up; none are left for a number that is negative or too large. */
  String shiftLeft(String type, String unsigned, int bits, String a, String b) {
    return call(
        "rv_shl",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { return b < 0 || b >= "
            + bits
            + " ? 0 : (%1$s)(("
            + unsigned
            + ")a << b); }",
        a,
        b);
  }

  /** Bits moved down, filled with the sign. */
  String shiftRight(String type, boolean signed, int bits, String a, String b) {
    String outside = signed ? "a >> " + (bits - 1) : "0";
    return call(
        "rv_shr",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { return b < 0 || b >= "
            + bits
            + " ? "
            + outside
            + " : a >> b; }",
        a,
        b);
  }

  /** A power by repeated multiplication. */
  String power(String type, String unsigned, String a, String b) {
    return call(
        "rv_pow",
        type,
        "%1$s %2$s(%1$s a, %1$s b) {\n"
            + "  if (b < 0) return a == 1 ? 1 : a == (%1$s)-1 ? (b %% 2 == 0 ? 1 : (%1$s)-1) : 0;\n"
            + "  "
            + unsigned
            + " r = 1, s = ("
            + unsigned
            + ")a;\n"
            + "  for (; b != 0; b = b / 2) { if (b %% 2 != 0) r = r * s; s = s * s; }\n"
            + "  return (%1$s)r;\n}",
        a,
        b);
  }

  /** The rest of a division of floats, with the sign of the divisor. */
  String floatFloorRest(String type, String rest, String a, String b) {
    return call(
        "rv_floormod",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { %1$s r = "
            + rest
            + "; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }",
        a,
        b);
  }

  /** The value without its sign; the smallest integer is its own. */
  String absolute(String type, String unsigned, String a) {
    return call(
        "rv_abs",
        type,
        "%1$s %2$s(%1$s a, %1$s b) { return a < 0 ? (%1$s)(("
            + unsigned
            + ")0 - ("
            + unsigned
            + ")a) : a; }",
        a,
        "0");
  }

  private String call(String name, String type, String definition, String a, String b) {
    String full = name + "_" + type;
    functions.putIfAbsent(full, definition.formatted(type, full));
    return full + "(" + a + ", " + b + ")";
  }

  /** All that were asked for; those that others use come first. */
  String text() {
    StringBuilder text = new StringBuilder();
    functions.values().stream().filter(f -> !f.contains("_floor")).forEach(f -> add(text, f));
    functions.values().stream().filter(f -> f.contains("_floor")).forEach(f -> add(text, f));
    return text.toString();
  }

  private static void add(StringBuilder text, String function) {
    text.append("static inline ").append(function).append('\n');
  }
}
