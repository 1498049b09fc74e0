package org.relaxvm.interoponnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.relaxvm.interoponnx.OnnxRuns.floats;
import static org.relaxvm.interoponnx.OnnxRuns.ints;
import static org.relaxvm.interoponnx.OnnxRuns.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.options.OnnxReport;
import org.relaxvm.vmcore.program.HostFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.program.TensorSpec;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Models whose axes are inputs. */
class VersionsTest {
  private static final Tensor X = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);

  /** {@code y = unsqueeze(x, axes + 1 - 1)}. */
  private static OnnxModels model() {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, "n", "m")
        .input("axes", DType.INT64, "k")
        .initializer("one", ints(1))
        .output("y", DType.FLOAT32, "a", "b", "c")
        .node("Add", List.of("axes", "one"), List.of("more"))
        .node("Sub", List.of("more", "one"), List.of("same"))
        .node("Unsqueeze", List.of("x", "same"), List.of("y"));
  }

  private static String call(VirtualMachine vm, Tensor... inputs) {
    try (Tensor result = vm.function("main").call((Object[]) inputs).asTensor()) {
      return text(result.toHost());
    }
  }

  private static VirtualMachine link(Program program) {
    return VirtualMachine.builder(program).device("cpu:0").build();
  }

  @Test
  void aVersionIsCompiledForEachValue() {
    try (VirtualMachine vm = link(model().model().compile(OnnxOptions.DEFAULT))) {
      String elements = "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]";
      for (int round = 0; round < 2; round++) {
        assertThat(call(vm, X, ints(0))).isEqualTo("float32 [1, 2, 3] " + elements);
        assertThat(call(vm, X, ints(-1))).isEqualTo("float32 [2, 3, 1] " + elements);
        assertThat(call(vm, X, ints(0, 3))).isEqualTo("float32 [1, 2, 3, 1] " + elements);
      }
      assertThat(vm.program().metadata().inputs()).hasSize(2);
    }
  }

  @Test
  void versionsAreCompiledWithTheOptionsOfTheProgram() {
    AtomicInteger passes = new AtomicInteger();
    CompileOptions options =
        CompileOptions.DEFAULT.withObserver(
            (pass, before, after, nanos) -> passes.incrementAndGet());
    try (VirtualMachine vm = link(model().model().compile(OnnxOptions.DEFAULT, options))) {
      int ofProgram = passes.getAndSet(0);
      call(vm, X, ints(0));
      assertThat(passes).hasValue(ofProgram).hasPositiveValue();
    }
  }

  @Test
  void outputsHaveTheNamesAndTypesThatTheModelDeclares() {
    Program program = two().output("b", DType.INT64, "2*k").model().compile(OnnxOptions.DEFAULT);
    assertThat(program.metadata().outputs())
        .extracting(TensorSpec::toString)
        .containsExactly("a: float32[n, m, 1]", "b: int64[axis_1_0]");
    try (VirtualMachine vm = link(program);
        Results results = vm.function("main").call(Map.of("x", X, "axes", ints(2)))) {
      assertThat(results.tensor("a").shape()).isEqualTo(Shape.of(2, 3, 1));
      assertThat(results.tensor("b").toLongArray()).containsExactly(2, 3);
    }
  }

  @Test
  void outputsWithoutDeclaredShapeHaveNoNames() {
    Program program =
        two()
            .output("b", OnnxModels.sequenceType(OnnxModels.tensorType(DType.INT64, "k")))
            .model()
            .compile(OnnxOptions.DEFAULT);
    assertThat(program.metadata().outputs()).isEmpty();
  }

  /** An output {@code a} whose axes are an input; {@code b} is the shape of {@code x}. */
  private static OnnxModels two() {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, "n", "m")
        .input("axes", DType.INT64, "k")
        .output("a", DType.FLOAT32, "n", "m", 1)
        .node("Unsqueeze", List.of("x", "axes"), List.of("a"))
        .node("Shape", List.of("x"), List.of("b"));
  }

  private static OnnxModels strided() {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, 40)
        .input("step", DType.INT64, 1)
        .initializer("start", ints(0))
        .initializer("end", ints(40))
        .initializer("axis", ints(0))
        .output("y", DType.FLOAT32, "m")
        .node("Slice", List.of("x", "start", "end", "axis", "step"), List.of("y"));
  }

  @Test
  void moreVersionsThanAreKeptGiveRightResults() {
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(40));
    try (VirtualMachine vm = link(strided().model().compile(OnnxOptions.DEFAULT))) {
      for (int step = 1; step <= 18; step++) {
        try (Tensor result = vm.function("main").call(x, ints(step)).asTensor()) {
          assertThat(result.shape()).isEqualTo(Shape.of((40 + step - 1) / step));
        }
      }
    }
  }

  @Test
  void theVersionsUsedLastAreKept() {
    List<String> linked = new ArrayList<>();
    List<String> closed = new ArrayList<>();
    HostFunctions functions =
        strided().model().compile(OnnxOptions.DEFAULT).hostFunctions().getFirst();
    Module versions =
        functions.link(
            program -> {
              String name = "version " + (linked.size() + 1);
              linked.add(name);
              return new Counted(name, closed);
            });
    PackedFunc version = versions.find(VersionedProgram.FUNCTION).orElseThrow();
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(40));
    for (int step = 1; step <= 16; step++) {
      version.call(CallArgs.of(x, ints(step)), new CallResult());
    }
    version.call(CallArgs.of(x, ints(1)), new CallResult());
    assertThat(linked).hasSize(16);
    assertThat(closed).isEmpty();
    version.call(CallArgs.of(x, ints(17)), new CallResult());
    assertThat(linked).hasSize(17);
    assertThat(closed).containsExactly("version 2");
    versions.close();
    assertThat(closed).hasSize(17).doesNotHaveDuplicates();
  }

  /** A version that does nothing and notes its end. */
  private record Counted(String origin, List<String> closed) implements Module {
    @Override
    public Set<String> functionNames() {
      return Set.of("main");
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.of((args, result) -> assertThat(args.count()).isEqualTo(1));
    }

    @Override
    public void close() {
      closed.add(origin);
    }
  }

  @Test
  void callsOfManyThreadsUseVersionsAtTheSameTime() throws Exception {
    try (VirtualMachine vm = link(model().model().compile(OnnxOptions.DEFAULT));
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<String>> results = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        int axis = i % 3;
        results.add(threads.submit(() -> call(vm, X, ints(axis))));
      }
      List<String> shapes = List.of("[1, 2, 3]", "[2, 1, 3]", "[2, 3, 1]");
      for (int i = 0; i < 40; i++) {
        assertThat(results.get(i).get()).startsWith("float32 " + shapes.get(i % 3));
      }
    }
  }

  @Test
  void aWrongAxisIsAnErrorOfTheCall() {
    try (VirtualMachine vm = link(model().model().compile(OnnxOptions.DEFAULT))) {
      assertThatThrownBy(() -> call(vm, X, ints(7)))
          .isInstanceOf(InvalidProgramException.class)
          .hasMessageContaining("there is no axis 7 of 3 axes");
      assertThat(call(vm, X, ints(1))).startsWith("float32 [2, 1, 3]");
    }
  }

  @Test
  void manyElementsAreRefused() {
    try (VirtualMachine vm = link(model().model().compile(OnnxOptions.DEFAULT))) {
      assertThatThrownBy(() -> call(vm, X, Tensor.zeros(DType.INT64, Shape.of(65))))
          .isInstanceOf(CallException.class)
          .hasMessageContaining(
              "the input 'axes' decides axes and has 65 elements; expected at most 64");
    }
  }

  @Test
  void theReportSaysWhichInputsDecide() {
    OnnxReport report = model().model().check(OnnxOptions.DEFAULT);
    assertThat(report.isSupported()).isTrue();
    assertThat(report.of(OnnxFinding.Severity.WARNING))
        .extracting(OnnxFinding::problem, OnnxFinding::remedy)
        .containsExactly(
            tuple(
                "the input 'axes' decides axes: a version is compiled for each of its values",
                "make it a constant (--value axes=...)"));
  }

  @Test
  void noFileAndNoModuleHoldsVersions(@TempDir Path folder) {
    Program program = model().model().compile(OnnxOptions.DEFAULT);
    Path file = folder.resolve("model.rvm");
    assertThatThrownBy(() -> RvmWriter.write(program, file))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "a .rvm package cannot hold versions of main for each value of the input 'axes'\n"
                + "  what to do: make it a constant (--value axes=...)");
    assertThat(Files.exists(file)).isFalse();
    assertThatThrownBy(() -> model().model().toRelax(OnnxOptions.DEFAULT))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "test.onnx: the values of the input 'axes' decide axes, and are not known\n"
                + "  what to do: make it a constant (--value axes=...)");
  }

  @Test
  void aValueMakesItAnOrdinaryProgram() {
    Program program = model().model().compile(OnnxOptions.DEFAULT.value("axes", ints(1)));
    assertThat(program.hostFunctions()).isEmpty();
    try (VirtualMachine vm = link(program)) {
      assertThat(call(vm, X)).startsWith("float32 [2, 1, 3]");
    }
  }

  @Test
  void axesThatDependOnFloatsAreNotSupported() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n")
            .output("y", DType.FLOAT32, "n", 1)
            .node("Cast", List.of("x"), List.of("axes"), Map.of("to", 7))
            .node("Unsqueeze", List.of("x", "axes"), List.of("y"));
    assertThatThrownBy(() -> model.model().compile(OnnxOptions.DEFAULT))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("the axes are computed at run time");
  }
}
