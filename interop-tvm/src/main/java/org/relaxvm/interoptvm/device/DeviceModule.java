package org.relaxvm.interoptvm.device;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * A module for a device, in the order of the file, so that writing it gives the same bytes.
 *
 * <p>Source: docs/spec/device-modules.md, section 1.2. Immutable and thread-safe.
 *
 * @param kind such as {@code cuda}; see {@link DeviceModuleReader#KINDS}
 * @param format what the code is, such as {@code ptx}
 * @param kernels by name
 * @param extraTags whether kernels have the field of extra tags at all, which older releases did
 *     not write
 */
public record DeviceModule(
    String kind,
    String format,
    SequencedMap<String, KernelInfo> kernels,
    DeviceCode code,
    boolean extraTags) {
  /** Copies the map. */
  public DeviceModule {
    kernels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(kernels));
  }
}
