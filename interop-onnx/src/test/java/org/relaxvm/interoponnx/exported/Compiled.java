package org.relaxvm.interoponnx.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** What programs of models consist of, and what they give. */
final class Compiled {
  private static final Pattern CALL =
      Pattern.compile("R\\.call_tir\\(cls\\.(\\w+),.*dtype=\"(\\w+)\"\\)+(?:  #.*)?$");

  /** What makes simpler programs, beyond what every program needs. */
  private static final List<String> OPTIMIZATIONS =
      List.of(
          "FoldConstantBefore",
          "IntegerMoves",
          "IntegerProducts",
          "RecognizeComposites",
          "FoldScaleAxis",
          "EliminateCommonSubexpr",
          "FuseOps",
          "FuseTIR");

  private Compiled() {}

  /**
   * A call of a kernel.
   *
   * @param kernel the names of the operators that it computes, joined
   * @param dtype of the result
   */
  record KernelCall(String kernel, String dtype) {
    /** The name without the numbers that tell kernels apart. */
    String kind() {
      return kernel.replaceAll("(?<=[a-z])\\d+(?=_|$)", "");
    }
  }

  /** The calls of kernels in order. */
  static List<KernelCall> calls(OnnxModels models) {
    IRModule module =
        StandardPipelines.simplification()
            .then(StandardPipelines.zero())
            .run(
                models.model().toRelax(OnnxOptions.DEFAULT),
                PassContext.DEFAULT,
                PassObserver.NONE);
    return RelaxText.print(module)
        .lines()
        .map(CALL::matcher)
        .filter(Matcher::find)
        .map(call -> new KernelCall(call.group(1), call.group(2)))
        .toList();
  }

  /** How often each kind of kernel is called. */
  static Map<String, Long> kinds(OnnxModels models) {
    Map<String, Long> counts = new TreeMap<>();
    calls(models).forEach(call -> counts.merge(call.kind(), 1L, Long::sum));
    return counts;
  }

  /** A model computes the same as without optimizations, up to rounding. */
  static void assertSame(OnnxModels models, Tensor... inputs) {
    assertNear(models, 1e-4, inputs);
  }

  /** Elements differ from those without optimizations by so much at most. */
  static void assertNear(OnnxModels models, double tolerance, Tensor... inputs) {
    OnnxModel model = models.model();
    List<float[]> want = run(model, false, inputs);
    List<float[]> got = run(model, true, inputs);
    assertThat(got).hasSameSizeAs(want);
    for (int i = 0; i < want.size(); i++) {
      assertThat(got.get(i)).containsExactly(want.get(i), within((float) tolerance));
    }
  }

  /** The results, as floats. */
  private static List<float[]> run(OnnxModel model, boolean isOptimized, Tensor... inputs) {
    CompileOptions options = CompileOptions.DEFAULT;
    if (!isOptimized) {
      for (String name : OPTIMIZATIONS) {
        options = options.withPipeline(passes -> passes.without(name));
      }
    }
    Program program = Compiler.compile(model.toRelax(OnnxOptions.DEFAULT), options);
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu:0").build();
        Value result = vm.function("main").call((Object[]) inputs)) {
      List<float[]> all = new ArrayList<>();
      List<?> fields =
          result.object() instanceof Tuple tuple ? tuple.fields() : List.of(result.object());
      for (Object field : fields) {
        try (Tensor host = ((Tensor) field).toHost()) {
          all.add(host.toFloatArray());
        }
      }
      return all;
    }
  }
}
