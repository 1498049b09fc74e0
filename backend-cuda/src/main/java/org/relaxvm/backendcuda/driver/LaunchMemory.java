package org.relaxvm.backendcuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** Writes what the driver reads of a launch. Layouts are those of {@code cuda.h}. Stateless. */
final class LaunchMemory {
  private static final long BUFFER_POINTER = 1;
  private static final long BUFFER_SIZE = 2;

  private static final long CONFIG_BYTES = 56;
  private static final long CONFIG_STREAM = 32;
  private static final long CONFIG_ATTRIBUTES = 40;
  private static final long CONFIG_COUNT = 48;

  private static final long ATTRIBUTE_BYTES = 72;
  private static final long ATTRIBUTE_VALUE = 8;
  private static final int MOST_ATTRIBUTES = 4;
  private static final int COOPERATIVE = 2;
  private static final int CLUSTER = 4;
  private static final int PROGRAMMATIC = 6;
  private static final int PREFERRED_CLUSTER = 11;

  private LaunchMemory() {}

  /** The list of extra parameters that says where the arguments are. */
  static MemorySegment extra(Launch launch, SegmentAllocator memory) {
    MemorySegment arguments = MemorySegment.ofBuffer(launch.arguments());
    if (arguments.byteSize() == 0) {
      return MemorySegment.NULL;
    }
    MemorySegment extra = memory.allocate(JAVA_LONG, 6);
    extra.setAtIndex(JAVA_LONG, 0, BUFFER_POINTER);
    extra.setAtIndex(JAVA_LONG, 1, arguments.address());
    extra.setAtIndex(JAVA_LONG, 2, BUFFER_SIZE);
    extra.setAtIndex(JAVA_LONG, 3, extra.address() + 5 * Long.BYTES);
    extra.setAtIndex(JAVA_LONG, 5, arguments.byteSize());
    return extra;
  }

  /** Whether a launch has attributes, for which there is a call of its own. */
  static boolean isExtended(Launch launch) {
    return launch.overlapsPrevious()
        || launch.cooperative()
        || !launch.cluster().equals(Axes.ONE)
        || !launch.preferredCluster().equals(Axes.ONE);
  }

  /**
   * A launch with attributes.
   *
   * @param prefers whether the driver knows of preferred clusters, which are only a wish
   */
  static MemorySegment config(
      Launch launch, long stream, boolean prefers, SegmentAllocator memory) {
    MemorySegment attributes = memory.allocate(MOST_ATTRIBUTES * ATTRIBUTE_BYTES, Long.BYTES);
    int count = 0;
    if (!launch.cluster().equals(Axes.ONE)) {
      axes(attribute(attributes, count++, CLUSTER), launch.cluster());
    }
    if (prefers && !launch.preferredCluster().equals(Axes.ONE)) {
      axes(attribute(attributes, count++, PREFERRED_CLUSTER), launch.preferredCluster());
    }
    if (launch.overlapsPrevious()) {
      attribute(attributes, count++, PROGRAMMATIC).set(JAVA_INT, 0, 1);
    }
    if (launch.cooperative()) {
      attribute(attributes, count++, COOPERATIVE).set(JAVA_INT, 0, 1);
    }
    MemorySegment config = memory.allocate(CONFIG_BYTES, Long.BYTES);
    axes(config, launch.grid());
    axes(config.asSlice(3 * Integer.BYTES), launch.block());
    config.set(JAVA_INT, 6 * Integer.BYTES, launch.dynamicSharedBytes());
    config.set(JAVA_LONG, CONFIG_STREAM, stream);
    config.set(JAVA_LONG, CONFIG_ATTRIBUTES, attributes.address());
    config.set(JAVA_INT, CONFIG_COUNT, count);
    return config;
  }

  private static MemorySegment attribute(MemorySegment all, int index, int id) {
    MemorySegment one = all.asSlice(index * ATTRIBUTE_BYTES, ATTRIBUTE_BYTES);
    one.set(JAVA_INT, 0, id);
    return one.asSlice(ATTRIBUTE_VALUE);
  }

  private static void axes(MemorySegment to, Axes axes) {
    to.setAtIndex(JAVA_INT, 0, axes.x());
    to.setAtIndex(JAVA_INT, 1, axes.y());
    to.setAtIndex(JAVA_INT, 2, axes.z());
  }
}
