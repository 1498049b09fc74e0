package org.relaxvm.cli.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.ExecutableWriter;

/**
 * Measures which width of vectors is the fastest on this CPU. A JVM has one width for all its
 * kernels, so each is measured in a JVM of its own, which takes a few seconds.
 */
public final class VectorWidths {
  private static final int EXTENT = 512;
  private static final List<Integer> WIDTHS = List.of(128, 256, 512);
  private static final String SETTING = "-Drelaxvm.cpu.vectors=";

  private VectorWidths() {}

  /**
   * Measures float32 matrix products of {@value #EXTENT} rows and columns on the CPU.
   *
   * @return one result for each width
   * @throws IOException when the program to measure cannot be written
   */
  public static List<WidthSpeed> measure() throws IOException, InterruptedException {
    Path program = Files.createTempFile("relaxvm-product", ".so");
    try {
      Files.write(program, matmul());
      List<WidthSpeed> speeds = new ArrayList<>();
      for (int bits : WIDTHS) {
        speeds.add(measure(program, bits));
      }
      return speeds;
    } finally {
      Files.delete(program);
    }
  }

  private static WidthSpeed measure(Path program, int bits) throws InterruptedException {
    String matrix = "random:" + EXTENT + "x" + EXTENT + ":float32";
    try {
      double nanos =
          ChildBench.medianNanos(
              List.of(SETTING + bits),
              List.of(program.toString(), "--warmup=400", "--repeat=200", matrix, matrix, matrix));
      return new WidthSpeed(bits, 2.0 * EXTENT * EXTENT * EXTENT / nanos, "");
    } catch (IOException e) {
      return new WidthSpeed(bits, 0, String.valueOf(e.getMessage()));
    }
  }

  /** {@code main(a, b, out)} computes {@code out = a @ b} and returns it. */
  private static byte[] matmul() {
    ExecBuilder builder = new ExecBuilder();
    builder.emitFunction("main", 3, List.of("a", "b", "out"));
    Arg no = builder.convertConstant(0L);
    builder.emitCall(
        "relaxvm.matmul",
        List.of(
            Arg.register(0),
            Arg.register(1),
            Arg.VOID,
            no,
            no,
            builder.convertConstant("none"),
            Arg.register(2)),
        Arg.VOID);
    builder.emitRet(Arg.register(2));
    builder.endFunction("main");
    return ExecutableWriter.write(builder.get());
  }

  /** The flag that sets a width. */
  public static String flag(int bits) {
    return SETTING + bits;
  }
}
