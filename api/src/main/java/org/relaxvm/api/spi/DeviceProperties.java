package org.relaxvm.api.spi;

import java.util.Map;

/**
 * What a device says of itself.
 *
 * @param name for people, such as {@code AMD EPYC, 2 cores}
 * @param totalMemoryBytes memory of the device; 0 when unknown
 * @param minAlignment alignment that every allocation has at least, in bytes, a power of two
 * @param maxAllocationBytes largest single block; {@link Long#MAX_VALUE} when not limited
 * @param details further facts for {@code doctor}, in display order: driver, limits, features;
 *     nothing that changes, such as counters
 */
public record DeviceProperties(
    String name,
    long totalMemoryBytes,
    long minAlignment,
    long maxAllocationBytes,
    Map<String, String> details) {
  /**
   * The name of the detail that is a device's UUID, the same in each process, where it has one:
   * devices are found by it, too.
   */
  public static final String UUID = "uuid";
}
