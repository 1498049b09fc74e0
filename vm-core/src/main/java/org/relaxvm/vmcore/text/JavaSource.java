package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects statements and prints a class that runs them in order. A method's code may have 64 KiB
 * and a class's constant pool 65535 entries, so statements are dealt out to methods, and methods to
 * nested classes.
 */
final class JavaSource {
  /** Characters of statements in a method, strings left out; its code is of about the same size. */
  private static final int METHOD_CHARS = 16_000;

  private static final int METHODS_PER_CLASS = 10;

  private static final String HEAD =
      """
      import java.io.ByteArrayOutputStream;
      import java.lang.foreign.MemorySegment;
      import java.util.ArrayList;
      import java.util.Base64;
      import java.util.List;
      import org.relaxvm.api.DType;
      import org.relaxvm.api.Shape;
      import org.relaxvm.api.Tensor;
      import org.relaxvm.api.TypeCode;
      import org.relaxvm.vmcore.executable.Arg;
      import org.relaxvm.vmcore.executable.ExecBuilder;
      import org.relaxvm.vmcore.executable.Executable;
      import org.relaxvm.vmcore.executable.FunctionKind;

      /** A Relax VM executable as Java source, printed by RelaxVM. */
      public final class %1$s {
        private %1$s() {}

        /** Builds the executable. */
        public static Executable build() {
          ExecBuilder b = new ExecBuilder();
          List<Arg> args = new ArrayList<>();
      """;

  private static final String TAIL =
      """

        private static Tensor tensor(DType dtype, Shape shape, String... base64) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          for (String chunk : base64) {
            bytes.writeBytes(Base64.getDecoder().decode(chunk));
          }
          Tensor tensor = Tensor.zeros(dtype, shape);
          tensor.segment().copyFrom(MemorySegment.ofArray(bytes.toByteArray()));
          return tensor;
        }
      }
      """;

  private final List<List<String>> methods = new ArrayList<>();
  private int charsInMethod = METHOD_CHARS;

  /** Appends a statement that uses the builder {@code b} and the list {@code args}. */
  void add(String statement) {
    int chars = charsOutsideOfStrings(statement);
    if (charsInMethod + chars > METHOD_CHARS) {
      methods.add(new ArrayList<>());
      charsInMethod = 0;
    }
    methods.getLast().add(statement);
    charsInMethod += chars;
  }

  String print(String className) {
    int dot = className.lastIndexOf('.');
    StringBuilder out = new StringBuilder();
    if (dot >= 0) {
      out.append("package ").append(className, 0, dot).append(";\n\n");
    }
    out.append(HEAD.formatted(className.substring(dot + 1)));
    for (int i = 0; i < methods.size(); i++) {
      out.append("    Part").append(i / METHODS_PER_CLASS);
      out.append(".step").append(i).append("(b, args);\n");
    }
    out.append("    return b.get();\n  }\n");
    for (int i = 0; i < methods.size(); i++) {
      if (i % METHODS_PER_CLASS == 0) {
        out.append(i == 0 ? "" : "  }\n");
        out.append("\n  private static final class Part").append(i / METHODS_PER_CLASS);
        out.append(" {\n");
      }
      out.append("    static void step").append(i).append("(ExecBuilder b, List<Arg> args) {\n");
      methods.get(i).forEach(statement -> out.append("      ").append(statement).append('\n'));
      out.append("    }\n");
    }
    out.append(methods.isEmpty() ? "" : "  }\n");
    return out.append(TAIL).toString();
  }

  private static int charsOutsideOfStrings(String statement) {
    // A string takes one instruction whatever its length; a long statement is mostly strings.
    int chars = 0;
    boolean inside = false;
    for (int i = 0; i < statement.length(); i++) {
      char c = statement.charAt(i);
      if (c == '\\' && inside) {
        i++;
      } else if (c == '"') {
        inside = !inside;
      }
      chars += inside ? 0 : 1;
    }
    return chars;
  }
}
