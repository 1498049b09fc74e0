package org.relaxvm.benchmarks.first;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.TensorSpec;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/** A program in RelaxVM, on the CPU. */
final class RelaxModel implements LoadedModel {
  private final WorkerPool workers;
  private final VirtualMachine vm;
  private final VmFunction main;
  private Object[] arguments = {};

  RelaxModel(Path file, int threads) {
    workers = WorkerPool.ofThreads(threads);
    vm = VirtualMachine.builder(Program.load(file)).device("cpu").workers(workers).build();
    main = vm.function("main");
  }

  @Override
  public List<Input> inputs() {
    return main.inputs().orElseThrow().stream().map(RelaxModel::input).toList();
  }

  private static Input input(TensorSpec spec) {
    long[] dims =
        spec.shape().stream()
            .mapToLong(dim -> dim instanceof Dim.Fixed fixed ? fixed.extent() : -1)
            .toArray();
    return new Input(spec.name(), spec.dtype().isInteger(), dims);
  }

  @Override
  public void bind(List<Tensor> tensors) {
    arguments = tensors.toArray();
  }

  @Override
  public void call() {
    main.call(arguments).close();
  }

  @Override
  public float[] callForResult(int elements) {
    try (Value result = main.call(arguments)) {
      Tensor first =
          result.object() instanceof Tensor tensor ? tensor : result.asList().getFirst().asTensor();
      float[] values = first.toFloatArray();
      return Arrays.copyOf(values, Math.min(elements, values.length));
    }
  }

  @Override
  public void close() {
    vm.close();
    workers.close();
  }
}
