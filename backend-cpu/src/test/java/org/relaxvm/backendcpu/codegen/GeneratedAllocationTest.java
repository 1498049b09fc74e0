package org.relaxvm.backendcpu.codegen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Calls of generated code make few objects: none for elements. */
@Timeout(60)
class GeneratedAllocationTest {
  private static final int ELEMENTS = 4096;
  private static final int CALLS = 500;
  private static final int ROUNDS = 60;
  private static final long MOST = 2048;

  @Test
  void aCallMakesFewObjects() throws Exception {
    // In a JVM of its own, where no other test has taught the compiler other types.
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-modules",
            "jdk.incubator.vector",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Measured.class.getName());
    Process process =
        new ProcessBuilder(command)
            .directory(new File(System.getProperty("user.dir")))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).isZero();
    System.out.println("a call of a kernel over " + ELEMENTS + " floats makes " + output);
    assertThat(output).matches("\\d+ bytes");
    assertThat(Long.parseLong(output.split(" ")[0])).isLessThan(MOST);
  }

  /** Prints the bytes that a call took where it took the least. */
  static final class Measured {
    private Measured() {}

    public static void main(String[] arguments) {
      PackedFunc function =
          GeneratedKernels.compile(
              GeneratedKernels.kernel(
                  """
                  @T.prim_func(private=True)
                  def chain(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                      n = T.int64()
                      for i in range(n):
                          C[i] = T.max(A[i] * B[i] + T.float32(1), T.float32(0))
                  """));
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      Tensor a = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
      Tensor b = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
      Tensor c = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
      CallArgs args = CallArgs.of(a, b, c);
      CallResult result = new CallResult();
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
          function.call(args, result);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      System.out.println(least / CALLS + " bytes");
    }
  }
}
