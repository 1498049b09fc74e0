package org.relaxvm.api.parallel;

/**
 * The end of a task while the heap is full, by code that has never run before. For a JVM of its own
 * with a small heap.
 */
final class FullHeapCompletion {
  private static final Object[] END = {};
  private static final Throwable NOTHING = new IllegalStateException("nothing was raised");

  // The first element of each is the next.
  private static Object[] ballast = END;

  private FullHeapCompletion() {}

  /** Prints what became of a task that could not be run, and of those who wait for it. */
  public static void main(String[] arguments) {
    Completion unable = new Completion();
    Completion calledOff = new Completion();
    Completion.Work work = (_, _) -> {};
    OutOfMemoryError reason = new OutOfMemoryError("test");
    boolean failed;
    Throwable raised;
    try {
      fill();
      calledOff.fail(reason);
      calledOff.count();
      unable.run(work, 0, 1);
      failed = unable.hasFailed();
      raised = raised(calledOff);
    } finally {
      ballast = END;
    }
    System.out.println(
        "the task failed: "
            + failed
            + ", its end: "
            + raised(unable)
            + ", who was called off got the reason: "
            + reason.equals(raised));
  }

  private static Throwable raised(Completion completion) {
    try {
      completion.await(1);
      return NOTHING;
    } catch (OutOfMemoryError e) {
      return e;
    }
  }

  /** Takes all of the heap, down to the smallest object. */
  private static void fill() {
    int length = 1 << 18;
    while (true) {
      try {
        Object[] next = new Object[length];
        next[0] = ballast;
        ballast = next;
      } catch (OutOfMemoryError _) {
        if (length == 1) {
          return;
        }
        length /= 8;
      }
    }
  }
}
