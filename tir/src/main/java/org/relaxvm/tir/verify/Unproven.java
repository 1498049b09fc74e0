package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.tir.stmt.For;

/**
 * What could not be proved of a valid kernel.
 *
 * @param accesses indices that may be out of bounds
 * @param loops concurrent loops of which two iterations may access the same element
 */
public record Unproven(List<Access> accesses, List<For> loops) {
  /** Copies the lists. */
  public Unproven {
    accesses = List.copyOf(accesses);
    loops = List.copyOf(loops);
  }
}
