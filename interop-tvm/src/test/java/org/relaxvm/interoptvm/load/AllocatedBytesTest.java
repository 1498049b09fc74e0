package org.relaxvm.interoptvm.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoptvm.ChildJvm;

/** Calls of compiled code make no objects. */
@Timeout(60)
class AllocatedBytesTest {
  private static final int CALLS = 100_000;
  private static final int ROUNDS = 20;

  @TempDir Path folder;

  @Test
  void aCallWithThreeTensorsMakesNone() {
    // In a JVM of its own, where no other test has taught the compiler other types.
    String output = ChildJvm.run(Measured.class, List.of(), Imitation.compile(folder, "empty.so"));
    System.out.print(output);
    assertThat(output).isEqualTo("bytes in 100000 calls: 0\n");
  }

  /** Prints the bytes that calls of an empty kernel took, where they took the least. */
  static final class Measured {
    private Measured() {}

    public static void main(String[] arguments) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      try (Imitation library = Imitation.open(Path.of(arguments[0]))) {
        PackedFunc empty = library.function("empty");
        Tensor a = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));
        CallArgs args = CallArgs.of(a, Tensor.scalar(1f), Tensor.zeros(DType.INT64, Shape.of(5)));
        CallResult result = new CallResult();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
          long before = threads.getCurrentThreadAllocatedBytes();
          for (int i = 0; i < CALLS; i++) {
            empty.call(args, result);
          }
          least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.println("bytes in " + CALLS + " calls: " + least);
      }
    }
  }
}
