package org.relaxvm.vmcore.vm;

import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;

/** How a virtual machine gets memory from its devices. */
public enum AllocatorKind {
  /** Asks the device for each block and releases it at once. */
  NAIVE,
  /** Keeps blocks and uses them again. */
  POOLED;

  Allocator create(Device device, AllocatorOptions options) {
    return switch (this) {
      case NAIVE -> new NaiveAllocator(device, options);
      case POOLED -> new PooledAllocator(device, options);
    };
  }
}
