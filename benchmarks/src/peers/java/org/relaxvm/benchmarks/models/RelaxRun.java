package org.relaxvm.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Instrument;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/** A program in our virtual machine: borrows inputs and gets outputs from the VM's pool. */
final class RelaxRun implements AutoCloseable {
  private final WorkerPool workers;
  private final VirtualMachine vm;
  private final VmFunction main;
  private final Object[] inputs;

  RelaxRun(Program program, List<Tensor> inputs, int threads) {
    this(program, inputs, threads, 1);
  }

  RelaxRun(Program program, List<Tensor> inputs, int threads, int parallelism) {
    this.workers = WorkerPool.ofThreads(threads);
    this.vm =
        VirtualMachine.builder(program)
            .device("cpu")
            .workers(workers)
            .parallelism(parallelism)
            .build();
    this.main = vm.function("main");
    this.inputs = inputs.toArray();
    vm.warmUp();
  }

  void run() {
    main.call(inputs).close();
  }

  long instructions() {
    long before = vm.executedInstructions();
    run();
    return vm.executedInstructions() - before;
  }

  void instrument(@Nullable Instrument instrument) {
    vm.instrument(instrument);
  }

  List<Output> outputs() {
    List<Output> outputs = new ArrayList<>();
    try (Value result = main.call(inputs)) {
      if (result.object() instanceof Tensor tensor) {
        outputs.add(Output.of(tensor));
      } else {
        result.asList().forEach(field -> outputs.add(Output.of(field.asTensor())));
      }
    }
    return outputs;
  }

  @Override
  public void close() {
    vm.close();
    workers.close();
  }

  /** A copy of an output. */
  record Output(Shape shape, float[] values) {
    static Output of(Tensor tensor) {
      return new Output(tensor.shape(), tensor.toFloatArray());
    }
  }
}
