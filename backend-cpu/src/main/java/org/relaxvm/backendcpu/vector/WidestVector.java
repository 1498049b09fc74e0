package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.FloatVector;

/** Asks the Vector API; a class of its own, so that it is loaded only where there is one. */
final class WidestVector {
  private WidestVector() {}

  static int bits() {
    return FloatVector.SPECIES_PREFERRED.vectorBitSize();
  }
}
