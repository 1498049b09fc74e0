package org.relaxvm.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * Times single calls of {@code main} of a library that Apache TVM exported: the first call, then
 * the minimum, the median and the ninth decile of the calls after the first quarter.
 *
 * <p>Arguments: the library, a file with its input, and how many calls to make.
 */
public final class LibraryCalls {
  private LibraryCalls() {}

  /** Runs it. */
  public static void main(String[] args) {
    int calls = args.length > 2 ? Integer.parseInt(args[2]) : 20_000;
    Program program = Program.load(Path.of(args[0]), LoadOptions.DEFAULT.withNativeCode(true));
    double[] micros = new double[calls];
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu:0").build();
        Tensor input = Npy.read(Path.of(args[1]))) {
      VmFunction main = vm.function("main");
      for (int i = 0; i < calls; i++) {
        long start = System.nanoTime();
        main.call(input).close();
        micros[i] = (System.nanoTime() - start) / 1e3;
      }
    }
    double[] steady = Arrays.copyOfRange(micros, calls / 4, calls);
    Arrays.sort(steady);
    System.out.printf(
        Locale.ROOT,
        "first %.0f us; minimum %.2f, median %.2f, ninth decile %.2f us%n",
        micros[0],
        steady[0],
        steady[steady.length / 2],
        steady[steady.length * 9 / 10]);
  }
}
