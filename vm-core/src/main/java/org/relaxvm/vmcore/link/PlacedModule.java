package org.relaxvm.vmcore.link;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Module;

/**
 * Functions and where they run.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does an unassigned kernel belong to the first
 * device?"
 *
 * @param device the index of the device; -1 when they belong to none
 * @param runsOn the name of the device that computes; null when they belong to none
 */
record PlacedModule(Module module, int device, @Nullable String runsOn) {
  /** Functions that belong to no device. */
  static PlacedModule of(Module module) {
    return new PlacedModule(module, -1, null);
  }
}
