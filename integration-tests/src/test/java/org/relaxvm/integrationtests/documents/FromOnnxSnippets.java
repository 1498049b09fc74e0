package org.relaxvm.integrationtests.documents;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.options.OnnxReport;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.vm.BoundCall;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The code of {@code docs/from-onnx.md}, between its markers, as methods that a test runs. */
final class FromOnnxSnippets {
  private FromOnnxSnippets() {}

  static float[] run(Path file) {
    // snippet: run
    Program program = Program.load(file);
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Tensor features = Tensor.of(new float[] {5.1f, 3.5f, 1.4f, 0.2f}, Shape.of(1, 4));
        Results results = vm.function("main").call(Map.of("features", features))) {
      return results.tensor("scores").toFloatArray();
    }
    // end
  }

  static Program options(Path file) {
    // snippet: options
    OnnxModel model = OnnxModel.open(file);
    OnnxOptions options = OnnxOptions.DEFAULT.bind("batch", 1).withOutputs(List.of("hidden"));
    Program program = model.compile(options);
    // end
    return program;
  }

  static Program constant(OnnxModel model) {
    // snippet: value
    Tensor axes = Tensor.of(new long[] {1}, Shape.of(1));
    Program program = model.compile(OnnxOptions.DEFAULT.value("axes", axes));
    // end
    return program;
  }

  static void save(Path file, Path target) {
    // snippet: save
    Program program = OnnxModel.open(file).compile(OnnxOptions.DEFAULT);
    RvmWriter.write(program, target);
    // end
  }

  static String check(Path file) {
    // snippet: check
    OnnxReport report = OnnxModel.open(file).check(OnnxOptions.DEFAULT);
    for (OnnxFinding finding : report.of(OnnxFinding.Severity.WARNING)) {
      System.out.println(finding.node() + ": " + finding.problem());
    }
    return report.isSupported() ? "supported" : report.message();
    // end
  }

  static List<String> strings(VirtualMachine vm) {
    // snippet: strings
    StringTensor words = StringTensor.of("red", "green");
    try (Value result = vm.function("main").call(words.toTuple())) {
      return StringTensor.of(result.object()).elements();
    }
    // end
  }

  static float[] migrated(Path file, float[] values) {
    // snippet: after
    Program program = Program.load(file);
    try (VirtualMachine vm =
            VirtualMachine.builder(program).device("cpu").workers(WorkerPool.ofThreads(2)).build();
        Tensor features = Tensor.of(values, Shape.of(values.length / 4, 4));
        Results results = vm.function("main").call(Map.of("features", features))) {
      return results.tensor("scores").toFloatArray();
    }
    // end
  }

  static double pinned(VirtualMachine vm, List<Tensor> rows) {
    // snippet: pinned
    double best = 0;
    try (Tensor scores = Tensor.of(new float[3], Shape.of(1, 3))) {
      BoundCall call = vm.function("main").bind().output("scores", scores);
      for (Tensor features : rows) {
        call.input("features", features).run().close();
        best = Math.max(best, scores.doubleAt(0, 0));
      }
    }
    return best;
    // end
  }
}
