package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.MeasuredJvm;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.tir.PrimFunc;

/** Calls of generated code make few objects: none for elements. */
@Timeout(60)
class GeneratedAllocationTest {
  private static final int ELEMENTS = 4096;
  private static final int CALLS = 500;
  private static final int ROUNDS = 60;
  private static final long MOST = 2048;

  /** The value of an element; the second is of functions that are too much for one loop. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "class; T.max(A[i] * B[i] + T.float32(1), T.float32(0))",
        "class; T.exp(T.log(T.tanh(T.erf(A[i])))) + B[i]",
        "machine; T.max(A[i] * B[i] + T.float32(1), T.float32(0))"
      })
  void aCallMakesFewObjects(String code, String value) throws Exception {
    String output = MeasuredJvm.run(Measured.class, code, value);
    System.out.println(
        "a call of a kernel over " + ELEMENTS + " floats, " + code + ", makes " + output);
    assertThat(output).matches("\\d+ bytes");
    assertThat(Long.parseLong(output.split(" ")[0])).isLessThan(MOST);
  }

  /** Prints the bytes that a call took as soon as it took few, else where it took the least. */
  static final class Measured {
    private Measured() {}

    public static void main(String[] arguments) {
      PrimFunc kernel =
          GeneratedKernels.kernel(
              """
              @T.prim_func(private=True)
              def chain(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                  n = T.int64()
                  for i in range(n):
                      C[i] = %s
              """
                  .formatted(arguments[1]));
      PackedFunc function =
          arguments[0].equals("machine")
              ? GeneratedKernels.machine(CpuSchedule::of).compile(kernel, name -> Optional.empty())
              : GeneratedKernels.compile(kernel);
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      Tensor a = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
      Tensor b = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
      Tensor c = Tensor.zeros(DType.FLOAT32, Shape.of(ELEMENTS));
      CallArgs args = CallArgs.of(a, b, c);
      CallResult result = new CallResult();
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least >= MOST * CALLS; round++) {
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
