package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.tir.stmt.For;

/**
 * What of a valid kernel cannot be shown.
 *
 * @param accesses indices that may be outside of their buffers
 * @param loops concurrent loops of which two iterations may work on one element
 */
public record Unproven(List<Access> accesses, List<For> loops) {
  /** Copies the lists. */
  public Unproven {
    accesses = List.copyOf(accesses);
    loops = List.copyOf(loops);
  }
}
