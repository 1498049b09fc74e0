package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

/**
 * Calls compiled code that calls Java while the Java heap has only a random few kilobytes left. For
 * a JVM of its own with a small heap, which ends at once when an error leaves Java code that
 * compiled code has called.
 */
final class FullHeapCalls {
  private static final int WARM_UP = 500;
  private static final int MOST_TIMES = 20;
  private static final int MOST_LEFT_BYTES = 1 << 13;
  private static final Object[] END = {};

  // The first element of each is the next.
  private static Object[] ballast = END;

  private FullHeapCalls() {}

  /** The library, the rounds and the seed. Prints how many calls failed. */
  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[1]);
    Random random = new Random(Long.parseLong(arguments[2]));
    PackedFunc sum =
        (args, result) -> {
          byte[] more = new byte[random.nextInt(4096)];
          result.setLong(args.tensorAt(0).toFloatArray().length + more.length * 0L);
        };
    int failed = 0;
    try (Imitation library =
            Imitation.open(
                Path.of(arguments[0]),
                Map.of("test.tensor", sum, "test.twice", Imitation.twice()));
        Tensor tensor = Tensor.of(new float[] {1, 2, 3}, Shape.of(3))) {
      List<Runnable> calls =
          List.of(
              () -> library.call("call_by_name", 21).close(),
              () -> library.call("call_with_tensor", tensor).close(),
              () -> library.call("call_argument", sum, tensor).close(),
              () -> library.call("parallel", 0, -1, 1).close(),
              () -> library.call("workspace", 100).close(),
              () -> expectError(library, "raise"),
              () -> expectError(library, "call_missing"));
      for (int i = 0; i < WARM_UP; i++) {
        calls.forEach(Runnable::run);
      }
      // About one call in six fails: a few rounds may end without one.
      for (int i = 0; i < rounds || (failed == 0 && i < MOST_TIMES * rounds); i++) {
        if (fails(calls.get(i % calls.size()), random.nextInt(MOST_LEFT_BYTES))) {
          failed++;
        }
        calls.forEach(Runnable::run);
      }
    }
    System.out.println("calls that failed: " + failed);
  }

  private static void expectError(Imitation library, String name) {
    try {
      library.call(name).close();
    } catch (CallException e) {
      if (e.getMessage().equals("compiled code failed without saying why")) {
        throw new OutOfMemoryError("there was no memory for the error's text");
      }
      return;
    }
    throw new AssertionError(name + " raised nothing");
  }

  private static boolean fails(Runnable call, int bytesLeft) {
    try {
      fill(bytesLeft);
      call.run();
      return false;
    } catch (OutOfMemoryError | CallException e) {
      return true;
    } finally {
      ballast = END;
    }
  }

  /** Takes all of the heap but about as many bytes. */
  @SuppressWarnings("UnusedVariable") // holds memory meanwhile
  private static void fill(int bytesLeft) {
    byte[] room = new byte[bytesLeft];
    int length = 1 << 18;
    while (length > 0) {
      try {
        Object[] next = new Object[length];
        next[0] = ballast;
        ballast = next;
      } catch (OutOfMemoryError e) {
        length /= 16;
      }
    }
    if (room.length != bytesLeft) {
      throw new AssertionError();
    }
  }
}
