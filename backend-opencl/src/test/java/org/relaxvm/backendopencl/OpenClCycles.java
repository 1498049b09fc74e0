package org.relaxvm.backendopencl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendopencl.driver.HandleKind;
import org.relaxvm.backendopencl.driver.JoclDriver;

/** Uses and closes devices again and again, and says what is left. */
public final class OpenClCycles {
  private static final int CYCLES = 200;
  private static final int LINES = 10;

  private OpenClCycles() {}

  /** Prints ten lines. */
  public static void main(String[] args) throws IOException {
    for (int cycle = 1; cycle <= CYCLES; cycle++) {
      Map<HandleKind, Long> live = use();
      if (cycle % (CYCLES / LINES) == 0) {
        System.out.printf("cycles=%d handles=%s rss_kib=%d%n", cycle, live, residentKib());
      }
    }
  }

  private static Map<HandleKind, Long> use() {
    JoclDriver driver = JoclDriver.load();
    try (Backend backend = OpenClBackend.open(driver)) {
      Device device = backend.devices().getFirst();
      try (PooledAllocator pool = new PooledAllocator(device);
          Stream stream = device.openStream();
          Stream other = device.openStream();
          Module module = ((ModuleLoader) device).loadModule(NegatedKernel.module().image());
          Tensor x = Tensor.of(new float[] {1, 2, 3}, Shape.of(3)).copyTo(pool, stream);
          Event event = stream.record()) {
        other.waitFor(event);
        module.find(NegatedKernel.NAME).orElseThrow().invoke(x, x).close();
        if (x.toHost().toFloatArray()[2] != -3) {
          throw new IllegalStateException("the kernel gave " + x.toHost());
        }
      }
    }
    return driver.liveHandles();
  }

  private static long residentKib() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("/proc/self/status has no line VmRSS");
  }
}
