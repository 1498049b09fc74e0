package org.relaxvm.interoptvm.device;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The code of a device module. Immutable; segments are views of the file and read-only. */
public sealed interface DeviceCode {
  /** One piece of code with all kernels. */
  record Blob(MemorySegment bytes) implements DeviceCode {
    /** Makes the view read-only. */
    public Blob {
      bytes = bytes.asReadOnly();
    }
  }

  /** A shader for each kernel, in the order of the file. */
  record Shaders(SequencedMap<String, Shader> byName) implements DeviceCode {
    /** Copies the map. */
    public Shaders {
      byName = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(byName));
    }
  }

  /**
   * A SPIR-V module.
   *
   * @param flags bit 0: scalars are in a uniform buffer; the others are kept as they are
   * @param words 32-bit words, little-endian, not aligned
   */
  record Shader(int flags, MemorySegment words) {
    private static final int UNIFORM_SCALARS = 1;

    /** Makes the view read-only. */
    public Shader {
      words = words.asReadOnly();
    }

    /** Whether scalars are in a uniform buffer and not in push constants. */
    public boolean uniformScalars() {
      return (flags & UNIFORM_SCALARS) != 0;
    }
  }
}
