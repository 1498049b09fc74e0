package org.relaxvm.api;

import java.util.Map;
import java.util.Optional;

/** DLPack's numbers for kinds of devices (docs/spec/executable-format.md, section 1). */
public final class DeviceTypeCodes {
  /** The number of every kind that DLPack does not know. */
  public static final int EXTENSION = 12;

  private static final Map<String, Integer> CODES =
      Map.ofEntries(
          Map.entry("cpu", 1),
          Map.entry("cuda", 2),
          Map.entry("cuda_host", 3),
          Map.entry("opencl", 4),
          Map.entry("vulkan", 7),
          Map.entry("metal", 8),
          Map.entry("vpi", 9),
          Map.entry("rocm", 10),
          Map.entry("rocm_host", 11),
          Map.entry("ext_dev", EXTENSION),
          Map.entry("cuda_managed", 13),
          Map.entry("oneapi", 14),
          Map.entry("webgpu", 15),
          Map.entry("hexagon", 16),
          Map.entry("maia", 17),
          Map.entry("trn", 18));

  private DeviceTypeCodes() {}

  /** The number of a kind; {@link #EXTENSION} for kinds that DLPack does not know. */
  public static int codeOf(String kind) {
    return CODES.getOrDefault(kind, EXTENSION);
  }

  /** The kind of a number, or empty when DLPack has none. */
  public static Optional<String> kindOf(int code) {
    return CODES.entrySet().stream()
        .filter(entry -> entry.getValue() == code)
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
