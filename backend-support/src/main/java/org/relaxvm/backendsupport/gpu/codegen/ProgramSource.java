package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashSet;
import java.util.Set;

/**
 * A program of several kernels in one language. Build many at once: compilers of drivers take their
 * time for each program. Not thread-safe.
 */
public final class ProgramSource {
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
   * @param wanted what the name starts with; a number follows that makes it differ from others
   * @param wide whether indices have 64 bits
   */
  public LaunchSource add(String wanted, KernelSource launch, boolean wide) {
    String plain = wanted.replaceAll("[^A-Za-z0-9]+", "_") + "_0";
    if (!Character.isLetter(plain.charAt(0)) || plain.startsWith("rv_")) {
      plain = "k" + plain;
    }
    String name = plain;
    for (int i = 1; !names.add(name); i++) {
      name = plain.substring(0, plain.length() - 1) + i;
    }
    LaunchSource source = launch.print(dialect, name, wide, helpers);
    kernels.append(source.text());
    return source;
  }

  /** The text of the program. */
  public String text() {
    String text = helpers.text() + kernels;
    return dialect.prologue(text) + text;
  }
}
