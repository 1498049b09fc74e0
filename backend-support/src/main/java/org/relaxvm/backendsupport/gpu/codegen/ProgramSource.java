package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashSet;
import java.util.Set;

/**
 * A program of several kernels in one language. Build many at once: compilers of drivers take their
 * time for each program. Not thread-safe.
 */
public final class ProgramSource {
  /**
   * Bound on the length of a kernel's name, without its number. A fused kernel is named after all
   * of its operators, and drivers name files after kernels: PoCL ends the process where the name of
   * a file has more than 255 characters.
   */
  public static final int LONGEST_NAME = 128;

  private final Dialect dialect;
  private final Helpers helpers;
  private final StringBuilder kernels = new StringBuilder();
  private final Set<String> names = new HashSet<>();

  /** A program without kernels. */
  public ProgramSource(Dialect dialect) {
    this.dialect = dialect;
    this.helpers = new Helpers(dialect);
  }

  /**
   * Adds the kernel of a launch.
   *
   * @param wanted what the name starts with, up to {@value #LONGEST_NAME} characters; a number
   *     follows that makes it differ from others
   * @param wide whether indices have 64 bits
   */
  public LaunchSource add(String wanted, KernelSource launch, boolean wide) {
    String start = start(wanted);
    String name = start + "_0";
    for (int i = 1; !names.add(name); i++) {
      name = start + "_" + i;
    }
    LaunchSource source = launch.print(dialect, name, wide, helpers);
    kernels.append(source.text());
    return source;
  }

  private static String start(String wanted) {
    String plain = wanted.replaceAll("[^A-Za-z0-9]+", "_");
    if (plain.isEmpty() || !Character.isLetter(plain.charAt(0)) || plain.startsWith("rv_")) {
      plain = "k" + plain;
    }
    plain = plain.substring(0, Math.min(plain.length(), LONGEST_NAME));
    // Two underscores in a row are reserved.
    return plain.endsWith("_") ? plain.substring(0, plain.length() - 1) : plain;
  }

  /** The text of the program. */
  public String text() {
    String text = helpers.text() + kernels;
    return dialect.prologue(text) + text;
  }
}
