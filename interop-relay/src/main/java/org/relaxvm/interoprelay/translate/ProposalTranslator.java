package org.relaxvm.interoprelay.translate;

import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.verify.RelayVerifier;
import org.relaxvm.interoprelay.proposal.verify.VerifiedModule;
import org.relaxvm.vmcore.executable.Executable;

/**
 * Translates programs of the instruction set that was proposed for the Relay VM to Relax bytecode.
 *
 * <p>Each function keeps its name, unless a packed function has it too; it then gets a prefix.
 * Packed functions are found by name when the result is linked. Tensors are allocated on the first
 * device.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 4 to 9. Stateless.
 */
public final class ProposalTranslator {
  private ProposalTranslator() {}

  /**
   * Verifies and translates a program, with {@link TranslationOptions#DEFAULT}.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the verifier refuses the program
   */
  public static Executable translate(RelayModule module) {
    return translate(module, TranslationOptions.DEFAULT);
  }

  /**
   * Verifies and translates a program.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the verifier refuses the program
   */
  public static Executable translate(RelayModule module, TranslationOptions options) {
    return translate(RelayVerifier.verify(module), options);
  }

  /** Translates a verified program. Its constant tensors are borrowed and must stay unchanged. */
  public static Executable translate(VerifiedModule module, TranslationOptions options) {
    return ModuleTranslation.of(module, options);
  }
}
