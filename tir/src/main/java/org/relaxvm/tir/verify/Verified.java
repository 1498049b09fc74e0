package org.relaxvm.tir.verify;

import org.relaxvm.tir.PrimFunc;

/**
 * A valid kernel, and what of it cannot be shown.
 *
 * @param kernel that was verified
 * @param unproven what {@link Verifier#verify} says of it
 */
public record Verified(PrimFunc kernel, Unproven unproven) {
  /**
   * Verifies a kernel.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link Verifier#verify} does
   */
  public static Verified of(PrimFunc kernel) {
    return new Verified(kernel, Verifier.verify(kernel));
  }
}
