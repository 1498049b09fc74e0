package org.relaxvm.cli.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** What {@code relaxvm check} offers a {@link CaseFormat}. Confined to the calling thread. */
public interface CaseContext {
  /** The backends and function providers; the context closes it. */
  BackendRegistry registry();

  /**
   * Loads a program of a case. Native code in it may run: who names a case lets it run.
   *
   * @throws org.relaxvm.api.error.RelaxException as {@link Program#load(Path)} does
   */
  default Program load(Path program) {
    return load(program, LoadOptions.DEFAULT);
  }

  /** As {@link #load(Path)}, with options, such as the library of its kernels. */
  Program load(Path program, LoadOptions options);

  /**
   * Links a program to the devices that the command line names; without any, to those that the
   * program is placed on, else to those of the case.
   *
   * @param devices the devices of the case, the main device first
   * @return the caller closes it
   * @throws org.relaxvm.api.error.RelaxException when the program cannot be linked
   */
  VirtualMachine link(Program program, List<String> devices);

  /**
   * Compares a result with the expected one, within the tolerances that the command line names.
   *
   * @param relativeTolerance of the case, unless the command line names one; 0 means exact
   * @return the first difference in words, or empty when there is none
   */
  Optional<String> difference(
      @Nullable Object expected, @Nullable Object actual, double relativeTolerance);

  /**
   * The relative tolerance that the command line names, for formats with a comparison of their own.
   *
   * @param ofCase what it is when none is named
   */
  double relativeTolerance(double ofCase);

  /**
   * The absolute tolerance that the command line names.
   *
   * @param ofCase what it is when none is named
   */
  double absoluteTolerance(double ofCase);

  /** Counts and prints what a run came to. */
  void report(CaseResult result);
}
