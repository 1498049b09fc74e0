package org.relaxvm.interoprelay.release.program;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.listing.ReleasedListing;
import org.relaxvm.interoprelay.release.verify.ReleasedVerifier;
import org.relaxvm.interoprelay.translate.ReleasedTranslator;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.params.ParamsFile;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;

/**
 * Makes programs of released executables: verified, with all constants, translated to Relax
 * bytecode. Kernels come from a library or are found by name when the program is linked.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 16. Stateless and thread-safe.
 */
public final class ReleasedPrograms {
  private ReleasedPrograms() {}

  /**
   * A program without kernels.
   *
   * @param params the constants that the executable lacks, by name; in host memory, borrowed, not
   *     written while the program is used
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} when the executable
   *     breaks a rule, or the parameters are not those that it lacks
   */
  public static Program of(ReleasedExecutable executable, Map<String, Tensor> params) {
    return Program.of(translated(executable, params), metadata(executable), List.of());
  }

  static Executable translated(ReleasedExecutable executable, LoadOptions options) {
    return translated(executable, options.params().map(ParamsFile::read).orElse(Map.of()));
  }

  private static Executable translated(ReleasedExecutable executable, Map<String, Tensor> params) {
    ReleasedVerifier.verify(executable);
    return ReleasedTranslator.translate(LateBoundConstants.bind(executable, params));
  }

  /** The listing stands for the source, which the file does not have. */
  static ProgramMetadata metadata(ReleasedExecutable executable) {
    return ProgramMetadata.builder()
        .devices(ReleasedTranslator.devices(executable))
        .ir(ReleasedListing.of(executable))
        .build();
  }

  /** What wrote an executable, such as {@code Relay VM, saved by TVM 0.8.0 (era R2)}. */
  static String origin(ReleasedExecutable executable) {
    return "Relay VM, saved by Apache TVM "
        + executable.version()
        + " (era "
        + executable.era()
        + ")";
  }
}
