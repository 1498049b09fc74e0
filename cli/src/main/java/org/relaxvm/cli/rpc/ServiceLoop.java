package org.relaxvm.cli.rpc;

import java.util.concurrent.CountDownLatch;

/** Keeps a service running until the process is asked to end. */
final class ServiceLoop {
  private ServiceLoop() {}

  /**
   * Waits for the end of the process; what the caller closes afterwards is done before the process
   * ends.
   */
  static void runUntilEnd(Runnable closing) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  end.countDown();
                  try {
                    ended.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    try {
      end.await();
      closing.run();
    } finally {
      ended.countDown();
    }
  }
}
