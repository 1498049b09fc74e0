package org.relaxvm.backendcuda.driver;

import java.util.concurrent.atomic.AtomicBoolean;

/** What {@link LibCuda} makes: addresses. */
final class DirectHandles {
  private DirectHandles() {}

  record Module(long address) implements Handle.Module {}

  /**
   * A kernel.
   *
   * @param largeClusters whether it may be launched with more blocks in a cluster than every device
   *     has room for
   */
  record Function(long address, AtomicBoolean largeClusters) implements Handle.Function {}
}
