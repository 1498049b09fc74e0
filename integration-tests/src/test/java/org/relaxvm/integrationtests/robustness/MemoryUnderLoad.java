package org.relaxvm.integrationtests.robustness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Calls a program with a dynamic batch many times, each time with another size, and prints after
 * every tenth part what the process and the pool hold.
 */
final class MemoryUnderLoad {
  private static final int SIZES = 250;
  private static final int ROWS_PER_SIZE = 2;
  private static final Path STATUS = Path.of("/proc/self/status");

  private MemoryUnderLoad() {}

  /** The number of calls. Prints lines {@code calls=N rss_kib=N reserved_bytes=N live_blocks=N}. */
  public static void main(String[] arguments) throws IOException {
    int calls = Integer.parseInt(arguments[0]);
    Random random = new Random(1);
    try (BackendRegistry registry = BackendRegistry.discover();
        VirtualMachine vm = LayersProgram.builder(registry).build()) {
      // Memory of Java's own tensors comes back with the garbage, which would blur the figures.
      List<Tensor> inputs = IntStream.range(0, SIZES).mapToObj(MemoryUnderLoad::input).toList();
      for (int i = 1; i <= calls; i++) {
        Tensor input = inputs.get(random.nextInt(SIZES));
        try (Value result = vm.function("main").call(input, random.nextInt(4))) {
          if (result.asTuple().size() != 2) {
            throw new AssertionError("call " + i + " gave " + result);
          }
        }
        if (i % (calls / 10) == 0) {
          AllocatorStats stats = vm.memoryStats().getFirst();
          System.out.printf(
              "calls=%d rss_kib=%d reserved_bytes=%d live_blocks=%d%n",
              i, residentKibibytes(), stats.reservedBytes(), stats.liveBlocks());
        }
      }
    }
  }

  private static Tensor input(int size) {
    return LayersProgram.input(size * ROWS_PER_SIZE);
  }

  /** Memory of the process; 0 where the system does not tell it in this way. */
  private static long residentKibibytes() throws IOException {
    if (!Files.exists(STATUS)) {
      return 0;
    }
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }
}
