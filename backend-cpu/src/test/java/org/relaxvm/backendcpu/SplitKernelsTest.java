package org.relaxvm.backendcpu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.backendcpu.SplitCases.Case;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** The device computes a part of a kernel with the library, and gives what the evaluator gives. */
class SplitKernelsTest {
  /** The functions of the library that were called, and on how many threads each could run. */
  private final ConcurrentLinkedQueue<String> called = new ConcurrentLinkedQueue<>();

  private Module library() {
    Module all = new CpuDevice(CpuFacts.read(), VectorChoice.get()).library();
    Map<String, PackedFunc> functions = new HashMap<>();
    for (String name : all.functionNames()) {
      PackedFunc function = all.find(name).orElseThrow();
      functions.put(
          name,
          (args, result) -> {
            VmContext context = args.contextOrNull();
            called.add(name + (context == null ? "" : " on " + context.workers().parallelism()));
            function.call(args, result);
          });
    }
    return Module.of("library", functions);
  }

  private PackedFunc loaded(PrimFunc kernel) {
    Verifier.verify(kernel);
    byte[] text = TirText.print(kernel).getBytes(UTF_8);
    ModuleImage image = new ModuleImage("tir", List.of(kernel.name()), MemorySegment.ofArray(text));
    return new TirKernels(library(), VectorChoice.get())
        .load(image)
        .find(kernel.name())
        .orElseThrow();
  }

  private static Tensor numbers(Shape shape, int phase) {
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i * 1.7 + phase);
    }
    return Tensor.of(values, shape);
  }

  private static List<Tensor> inputs(Case kernel) {
    List<Tensor> inputs = new ArrayList<>();
    for (Shape shape : kernel.inputs()) {
      inputs.add(numbers(shape, inputs.size()));
    }
    return inputs;
  }

  private static List<Tensor> outputs(Case kernel) {
    return kernel.outputs().stream().map(shape -> Tensor.zeros(DType.FLOAT32, shape)).toList();
  }

  private static Object[] joined(List<Tensor> inputs, List<Tensor> outputs) {
    return Stream.concat(inputs.stream(), outputs.stream()).toArray();
  }

  private static List<Tensor> expected(Case kernel, List<Tensor> inputs) {
    List<Tensor> outputs = outputs(kernel);
    new Evaluator().run(kernel.kernel(), List.of(joined(inputs, outputs)));
    return outputs;
  }

  private static void run(
      PackedFunc function, @Nullable VmContext context, List<Tensor> inputs, List<Tensor> outputs) {
    function.call(CallArgs.of(context, joined(inputs, outputs)), new CallResult());
  }

  private static void requireSame(List<Tensor> got, List<Tensor> expected) {
    for (int i = 0; i < expected.size(); i++) {
      double[] a = got.get(i).toDoubleArray();
      double[] b = expected.get(i).toDoubleArray();
      assertThat(a).hasSameSizeAs(b);
      for (int j = 0; j < b.length; j++) {
        assertThat(Math.abs(a[j] - b[j])).isLessThanOrEqualTo(1e-5 * Math.max(1, Math.abs(b[j])));
      }
    }
  }

  static Stream<Case> large() {
    List<Case> cases = new ArrayList<>();
    for (boolean symbolic : List.of(false, true)) {
      cases.addAll(SplitCases.products(45, 37, 41, symbolic));
      cases.addAll(SplitCases.convolutions(2, 9, symbolic));
      cases.add(SplitCases.attention(2, 5, 7, symbolic));
    }
    return cases.stream();
  }

  static Stream<Case> small() {
    List<Case> cases = new ArrayList<>();
    for (boolean symbolic : List.of(false, true)) {
      for (long size : new long[] {0, 1}) {
        cases.addAll(SplitCases.products(size, 5, 3, symbolic));
        cases.addAll(SplitCases.products(4, size, 3, symbolic));
        cases.addAll(SplitCases.products(4, 5, size, symbolic));
        cases.addAll(SplitCases.convolutions(size, 5, symbolic));
        cases.add(SplitCases.attention(size, 2, 3, symbolic));
        cases.add(SplitCases.attention(2, size, 3, symbolic));
      }
      cases.addAll(SplitCases.products(1, 1, 1, symbolic));
      cases.addAll(SplitCases.convolutions(1, 3, symbolic));
      cases.add(SplitCases.attention(1, 1, 1, symbolic));
    }
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("large")
  void theLibraryComputesWhatItCan(Case kernel) {
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected(kernel, inputs));
    assertThat(called).containsExactly(kernel.function());
  }

  @ParameterizedTest
  @MethodSource("small")
  void smallAndEmptyTensorsAreComputedToo(Case kernel) {
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected(kernel, inputs));
    boolean product = kernel.function().startsWith("relaxvm.matmul");
    assertThat(called).hasSize(product ? 0 : 1);
  }

  @Test
  void oneKernelOfSymbolicShapesTakesEitherWay() {
    Case large = SplitCases.products(45, 37, 41, true).getFirst();
    Case small = SplitCases.products(3, 4, 5, true).getFirst();
    PackedFunc function = loaded(large.kernel());
    for (Case kernel : List.of(small, large, small)) {
      List<Tensor> inputs = inputs(kernel);
      List<Tensor> outputs = outputs(kernel);
      run(function, null, inputs, outputs);
      requireSame(outputs, expected(kernel, inputs));
    }
    assertThat(called).containsExactly("relaxvm.matmul");
  }

  @Test
  void weightsMayBeConstants() {
    Case kernel = SplitCases.products(45, 37, 41, false).getFirst();
    List<Tensor> inputs = inputs(kernel);
    inputs.forEach(Tensor::markConstant);
    List<Tensor> outputs = outputs(kernel);
    run(loaded(kernel.kernel()), null, inputs, outputs);
    requireSame(outputs, expected(kernel, inputs));
    assertThat(called).containsExactly("relaxvm.matmul");
  }

  @ParameterizedTest
  @MethodSource("large")
  void theLibraryRunsOnTheWorkersOfTheVm(Case kernel) {
    List<Tensor> inputs = inputs(kernel);
    List<Tensor> outputs = outputs(kernel);
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      run(loaded(kernel.kernel()), new PoolContext(pool), inputs, outputs);
    }
    requireSame(outputs, expected(kernel, inputs));
    assertThat(called).containsExactly(kernel.function() + " on 2");
  }

  @Test
  void callsAtTheSameTimeDoNotMeet() throws InterruptedException, ExecutionException {
    Case kernel = SplitCases.products(45, 37, 41, true).getFirst();
    PackedFunc function = loaded(kernel.kernel());
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        List<Tensor> inputs = inputs(kernel);
        List<Tensor> expected = expected(kernel, inputs);
        running.add(
            threads.submit(
                () -> {
                  for (int turn = 0; turn < 20; turn++) {
                    List<Tensor> outputs = outputs(kernel);
                    run(function, null, inputs, outputs);
                    requireSame(outputs, expected);
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(called).hasSize(80);
  }

  @Test
  void preparedKernelsGiveTheSame() {
    for (boolean symbolic : List.of(false, true)) {
      Case kernel = SplitCases.products(45, 37, 41, symbolic).getFirst();
      PackedFunc function = loaded(kernel.kernel());
      ((Preparable) function).prepare();
      List<Tensor> inputs = inputs(kernel);
      List<Tensor> outputs = outputs(kernel);
      run(function, null, inputs, outputs);
      requireSame(outputs, expected(kernel, inputs));
    }
    assertThat(called).hasSize(2);
  }
}
