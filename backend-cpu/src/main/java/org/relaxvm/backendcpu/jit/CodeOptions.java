package org.relaxvm.backendcpu.jit;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.machine.x64.Feature;

/**
 * Which code kernels become, as options of the backend say. Whether the process can run machine
 * code is found out when that is asked for, since it takes a tenth of a second. Immutable and
 * thread-safe.
 *
 * @param mode as asked for
 * @param allowed the features that machine code may use where the processor has them
 */
public record CodeOptions(Mode mode, Set<Feature> allowed) {
  /** The option that chooses machine code. */
  public static final String CODE = "code";

  /** The option that limits the instructions. */
  public static final String FEATURES = "features";

  /** The system property of {@link #CODE}. */
  public static final String CODE_SETTING = "relaxvm.cpu.code";

  /** The system property of {@link #FEATURES}. */
  public static final String FEATURES_SETTING = "relaxvm.cpu.features";

  private static final String V3 = "x86-64-v3";
  private static final String V4 = "x86-64-v4";

  /** What is asked for. */
  public enum Mode {
    /** Machine code where it is possible. */
    AUTO,
    /** Machine code; a kernel for which there is none is an error. */
    MACHINE,
    /** No machine code. */
    PORTABLE
  }

  /** Copies the set. */
  public CodeOptions {
    allowed = Set.copyOf(allowed);
  }

  /** The options as a backend declares them. */
  public static List<BackendOption> declared() {
    return List.of(
        BackendOption.choice(
            CODE,
            List.of("auto", "machine", "portable"),
            CODE_SETTING,
            "Chooses what kernels become: machine code, or code of the JVM."),
        BackendOption.of(
            FEATURES,
            V3 + ", " + V4 + " or names to leave out",
            "all that the processor has",
            FEATURES_SETTING,
            "Limits which instructions machine code uses."));
  }

  /**
   * The values of a backend's options.
   *
   * @throws BackendException a {@code ValueError} for a value that is not legal, or where machine
   *     code is asked for and cannot run
   */
  public static CodeOptions of(BackendOptions options) {
    Mode mode = mode(options);
    CodeOptions chosen = new CodeOptions(mode, features(options));
    if (mode == Mode.MACHINE && !chosen.machine().isAvailable()) {
      throw new BackendException(
          ErrorKind.VALUE,
          options.origin(CODE_SETTING)
              + " is 'machine', but machine code cannot run: "
              + chosen.machine().reason()
              + "\n  what to do: allow that, or set it to auto");
    }
    return chosen;
  }

  private static String value(BackendOptions options, String setting) {
    return Objects.requireNonNullElse(options.property(setting), "").strip();
  }

  private static Mode mode(BackendOptions options) {
    String value = value(options, CODE_SETTING);
    if (value.isEmpty()) {
      return Mode.AUTO;
    }
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new BackendException(
                    ErrorKind.VALUE,
                    options.origin(CODE_SETTING)
                        + " must be one of auto, machine, portable, but is '"
                        + value
                        + "'"));
  }

  /** What the option leaves of all features. */
  private static Set<Feature> features(BackendOptions options) {
    String value = value(options, FEATURES_SETTING);
    Set<Feature> left = EnumSet.allOf(Feature.class);
    if (value.equals(V3)) {
      return Feature.x86V3();
    }
    if (value.equals(V4)) {
      return Feature.x86V4();
    }
    for (String name : value.split("[, ]+")) {
      if (!name.isEmpty()) {
        Feature feature = feature(name, options);
        left.remove(feature);
        if (feature == Feature.AVX512F) {
          left.removeIf(other -> other.name().startsWith("AVX512"));
        }
      }
    }
    return left;
  }

  private static Feature feature(String name, BackendOptions options) {
    return Arrays.stream(Feature.values())
        .filter(feature -> text(feature).equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new BackendException(
                    ErrorKind.VALUE,
                    options.origin(FEATURES_SETTING)
                        + " must be "
                        + V3
                        + ", "
                        + V4
                        + ", or names of features to leave out, but has '"
                        + name
                        + "'\n  features: "
                        + text(EnumSet.allOf(Feature.class))));
  }

  /** Whether machine code can run, and what it may use. */
  public MachineCode machine() {
    MachineCode machine = MachineCode.current();
    if (!machine.isAvailable()) {
      return machine;
    }
    Set<Feature> features = EnumSet.copyOf(machine.features());
    features.retainAll(allowed);
    Set<Feature> missing = Feature.x86V3();
    missing.removeAll(features);
    return missing.isEmpty()
        ? new MachineCode(features, "")
        : new MachineCode(
            Set.of(), "the option cpu.features leaves out " + text(missing) + ", which it needs");
  }

  private static String text(Feature feature) {
    return feature.name().toLowerCase(Locale.ROOT);
  }

  private static String text(Set<Feature> features) {
    return features.stream().sorted().map(CodeOptions::text).collect(Collectors.joining(", "));
  }

  /** What machine code may use where kernels become machine code. */
  public Optional<MachineCode> chosen() {
    return isWanted() ? Optional.of(machine()).filter(MachineCode::isAvailable) : Optional.empty();
  }

  private boolean isWanted() {
    return mode != Mode.PORTABLE;
  }

  /** Whether a kernel for which there is no machine code is an error. */
  public boolean isStrict() {
    return mode == Mode.MACHINE;
  }

  /** Whether machine code can run and is used, and with which features, for people. */
  public String describe() {
    MachineCode machine = machine();
    if (!machine.isAvailable()) {
      return "not available: " + machine.reason();
    }
    String used =
        isWanted() ? "used" : "not used (cpu.code=" + mode.name().toLowerCase(Locale.ROOT) + ")";
    return used + ": " + text(machine.features());
  }
}
