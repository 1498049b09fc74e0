package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/** Many threads call the code of one library at once. */
@Timeout(600)
class NativeThreadsTest {
  private static final int CALLS = Effort.chosen().pick(500, 2_000, 100_000);
  private static final int THREADS = 8;
  private static final int VIRTUAL = 200;
  private static final int SIZES = 5;

  @ParameterizedTest
  @ValueSource(strings = {"03-mlp-dynamic-batch", "04-mlp-compiled-mode"})
  void threadsAgree(String name) throws Exception {
    check(name, Executors.newFixedThreadPool(THREADS), THREADS, CALLS);
  }

  @Test
  void virtualThreadsAgree() throws Exception {
    check(
        "03-mlp-dynamic-batch",
        Executors.newVirtualThreadPerTaskExecutor(),
        VIRTUAL,
        Math.max(1, CALLS * THREADS / VIRTUAL));
  }

  private static void check(String name, ExecutorService executor, int threads, int calls)
      throws Exception {
    Path folder = NativeGolden.require(name);
    long start = System.nanoTime();
    try (ExecutorService pool = executor;
        VirtualMachine vm = VirtualMachine.builder(NativeGolden.program(folder)).build()) {
      VmFunction main = vm.function("main");
      List<Tensor> inputs = new ArrayList<>();
      List<float[]> expected = new ArrayList<>();
      for (int size = 0; size < SIZES; size++) {
        inputs.add(input(1 + 3 * size));
        expected.add(result(main, inputs.get(size)));
      }
      List<Future<Integer>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t;
        all.add(pool.submit(() -> differences(main, inputs, expected, first, calls)));
      }
      for (Future<Integer> one : all) {
        assertThat(one.get()).as("results that differ").isZero();
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
    System.out.printf(
        "%s: %d threads x %d calls in %.1f s%n",
        name, threads, calls, (System.nanoTime() - start) / 1e9);
  }

  private static int differences(
      VmFunction main, List<Tensor> inputs, List<float[]> expected, int first, int calls) {
    int different = 0;
    for (int i = 0; i < calls; i++) {
      int which = (first + i) % SIZES;
      if (!Arrays.equals(result(main, inputs.get(which)), expected.get(which))) {
        different++;
      }
    }
    return different;
  }

  private static float[] result(VmFunction main, Tensor input) {
    try (Value value = main.call(input)) {
      return value.asTensor().toFloatArray();
    }
  }

  private static Tensor input(int rows) {
    Tensor input = Tensor.zeros(DType.FLOAT32, Shape.of(rows, 64));
    float[] values = new float[rows * 64];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 37 % 101 - 50) / 50f;
    }
    return Tensor.of(values, input.shape());
  }
}
