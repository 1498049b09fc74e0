package org.relaxvm.interoprelay.release;

import org.relaxvm.api.Tensor;

/** A constant of a released executable. */
public sealed interface ReleasedConstant {
  /** A tensor in host memory that is in the file; it must not be written. */
  record Stored(Tensor tensor) implements ReleasedConstant {}

  /** A tensor that is given by name when the program is loaded. */
  record LateBound(String name) implements ReleasedConstant {}
}
