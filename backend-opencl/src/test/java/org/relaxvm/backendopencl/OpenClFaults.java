package org.relaxvm.backendopencl;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;

/**
 * Faults that the JVM handles, and one that a driver handles, in a process that uses a device. Says
 * what came of them.
 */
public final class OpenClFaults {
  private static final int THREADS = 4;
  private static final int PROGRAMS = 20;

  /** A thread gets here in microseconds, unless the fault never ends. */
  private static final long ENOUGH_FAULTS = 1_000;

  private static final String DIVIDED =
      """
      __kernel void divided(__global const int* x, __global int* out) {
        for (int i = 0; i < 3; ++i) {
          out[i] = (7 + i) / x[i];
        }
      }
      """;

  private OpenClFaults() {}

  /** Prints a line for each kind of fault. */
  public static void main(String[] args) throws InterruptedException {
    try (Backend backend = new OpenClBackendProvider().open()) {
      OpenClDevice device = (OpenClDevice) backend.devices().getFirst();
      System.out.println("Java after the driver was loaded: " + quotient(1, 0));
      System.out.println("kernel: " + divideInKernel(device));
      System.out.println("Java after a kernel: " + quotient(1, 0));
      System.out.println(buildWhileOthersFault(device));
      System.out.println("kernel after faults: " + divideInKernel(device));
      System.out.println("Java after faults: " + quotient(1, 0));
    }
  }

  private static String quotient(int dividend, int divisor) {
    try {
      return Integer.toString(dividend / divisor);
    } catch (ArithmeticException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The quotients, but for the one by zero, which may be anything. */
  private static String divideInKernel(OpenClDevice device) {
    KernelEntry entry =
        new KernelEntry("divided", List.of(KernelEntry.HANDLE, KernelEntry.HANDLE), List.of());
    try (NaiveAllocator allocator = new NaiveAllocator(device);
        Stream stream = device.openStream();
        Module module = device.loadModule(NegatedKernel.image(DIVIDED, entry));
        Tensor x =
            DeviceTensors.copyTo(Tensor.of(new int[] {2, 0, 3}, Shape.of(3)), allocator, stream);
        Tensor out = DeviceTensors.copyTo(Tensor.of(new int[3], Shape.of(3)), allocator, stream)) {
      module.find("divided").orElseThrow().invoke(x, out).close();
      Tensor quotients = out.toHost();
      return quotients.longAt(0) + ", any, " + quotients.longAt(2);
    }
  }

  /** Builds programs that the driver has not seen before, while threads dereference null. */
  private static String buildWhileOthersFault(OpenClDevice device) throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong faults = new AtomicLong();
    List<Thread> threads =
        java.util.stream.Stream.generate(() -> Thread.ofPlatform().start(() -> fault(done, faults)))
            .limit(THREADS)
            .toList();
    int built = 0;
    String problem = "";
    for (int i = 0; i < PROGRAMS; i++) {
      String source = "/* %d */ %s".formatted(System.nanoTime(), NegatedKernel.SOURCE);
      source = source.replace("-x[i]", "x[i] - " + System.nanoTime());
      try {
        device.build("negated", source, "").close();
        built++;
      } catch (BackendException e) {
        problem = " " + e.getMessage();
      }
    }
    done.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    return "built %d of %d programs among faults: %s%s"
        .formatted(built, PROGRAMS, faults.get() > ENOUGH_FAULTS, problem);
  }

  @SuppressWarnings("NullAway") // null is what it is about
  private static void fault(AtomicBoolean done, AtomicLong faults) {
    while (!done.get()) {
      try {
        faults.addAndGet(length(null));
      } catch (NullPointerException _) {
        faults.incrementAndGet();
      }
    }
  }

  /** Interpreted code looks for null by reading there. */
  private static int length(int[] array) {
    return array.length;
  }
}
