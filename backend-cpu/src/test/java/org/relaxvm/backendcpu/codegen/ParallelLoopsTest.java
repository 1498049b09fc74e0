package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.PoolContext;
import org.relaxvm.tir.PrimFunc;

/** Parallel loops of generated code run on the workers of the VM. */
class ParallelLoopsTest {
  /** Each turn has memory of its own. */
  private static final PrimFunc KERNEL =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def rows(A: T.Buffer((n, m), "float32"), C: T.Buffer((n, m), "float32")):
              n = T.int64()
              m = T.int64()
              for i in T.parallel(n):
                  with T.block("row"):
                      v = T.axis.spatial(n, i)
                      B = T.alloc_buffer((m + v,), "float32")
                      for j in range(m + v):
                          B[j] = A[v, T.min(j, m - 1)] * T.float32(3)
                      for j in range(m):
                          C[v, j] = B[j + v] + T.float32(v)
          """);

  @Test
  void resultsAreThoseOfOneThread() {
    GeneratedKernels.assertSame(
        KERNEL,
        () -> List.of(GeneratedKernelTest.numbers(57, 23), GeneratedKernelTest.numbers(57, 23)));
    try (CountingPool pool = new CountingPool(WorkerPool.ofThreads(4))) {
      for (PackedFunc function :
          GeneratedKernels.compiledInAllWays(KERNEL, name -> Optional.empty())) {
        List<Object> alone =
            List.of(GeneratedKernelTest.numbers(57, 23), GeneratedKernelTest.numbers(57, 23));
        GeneratedKernels.call(function, null, alone);
        for (int turn = 0; turn < 50; turn++) {
          List<Object> together =
              List.of(GeneratedKernelTest.numbers(57, 23), GeneratedKernelTest.numbers(57, 23));
          GeneratedKernels.call(function, new PoolContext(pool), together);
          assertThat(GeneratedKernels.elements(together))
              .isEqualTo(GeneratedKernels.elements(alone));
        }
      }
      // As the device schedules them, so few rows are worth no more than one thread.
      assertThat(pool.loops).isEqualTo(3 * 50);
    }
  }

  @Test
  void turnsFindInMemoryWhatTheLoopAroundThemKeeps() {
    GeneratedKernels.assertSame(
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def rows(A: T.Buffer((n, 2), "float32"), C: T.Buffer((n, 2), "float32")):
                n = T.int64()
                with T.block("root"):
                    S = T.alloc_buffer((), "float32")
                    for i in range(n):
                        S[()] = T.float32(0)
                        for k in range(n):
                            S[()] = S[()] + A[k, 1] * A[i, 0]
                        for j in T.parallel(2):
                            C[i, j] = A[i, j] - S[()]
            """),
        () -> List.of(GeneratedKernelTest.numbers(5, 2), GeneratedKernelTest.numbers(5, 2)));
  }

  @Test
  void errorsOfOtherThreadsReachTheCaller() {
    PrimFunc gather =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def gather(A: T.Buffer((n,), "float32"), P: T.Buffer((m,), "int64"), C: T.Buffer((m,), "float32")):
                n = T.int64()
                m = T.int64()
                for i in T.parallel(m):
                    C[i] = A[P[i]]
            """);
    long[] places = new long[100];
    places[83] = 7;
    List<Object> args =
        List.of(
            GeneratedKernelTest.numbers(7),
            org.relaxvm.api.Tensor.of(places, org.relaxvm.api.Shape.of(100)),
            GeneratedKernelTest.numbers(100));
    try (CountingPool pool = new CountingPool(WorkerPool.ofThreads(4))) {
      for (PackedFunc function :
          GeneratedKernels.compiledInAllWays(gather, name -> Optional.empty())) {
        org.assertj.core.api.Assertions.assertThatThrownBy(
                () -> GeneratedKernels.call(function, new PoolContext(pool), args))
            .isInstanceOf(CallException.class)
            .hasMessage(
                "a read of the buffer A: axis 0: the index 7 is outside of its extent 7\n"
                    + "  at kernel gather");
      }
    }
  }

  /** A pool that counts the loops it runs. */
  private static final class CountingPool implements WorkerPool {
    private final WorkerPool pool;
    int loops;

    CountingPool(WorkerPool pool) {
      this.pool = pool;
    }

    @Override
    public int parallelism() {
      return pool.parallelism();
    }

    @Override
    public boolean isInParallelWork() {
      return pool.isInParallelWork();
    }

    @Override
    public void parallelFor(long begin, long end, long grain, RangeTask task) {
      loops++;
      pool.parallelFor(begin, end, grain, task);
    }

    @Override
    public void runGang(int workers, GangTask task) {
      pool.runGang(workers, task);
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
