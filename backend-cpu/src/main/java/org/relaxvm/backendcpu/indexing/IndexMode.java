package org.relaxvm.backendcpu.indexing;

import java.util.Locale;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** What an index means that is not from 0 to the extent. */
enum IndexMode {
  /** From the end when it is negative, else an error. */
  FAST,
  /** Modulo the extent. */
  WRAP,
  /** The nearest place. */
  CLIP,
  /** No element, but a NaN. */
  NAN;

  /** The place of a slice that is not there. */
  static final long NOWHERE = -1;

  /** The place of an error. */
  static final long WRONG = -2;

  static IndexMode of(KernelCall call, int argument) {
    String given = call.args().stringAt(argument);
    for (IndexMode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(given)) {
        return mode;
      }
    }
    throw call.wrong(argument, "'fast', 'wrap', 'clip' or 'nan'", "'" + given + "'");
  }

  /** The place from 0 to the extent that an index names, or one of the two constants. */
  long place(long index, long extent) {
    if (index >= 0 && index < extent) {
      return index;
    }
    if (this == NAN) {
      return NOWHERE;
    }
    if (extent == 0) {
      return WRONG;
    }
    return switch (this) {
      case WRAP -> Math.floorMod(index, extent);
      case CLIP -> index < 0 ? 0 : extent - 1;
      default -> index < 0 && index >= -extent ? index + extent : WRONG;
    };
  }
}
