package org.relaxvm.integrationtests.robustness;

import java.util.Arrays;
import java.util.Random;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Calls a program while the Java heap has only a random few kilobytes left, so that an {@link
 * OutOfMemoryError} arises wherever the VM makes an object. After each the heap is made roomy
 * again: nothing may be in use, and the next call must give the right result. For a JVM of its own
 * with a small heap.
 */
final class ShortOfMemory {
  private static final int WARM_UP = 1_000;
  private static final int MOST_LEFT_BYTES = 1 << 13;

  private ShortOfMemory() {}

  /** The number of rounds, and the seed. Prints how many calls failed. */
  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[0]);
    Random random = new Random(Long.parseLong(arguments[1]));
    Ballast ballast = new Ballast();
    int failed = 0;
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new CpuBackendProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm = LayersProgram.builder(registry).build();
        Tensor input = LayersProgram.input(3)) {
      byte[] expected = call(vm, input, 3);
      ballast.drop(); // the JVM links what is called for the first time, which needs memory
      for (int i = 0; i < WARM_UP; i++) {
        call(vm, input, 3);
      }
      for (int i = 0; i < rounds; i++) {
        if (fails(vm, input, ballast, random.nextInt(MOST_LEFT_BYTES))) {
          failed++;
        }
        long live = vm.memoryStats().getFirst().liveBlocks();
        if (live != 0) {
          throw new AssertionError("round " + i + ": " + live + " blocks are still in use");
        }
        if (!Arrays.equals(call(vm, input, 3), expected)) {
          throw new AssertionError("round " + i + ": the next call gives another result");
        }
      }
    }
    System.out.println("calls that failed: " + failed);
  }

  private static boolean fails(VirtualMachine vm, Tensor input, Ballast ballast, int bytesLeft) {
    Value result = null;
    try {
      ballast.fill(bytesLeft);
      result = vm.function("main").call(input, 3);
      return false;
    } catch (OutOfMemoryError | DeviceOutOfMemoryException e) {
      return true;
    } finally {
      ballast.drop();
      if (result != null) {
        result.close();
      }
    }
  }

  private static byte[] call(VirtualMachine vm, Tensor input, int steps) {
    try (Value result = vm.function("main").call(input, steps)) {
      return LayersProgram.bytes(result.object());
    }
  }

  /** Objects that take up the heap. */
  private static final class Ballast {
    private static final byte[] NOTHING = {};
    private static final Object[] END = {};

    // The first element of each is the next.
    private Object[] chain = END;

    @SuppressWarnings("UnusedVariable") // holds memory
    private byte[] room = NOTHING;

    /** Takes all of the heap but about as many bytes. */
    void fill(int bytesLeft) {
      room = new byte[bytesLeft];
      int length = 1 << 18;
      while (length > 0) {
        try {
          Object[] next = new Object[length];
          next[0] = chain;
          chain = next;
        } catch (OutOfMemoryError e) {
          length /= 16;
        }
      }
      room = NOTHING;
    }

    void drop() {
      chain = END;
    }
  }
}
