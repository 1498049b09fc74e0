package org.relaxvm.backendcuda.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The functions that programs may contain beside those of the printer: what CUDA C says in other
 * words than C does. Each file of them is a resource of this package, and stands in a program as it
 * is. Immutable and thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cuda.md, "Why do programs include no headers?"
 */
public final class Prelude {
  /** Those that others use come first. */
  private static final List<Prelude> FILES =
      List.of(
          load("floats.cuh"),
          load("float16.cuh"),
          load("bfloat16.cuh"),
          load("float8.cuh"),
          load("integers.cuh"),
          load("vectors.cuh"),
          load("launchmemory.cuh"),
          load("copyunit.cuh"),
          load("asynccopies.cuh"),
          load("matrixunit.cuh"),
          load("tensorcores.cuh"),
          load("matrixunit8.cuh"),
          load("tensorcores8.cuh"));

  private static final Pattern DEFINED =
      Pattern.compile(
          "^.*?\\b(?:inline|__forceinline__|struct)\\b.*?\\b(rv_\\w+)(?:<\\d+>)?[ (]",
          Pattern.MULTILINE);
  private static final Pattern USED = Pattern.compile("\\brv_\\w+");

  private final String name;
  private final String text;

  private Prelude(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /** All files, in the order in which programs have them. */
  public static List<Prelude> files() {
    return FILES;
  }

  /** The texts of all files that a program uses a function of. */
  static String neededBy(String program) {
    String needed = "";
    for (Prelude file : FILES.reversed()) {
      if (file.isUsedBy(needed + program)) {
        needed = file.text + needed;
      }
    }
    return needed;
  }

  private boolean isUsedBy(String program) {
    Set<String> own = functions();
    return USED.matcher(program).results().map(MatchResult::group).anyMatch(own::contains);
  }

  /** The name of the resource, such as {@code vectors.cuh}. */
  public String name() {
    return name;
  }

  /** What programs have of it, to the letter. */
  public String text() {
    return text;
  }

  /** The functions and types that it defines. */
  public Set<String> functions() {
    return DEFINED.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
  }

  private static Prelude load(String name) {
    try (InputStream in = Prelude.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new Prelude(name, text.lines().collect(Collectors.joining("\n", "", "\n")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the resource " + name, e);
    }
  }
}
