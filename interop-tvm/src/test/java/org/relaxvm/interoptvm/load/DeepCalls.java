package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import org.relaxvm.api.PackedFunc;

/**
 * Calls compiled code that calls Java, close to the end of the stack and beyond. For a JVM of its
 * own, which ends at once when an error leaves Java code that compiled code has called.
 */
final class DeepCalls {
  private static final int STACK_BYTES = 512 << 10;

  private final int rounds;
  private final PackedFunc byName;
  private final PackedFunc byArgument;
  private int overflows;

  private DeepCalls(Imitation library, int rounds) {
    this.rounds = rounds;
    byName = library.function("call_by_name");
    byArgument = library.function("call_argument");
  }

  /**
   * The library, the rounds, and its calling convention. Prints how many calls ran out of stack.
   */
  public static void main(String[] arguments) throws InterruptedException {
    boolean old = arguments[2].equals(Convention.UP_TO_0_20.name());
    Path file = Path.of(arguments[0]);
    try (Imitation library = old ? Imitation.openOld(file) : Imitation.open(file)) {
      DeepCalls calls = new DeepCalls(library, Integer.parseInt(arguments[1]));
      Thread thread = new Thread(null, calls::run, "deep", STACK_BYTES);
      thread.start();
      thread.join();
      Thread.ofVirtual().start(calls::run).join();
      if (library.call("call_by_name", 21).asLong() != 42) {
        throw new AssertionError("calls do not work any more");
      }
      System.out.println("calls that ran out of stack: " + calls.overflows);
    }
  }

  private void run() {
    for (int round = 0; round < rounds; round++) {
      int padding = round;
      overflow(() -> deeper(padding, () -> callAtEachDepth(0)));
      overflow(() -> deeper(padding, this::callAlternately));
    }
  }

  private void overflow(Runnable action) {
    try {
      action.run();
    } catch (StackOverflowError e) {
      overflows++;
    }
  }

  /** Shifts what follows by a few bytes of stack. */
  private static void deeper(int frames, Runnable action) {
    if (frames > 0) {
      deeper(frames - 1, action);
    } else {
      action.run();
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until there is no more stack
  private long callAtEachDepth(long depth) {
    long result;
    try (var value = byName.invoke(depth)) {
      result = value.asLong();
    }
    if (result != 2 * depth) {
      throw new AssertionError("twice " + depth + " is not " + result);
    }
    return callAtEachDepth(depth + 1) + 1;
  }

  /** Java calls compiled code, which calls Java, and so on. */
  private void callAlternately() {
    PackedFunc[] self = new PackedFunc[1];
    self[0] = (args, result) -> byArgument.invoke(self[0]).close();
    byArgument.invoke(self[0]).close();
  }
}
