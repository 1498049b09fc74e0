package org.relaxvm.integrationtests.events;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import jdk.jfr.Recording;
import org.relaxvm.api.Storage;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Prints the bytes of Java heap that an instruction takes, and an allocation of a pool beyond the
 * storage that it gives; run in a JVM of its own by {@link FlightRecordingTest}.
 */
final class AllocatedBytes {
  private static final int REPEATS = 100;
  private static final int ROUNDS = 10;

  private AllocatedBytes() {}

  public static void main(String[] args) {
    System.out.println("never recorded: " + perInstruction() + ", " + perAllocation());
    try (Recording recording = new Recording()) {
      recording.enable("relaxvm.Kernel");
      recording.start();
      perInstruction();
    }
    System.out.println("no more recorded: " + perInstruction());
  }

  private static long perInstruction() {
    try (VirtualMachine small = copies(1000);
        VirtualMachine large = copies(2000)) {
      Runnable smallCall = () -> small.function("main").call(1).close();
      Runnable largeCall = () -> large.function("main").call(1).close();
      return (perRun(largeCall) - perRun(smallCall)) / 1000;
    }
  }

  private static VirtualMachine copies(int count) {
    String program =
        "@main(x):\n" + "  call  vm.builtin.copy  in: %0 dst: %1\n".repeat(count) + "  ret   %1\n";
    return VirtualMachine.builder(Program.of(Assembler.parse(program))).build();
  }

  private static long perAllocation() {
    try (PooledAllocator pool = new PooledAllocator(HostDevice.INSTANCE);
        Stream stream = HostDevice.INSTANCE.openStream();
        Storage sample = pool.allocate(100, 64, "", stream)) {
      long object =
          perRun(
              () -> new Storage(sample.device(), sample.memory(), 4096, "", null, stream).close());
      return perRun(() -> pool.allocate(100, 64, "", stream).close()) - object;
    }
  }

  private static long perRun(Runnable action) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    // What happens only once, such as loading a class, is in one round only.
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < REPEATS; i++) {
        action.run();
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / REPEATS);
    }
    return least;
  }
}
