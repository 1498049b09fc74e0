package org.relaxvm.integrationtests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.golden.Golden;
import org.relaxvm.integrationtests.golden.GoldenKernels;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * One VM called from sixteen threads gives what it gives one thread, bit by bit, whether they share
 * their inputs or not.
 */
class SameResultsTest {
  private static final int THREADS = 16;
  private static final int CALLS = 10_000;
  private static final int ROWS = 6;

  @Test
  void aProgramWithLoopsClosuresAndBranchesOnTheCpu() throws Exception {
    try (BackendRegistry registry = BackendRegistry.discover();
        VirtualMachine vm = LayersProgram.builder(registry).build()) {
      new Callers(vm, LayersProgram::input, 4).compare(CALLS);
    }
  }

  @Test
  void theSameOnADeviceThatDoesNothingBeforeSomebodyWaits() throws Exception {
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new ReferenceBackendProvider())
                .add(new CpuBackendProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm = LayersProgram.builder(registry).device("reference").build()) {
      new Callers(vm, LayersProgram::input, 4).compare(CALLS);
    }
  }

  @Test
  void aCompiledModelWithADynamicBatch() throws Exception {
    Program program =
        Program.load(Golden.require("03-mlp-dynamic-batch").resolve("executable.bin"));
    try (BackendRegistry registry = BackendRegistry.discover()) {
      VmBuilder builder = VirtualMachine.builder(program).registry(registry);
      new GoldenKernels(registry.require("cpu").library())
          .of("03-mlp-dynamic-batch")
          .forEach(builder::function);
      try (VirtualMachine vm = builder.build()) {
        new Callers(vm, rows -> random(rows, 64), 1).compare(CALLS);
      }
    }
  }

  @Test
  void theDigitsExample() throws Exception {
    Program program =
        Program.load(ProjectRoot.path().resolve("examples/digits/digits-library.rvm"));
    try (BackendRegistry registry = BackendRegistry.discover();
        VirtualMachine vm = VirtualMachine.builder(program).registry(registry).build()) {
      new Callers(vm, rows -> random(rows, 1, 28, 28), 1).compare(CALLS / 100);
    }
  }

  private static Tensor random(int rows, long... inner) {
    long[] dims = new long[inner.length + 1];
    dims[0] = rows;
    System.arraycopy(inner, 0, dims, 1, inner.length);
    Shape shape = Shape.of(dims);
    Random random = new Random(rows);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, shape);
  }

  /** Threads that call {@code main(x)} or {@code main(x, steps)} of one VM. */
  private static final class Callers {
    private final VirtualMachine vm;
    private final IntFunction<Tensor> input;
    private final int variants;
    private final byte[][][] expected;

    /**
     * Calls in one thread, for the results that are expected.
     *
     * @param input the input with a number of rows
     * @param variants 1 for a function of the input alone, else the number of steps to choose from
     */
    Callers(VirtualMachine vm, IntFunction<Tensor> input, int variants) {
      this.vm = vm;
      this.input = input;
      this.variants = variants;
      this.expected = new byte[ROWS][variants][];
      List<Tensor> inputs = inputs();
      for (int rows = 0; rows < ROWS; rows++) {
        for (int steps = 0; steps < variants; steps++) {
          expected[rows][steps] = call(inputs.get(rows), steps);
        }
      }
      inputs.forEach(Tensor::close);
    }

    void compare(int calls) throws Exception {
      long seed = Long.getLong("relaxvm.seed", System.nanoTime());
      System.out.println("seed: -Drelaxvm.seed=" + seed);
      List<Tensor> shared = inputs();
      long before = liveBlocks();
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<?>> ends = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          Random random = new Random(seed + t);
          ends.add(threads.submit(() -> callMany(calls, random, shared)));
        }
        for (Future<?> end : ends) {
          end.get();
        }
      }
      assertThat(liveBlocks()).isEqualTo(before);
      shared.forEach(Tensor::close);
      assertThat(liveBlocks()).isZero();
    }

    private void callMany(int calls, Random random, List<Tensor> shared) {
      List<Tensor> own = inputs();
      for (int i = 0; i < calls; i++) {
        int rows = random.nextInt(ROWS);
        int steps = random.nextInt(variants);
        Tensor x = (random.nextBoolean() ? shared : own).get(rows);
        if (!Arrays.equals(call(x, steps), expected[rows][steps])) {
          throw new AssertionError(
              "call " + i + " with " + rows + " rows and " + steps + " steps differs");
        }
      }
      own.forEach(Tensor::close);
    }

    private byte[] call(Tensor x, int steps) {
      Object[] args = variants == 1 ? new Object[] {x} : new Object[] {x, steps};
      try (Value result = vm.function("main").call(args)) {
        return LayersProgram.bytes(result.object());
      }
    }

    /** The inputs of all sizes, on the VM's main device. */
    private List<Tensor> inputs() {
      List<Tensor> inputs = new ArrayList<>();
      for (int rows = 0; rows < ROWS; rows++) {
        inputs.add(vm.upload(input.apply(rows), vm.devices().getFirst()));
      }
      return inputs;
    }

    private long liveBlocks() {
      // The program's constants, where they were copied to the device, are the VM's own.
      return vm.memoryStats().getFirst().liveBlocks() - constants();
    }

    private long constants() {
      return vm.devices().getFirst().isHost()
          ? 0
          : vm.placement().constants().stream().filter(c -> c.device() != null).count();
    }
  }
}
