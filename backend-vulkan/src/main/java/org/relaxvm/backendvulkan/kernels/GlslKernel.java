package org.relaxvm.backendvulkan.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel of a program in GLSL. Immutable and thread-safe.
 *
 * @param name of the kernel in its program
 * @param shader the whole text for the compiler
 * @param shape how it is called
 */
public record GlslKernel(String name, String shader, KernelInterface shape) {
  private static final String MARK = Definitions.MARK + "kernel ";

  private static final Pattern MARKED =
      Pattern.compile(
          Pattern.quote(MARK)
              + "(\\w+): groups of (\\d+), (\\d+) buffers( by address)?,"
              + " (\\d+) bytes of arguments( in a buffer)?");

  /** The line in front of a kernel. */
  static String mark(String name, KernelInterface shape) {
    return "%s%s: groups of %d, %d buffers%s, %d bytes of arguments%s"
        .formatted(
            MARK,
            name,
            shape.workGroupSize(),
            shape.buffers(),
            shape.addressed() ? " by address" : "",
            shape.argumentBytes(),
            shape.uniform() ? " in a buffer" : "");
  }

  /**
   * The kernels of a program that {@link org.relaxvm.backendsupport.gpu.codegen.ProgramSource} made
   * with a {@link GlslDialect}: GLSL has one entry point in each text. Each kernel contains what it
   * uses itself of what is common to all.
   */
  public static List<GlslKernel> of(String program) {
    int end = program.indexOf("\n" + MARK);
    if (end < 0) {
      return List.of();
    }
    String common = program.substring(0, end + 1);
    int start = common.indexOf("\n" + Definitions.MARK);
    String head = start < 0 ? common : common.substring(0, start + 1);
    Definitions definitions = Definitions.of(common);
    List<GlslKernel> kernels = new ArrayList<>();
    for (String text : program.substring(end + 1).split("(?m)^(?=" + MARK + ")")) {
      Matcher marked = MARKED.matcher(text);
      if (!marked.lookingAt()) {
        throw new IllegalStateException("a kernel of another form: " + text.lines().findFirst());
      }
      String shader = head + definitions.neededBy(text) + text;
      kernels.add(new GlslKernel(marked.group(1), shader, shape(marked)));
    }
    return kernels;
  }

  private static KernelInterface shape(Matcher marked) {
    return new KernelInterface(
        "main",
        Integer.parseInt(marked.group(3)),
        marked.group(4) != null,
        Integer.parseInt(marked.group(5)),
        marked.group(6) != null,
        false,
        Integer.parseInt(marked.group(2)));
  }
}
