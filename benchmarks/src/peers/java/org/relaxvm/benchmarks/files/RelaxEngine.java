package org.relaxvm.benchmarks.files;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.TensorSpec;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/** RelaxVM on the CPU. */
final class RelaxEngine implements FileEngine {
  private final WorkerPool workers;
  private final VirtualMachine vm;
  private final VmFunction main;

  RelaxEngine(Path file, int threads) {
    workers = WorkerPool.ofThreads(threads);
    vm = VirtualMachine.builder(Program.load(file)).device("cpu").workers(workers).build();
    main = vm.function("main");
  }

  @Override
  public List<Input> inputs() {
    return main.inputs().orElseThrow().stream().map(RelaxEngine::input).toList();
  }

  private static Input input(TensorSpec spec) {
    long[] dims =
        spec.shape().stream()
            .mapToLong(dim -> dim instanceof Dim.Fixed fixed ? fixed.extent() : -1)
            .toArray();
    return new Input(spec.name(), spec.dtype().isInteger(), dims);
  }

  @Override
  public float[] run(Map<String, Tensor> inputs) {
    try (Results results = main.call(inputs)) {
      Tensor output = results.tensor(0);
      return Arrays.copyOf(output.toFloatArray(), FileRun.COMPARED);
    }
  }

  @Override
  public void close() {
    vm.close();
    workers.close();
  }
}
