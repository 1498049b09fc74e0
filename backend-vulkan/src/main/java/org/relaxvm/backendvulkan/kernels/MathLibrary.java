package org.relaxvm.backendvulkan.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;

/**
 * The functions in GLSL that shaders may use: mathematical functions of the resources {@code
 * math32.glsl} and {@code math64.glsl}, conversions in {@code conversions.glsl}, and conversions of
 * floats to integers. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-vulkan.md, "Why are float functions implemented in our own
 * GLSL?"
 */
final class MathLibrary {
  private MathLibrary() {}

  /** The definitions that a program needs, each after all that it uses itself. */
  static String neededBy(String program) {
    return Loaded.ALL.neededBy(program);
  }

  /** The name of the conversion to an integer, as {@link org.relaxvm.tir.expr.Cast} says. */
  static String toInteger(DType to, String floatType) {
    return "rv_" + to + "_of_" + floatType;
  }

  /** All definitions. */
  static Definitions all() {
    return Loaded.ALL;
  }

  private static final class Loaded {
    static final Definitions ALL =
        resource("conversions.glsl")
            .and(conversions())
            .and(resource("math32.glsl"))
            .and(resource("math64.glsl"));
  }

  private static Definitions resource(String name) {
    try (InputStream in = MathLibrary.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return Definitions.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resource " + name, e);
    }
  }

  private static Definitions conversions() {
    StringBuilder text = new StringBuilder();
    for (DType to : GlslTypes.INTEGERS) {
      addConversion(text, to, "float", "f");
      addConversion(text, to, "double", "lf");
    }
    return Definitions.of(text.toString());
  }

  /** Floats out of range become the nearest integer, and NaN 0. */
  private static void addConversion(StringBuilder text, DType to, String from, String suffix) {
    String type = GlslTypes.integer(to);
    String name = toInteger(to, from);
    int bits = to.bits();
    boolean unsigned = DTypes.isUnsigned(to);
    long largest = unsigned ? -1L >>> (64 - bits) : (1L << (bits - 1)) - 1;
    // One more than the largest, which is a power of two and so a float.
    String end = Math.scalb(1.0, unsigned ? bits : bits - 1) + suffix;
    String least = unsigned ? "0.0" + suffix : "-" + end;
    String smallest = GlslTypes.literal(to, unsigned ? 0 : -1L << (bits - 1));
    text.append(Definitions.MARK).append(name).append('\n');
    text.append(
        "%s %s(%s x) { return x >= %s ? %s : x > %s ? %s(x) : x <= %s ? %s : %s; }%n"
            .formatted(
                type,
                name,
                from,
                end,
                GlslTypes.literal(to, largest),
                least,
                type,
                least,
                smallest,
                GlslTypes.literal(to, 0))
            .replace(System.lineSeparator(), "\n"));
  }
}
