package org.relaxvm.backendcpu.vector;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.slf4j.LoggerFactory;

/**
 * Whether kernels run in vector code on this JVM, and how wide. Immutable.
 *
 * @param bits of a vector: 128, 256 or 512; 0 for portable Java
 * @param reason why portable Java was chosen, and what to do about it; empty with vectors
 */
public record VectorChoice(int bits, String reason) {
  /** System property: {@code auto}, {@code off}, or the bits of a vector. */
  public static final String SETTING = "relaxvm.cpu.vectors";

  private static final String MODULE = "jdk.incubator.vector";

  private static final class Once {
    private static final VectorChoice CHOICE =
        choose(System::getProperty, ModuleLayer.boot().findModule(MODULE).isPresent());

    static {
      if (!CHOICE.vectors() && !System.getProperty(SETTING, "").equals("off")) {
        LoggerFactory.getLogger(VectorChoice.class)
            .warn("kernels of the CPU are several times slower than they could be: {}", CHOICE);
      }
    }
  }

  /** The choice of this JVM, made at the first call, which logs it if it costs speed. */
  public static VectorChoice get() {
    return Once.CHOICE;
  }

  /** Chooses from system properties and from whether the module of the Vector API is there. */
  static VectorChoice choose(UnaryOperator<String> property, boolean module) {
    String setting = text(property, SETTING);
    boolean auto = setting.isEmpty() || setting.equals("auto");
    if (setting.equals("off")) {
      return portable("-D" + SETTING + "=off");
    }
    if (!auto && !setting.matches("128|256|512")) {
      throw new BackendException(
          ErrorKind.VALUE,
          "-D" + SETTING + " must be auto, off, 128, 256 or 512, but is '" + setting + "'");
    }
    if (!module) {
      return portable("module " + MODULE + " is missing; start Java with --add-modules " + MODULE);
    }
    String jvm = text(property, "java.vm.name");
    String mode = text(property, "java.vm.info");
    boolean compiles =
        (jvm.startsWith("OpenJDK") || jvm.startsWith("Java HotSpot"))
            && mode.startsWith("mixed mode")
            && !mode.contains("emulated-client");
    if (auto && !compiles) {
      return portable(
          jvm
              + " in "
              + mode
              + " does not compile vector code; set -D"
              + SETTING
              + "=256 if yours does");
    }
    int widest = WidestVector.bits();
    int bits = auto ? widest : Integer.parseInt(setting);
    if (bits > widest) {
      throw new BackendException(
          ErrorKind.VALUE,
          "-D"
              + SETTING
              + "="
              + bits
              + " is too wide: vectors of this machine have "
              + widest
              + " bits at most");
    }
    return bits < 128
        ? portable("this machine has vectors of only " + bits + " bits")
        : new VectorChoice(bits, "");
  }

  private static VectorChoice portable(String reason) {
    return new VectorChoice(0, reason);
  }

  private static String text(UnaryOperator<String> property, String name) {
    String value = property.apply(name);
    return value == null ? "" : value;
  }

  /** Whether kernels run in vector code. */
  public boolean vectors() {
    return bits > 0;
  }

  /** What people read of it, such as {@code vector code, 512 bits}. */
  @Override
  public String toString() {
    return vectors() ? "vector code, " + bits + " bits" : "portable Java (" + reason + ")";
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof VectorChoice that && bits == that.bits && reason.equals(that.reason));
  }

  @Override
  public int hashCode() {
    return 31 * bits + reason.hashCode();
  }
}
