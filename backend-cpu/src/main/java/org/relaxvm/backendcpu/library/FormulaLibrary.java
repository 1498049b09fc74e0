package org.relaxvm.backendcpu.library;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.codegen.VectorOperations;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.jit.CodeReport;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.library.LibraryFormula;

/**
 * Functions of the kernel library that are computed by kernels of the kernel IR. A kernel is
 * compiled at the first call that needs it and kept for later ones; of those that are kept, the one
 * that was unused for the longest time is removed first. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Which library functions are machine code?"
 */
public final class FormulaLibrary {
  /** How many kernels are kept. */
  static final int CAPACITY = 1024;

  /** The option that chooses functions. */
  public static final String OPTION = "formulas";

  /** The system property of {@link #OPTION}. */
  public static final String SETTING = "relaxvm.cpu.formulas";

  /** What the names of functions begin with. */
  static final String PREFIX = "relaxvm.";

  private static final String ALL = "all";
  private static final String NONE = "none";

  private final KernelCompiler compiler;
  private final Map<String, FormulaFunction> functions = new HashMap<>();

  /**
   * A library.
   *
   * @param compiler refuses kernels that cannot become machine code
   * @param included which functions, by name
   */
  public FormulaLibrary(KernelCompiler compiler, Predicate<String> included) {
    this.compiler = compiler;
    FormulaKernels kernels = new FormulaKernels(compiler, CAPACITY);
    Map<String, LibraryFormula> all = new LinkedHashMap<>(LibraryFormula.all());
    all.keySet().removeIf(included.negate());
    all.forEach((name, formula) -> functions.put(name, new FormulaFunction(formula, kernels)));
  }

  /** The option as a backend declares it. */
  public static BackendOption declared() {
    return BackendOption.of(
        OPTION,
        "all, none or names of functions",
        "none; with cpu.code=machine those that are not slower",
        SETTING,
        "Chooses which functions of the kernel library are machine code.");
  }

  /**
   * The library that options ask for.
   *
   * @return empty where kernels are not machine code
   * @throws BackendException a {@code ValueError} for a name that is not in the kernel library
   */
  public static Optional<FormulaLibrary> of(
      VectorChoice vectors, CodeOptions code, BackendOptions options) {
    Predicate<String> included = included(options);
    // Formulas sum in the dtype and have other limits than hand-written kernels.
    boolean isAsked =
        code.isStrict() || !Objects.requireNonNullElse(options.property(SETTING), "").isBlank();
    return (isAsked ? code.chosen() : Optional.<MachineCode>empty())
        .map(
            machine ->
                new FormulaLibrary(
                    new KernelCompiler(
                        VectorOperations.of(vectors),
                        CpuSchedule::of,
                        Optional.of(MachineTargets.kernels(machine)),
                        true,
                        options),
                    included));
  }

  private static Predicate<String> included(BackendOptions options) {
    String value = Objects.requireNonNullElse(options.property(SETTING), "").strip();
    if (value.isEmpty()) {
      return name -> FormulaChoice.isChosen(name.substring(PREFIX.length()));
    }
    if (value.equals(ALL) || value.equals(NONE)) {
      return _ -> value.equals(ALL);
    }
    Set<String> names = new HashSet<>();
    for (String name : value.split("[, ]+")) {
      if (KernelLibrary.standard().find(PREFIX + name).isEmpty()) {
        throw new BackendException(
            ErrorKind.VALUE,
            options.origin(SETTING)
                + " must be all, none or names of functions of the kernel library, but has '"
                + name
                + "'\n  what to do: name them without the prefix "
                + PREFIX);
      }
      names.add(PREFIX + name);
    }
    return names::contains;
  }

  /** The names of the functions. */
  public Set<String> names() {
    return Set.copyOf(functions.keySet());
  }

  /** A function by name. */
  public Optional<FormulaFunction> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }

  /** What the kernels became so far. */
  public CodeReport report() {
    return compiler.report();
  }
}
