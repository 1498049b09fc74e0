package org.relaxvm.backendcuda;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.CudaStatusException;

/**
 * The rings of a device. Pinned memory is slow to get, so that a stream that is closed leaves its
 * ring to the next one. Thread-safe.
 */
final class StagingRings {
  private final DeviceContext context;
  private final ConcurrentLinkedQueue<StagingRing> idle = new ConcurrentLinkedQueue<>();

  StagingRings(DeviceContext context) {
    this.context = context;
  }

  /**
   * A ring for one stream.
   *
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException when the host has not so much
   */
  StagingRing take() {
    StagingRing left = idle.poll();
    if (left != null) {
      return left;
    }
    try {
      return StagingRing.of(context);
    } catch (CudaStatusException e) {
      throw context.failure(e, "take pinned memory of the host");
    }
  }

  /** Takes back a ring whose stream has done all of its copies. */
  void giveBack(StagingRing ring) {
    ring.allDone();
    idle.add(ring);
  }
}
