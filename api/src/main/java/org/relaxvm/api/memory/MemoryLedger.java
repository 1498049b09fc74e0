package org.relaxvm.api.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** Takes blocks from a device within a budget, and releases them. Thread-safe. */
final class MemoryLedger {
  // No machine has more, and rounding sizes up cannot overflow below it.
  private static final long MAX_BLOCK_BYTES = 1L << 60;

  private final Device device;
  private final AllocatorOptions options;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  MemoryLedger(Device device, AllocatorOptions options) {
    this.device = device;
    this.options = options;
  }

  long reservedBytes() {
    return reserved.get();
  }

  long peakBytes() {
    return peak.get();
  }

  long budgetBytes() {
    return options.budgetBytes();
  }

  /** Whether another block fits the budget, now. */
  boolean fits(long byteSize) {
    return byteSize <= MAX_BLOCK_BYTES && byteSize <= options.budgetBytes() - reserved.get();
  }

  /**
   * A block of the device.
   *
   * @param requested what the caller of the allocator asked for, for the message
   * @param idle bytes that the allocator holds without use, for the message
   * @throws DeviceOutOfMemoryException when the budget or the device refuses
   */
  DeviceMemory take(long byteSize, long alignment, String scope, long requested, long idle) {
    if (!reserve(byteSize)) {
      throw outOfMemory(requested, idle, null);
    }
    boolean taken = false;
    DeviceOutOfMemoryException refusal;
    try {
      DeviceMemory memory = device.allocate(byteSize, alignment, scope);
      taken = true;
      // A device may round up.
      peak.accumulateAndGet(reserved.addAndGet(memory.byteSize() - byteSize), Math::max);
      return memory;
    } catch (DeviceOutOfMemoryException e) {
      refusal = e;
    } finally {
      if (!taken) {
        reserved.addAndGet(-byteSize);
      }
    }
    throw outOfMemory(requested, idle, refusal);
  }

  /**
   * Gives a block back, after the work that uses it.
   *
   * @param last the stream whose work used it last
   */
  void give(DeviceMemory memory, @Nullable Stream last) {
    try {
      if (last != null && !device.isHost()) {
        try (Event end = last.record()) {
          end.await();
        }
      }
    } finally {
      // Work that failed uses the block no more.
      reserved.addAndGet(-memory.byteSize());
      device.free(memory);
    }
  }

  BackendException closed() {
    return new BackendException(
        ErrorKind.VALUE, "the allocator of " + device.id() + " is closed: it hands out no memory");
  }

  private boolean reserve(long byteSize) {
    while (true) {
      long before = reserved.get();
      if (byteSize > MAX_BLOCK_BYTES || byteSize > options.budgetBytes() - before) {
        return false;
      }
      if (reserved.compareAndSet(before, before + byteSize)) {
        peak.accumulateAndGet(before + byteSize, Math::max);
        return true;
      }
    }
  }

  private DeviceOutOfMemoryException outOfMemory(
      long requested, long idle, @Nullable DeviceOutOfMemoryException cause) {
    String budget = options.isLimited() ? "a budget of " + options.budgetBytes() : "no budget";
    String remedy =
        cause == null && options.isLimited()
            ? "raise the memory budget, close results that are no longer needed, or use smaller"
                + " inputs"
            : "close results that are no longer needed, use smaller inputs, or free memory of "
                + device.id();
    return new DeviceOutOfMemoryException(
        requested,
        "out of memory on "
            + device.id()
            + ": requested "
            + requested
            + " bytes with "
            + Math.max(0, reserved.get() - idle)
            + " bytes in use, "
            + idle
            + " idle and "
            + budget
            + (cause != null ? " (" + cause.summary() + ")" : "")
            + "\n  what to do: "
            + remedy,
        cause);
  }
}
