package org.relaxvm.integrationtests.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Loads a library, links it, calls it and closes it many times, and prints after every tenth part
 * what the process holds.
 */
final class NativeCycles {
  private NativeCycles() {}

  /** The case's folder and the number of cycles. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]);
    int cycles = Integer.parseInt(arguments[1]);
    try (BackendRegistry registry = BackendRegistry.discover()) {
      for (int i = 1; i <= cycles; i++) {
        VirtualMachine vm =
            VirtualMachine.builder(NativeGolden.program(folder)).registry(registry).build();
        try (vm;
            Tensor input = Tensor.zeros(DType.FLOAT32, Shape.of(3, 64));
            Value result = vm.function("main").call(input)) {
          if (result.asTensor().elementCount() != 30) {
            throw new AssertionError("cycle " + i + " gave " + result);
          }
        }
        if (i % (cycles / 10) == 0) {
          unmap();
          System.out.printf(
              "cycles=%d rss_kib=%d files=%d threads=%d maps=%d libraries=%d reserved_bytes=%d"
                  + " live_blocks=%d%n",
              i,
              status("VmRSS:"),
              count(Path.of("/proc/self/fd")),
              status("Threads:"),
              lines(""),
              lines("r-xp"),
              vm.memoryStats().getFirst().reservedBytes(),
              vm.memoryStats().getFirst().liveBlocks());
        }
      }
    }
  }

  private static long status(String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  /**
   * What was mapped to be read goes with the garbage, some time after it; the last program is still
   * in hand.
   */
  private static void unmap() throws IOException, InterruptedException {
    for (int i = 0; i < 100 && lines("") > 1; i++) {
      System.gc();
      Thread.sleep(20);
    }
  }

  /** Mappings of the library, with these rights. */
  private static long lines(String rights) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("model.so") && line.contains(rights))
        .count();
  }
}
