package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.PoolContext;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.verify.Verified;

/** Threads that fail at the same time each report an index with its own extent. */
class ParallelFailuresTest {
  private static final int ROWS = 64;

  private static final PrimFunc KERNEL =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def gathers(A: T.Buffer((4,), "float32"), B: T.Buffer((9,), "float32"), P: T.Buffer((64,), "int64"), C: T.Buffer((64,), "float32")):
              for i in T.parallel(64):
                  with T.block("row"):
                      v = T.axis.spatial(64, i)
                      if v % 2 == 0:
                          C[v] = A[P[v]]
                      else:
                          C[v] = B[P[v]]
          """);

  private static final Pattern MESSAGE =
      Pattern.compile(
          "a read of the buffer ([AB]): axis 0: the index (\\d+) is outside of its extent (\\d+)\n"
              + "  at kernel gathers");

  @Test
  void indexAndExtentBelongTogether() {
    PackedFunc kernel =
        GeneratedKernels.machine(Verified::of).compile(KERNEL, name -> Optional.empty());
    long[] places = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      places[i] = 100L + i;
    }
    List<Tensor> args =
        List.of(
            Tensor.zeros(DType.FLOAT32, Shape.of(4)),
            Tensor.zeros(DType.FLOAT32, Shape.of(9)),
            Tensor.of(places, Shape.of(ROWS)),
            Tensor.zeros(DType.FLOAT32, Shape.of(ROWS)));
    try (WorkerPool pool = WorkerPool.ofThreads(4)) {
      for (int turn = 0; turn < 200; turn++) {
        CallException error =
            catchThrowableOfType(
                CallException.class,
                () -> GeneratedKernels.call(kernel, new PoolContext(pool), args));
        Matcher message = MESSAGE.matcher(String.valueOf(error.getMessage()));
        assertThat(message.matches()).as(error.getMessage()).isTrue();
        boolean isEven = Long.parseLong(message.group(2)) % 2 == 0;
        assertThat(message.group(1)).isEqualTo(isEven ? "A" : "B");
        assertThat(message.group(3)).isEqualTo(isEven ? "4" : "9");
      }
    }
  }
}
