package org.relaxvm.interoponnx.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.ExampleOperators;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Operators of jars, which a class loader with a service file stands for here. */
class OnnxOperatorProviderTest {
  private @TempDir Path folder;

  /** What an action gives while the thread's class loader finds providers. */
  private <T> T withProviders(Supplier<T> action, String... providers) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(services.resolve(OnnxOperatorProvider.class.getName()), List.of(providers));
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    URL[] urls = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, getClass().getClassLoader())) {
      Thread.currentThread().setContextClassLoader(loader);
      return action.get();
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static OnnxModels swish() {
    return new OnnxModels(13)
        .opset("com.example", 100)
        .input("x", DType.FLOAT32, "n")
        .node("com.example", "Swish", List.of("x"), List.of("y"), Map.of("beta", 2f))
        .output("y", DType.FLOAT32, "n");
  }

  private static List<String> warnings(OnnxModel model) {
    return model.check(OnnxOptions.DEFAULT).of(OnnxFinding.Severity.WARNING).stream()
        .map(OnnxFinding::problem)
        .toList();
  }

  private static float[] run(OnnxModel model, Tensor x) {
    PackedFunc sorted =
        (args, result) -> {
          float[] values = args.tensorAt(0).toFloatArray();
          Arrays.sort(values);
          Tensor.of(values, args.tensorAt(1).shape()).copyInto(args.tensorAt(1));
        };
    try (VirtualMachine vm =
            VirtualMachine.builder(model.compile(OnnxOptions.DEFAULT))
                .device("cpu:0")
                .function("com.example.sorted", sorted)
                .build();
        Tensor result = vm.function("main").call(x).asTensor()) {
      return result.toFloatArray();
    }
  }

  @Test
  void anOperatorIsTranslatedToRelax() throws IOException {
    OnnxModel model = withProviders(() -> swish().model(), ExampleOperators.class.getName());
    Tensor x = Tensor.of(new float[] {0, 1, -1}, Shape.of(3));
    float s = (float) (1 / (1 + Math.exp(-2)));
    assertThat(run(model, x)).usingComparatorWithPrecision(1e-6f).containsExactly(0, s, s - 1);
    assertThat(model.check(OnnxOptions.DEFAULT).findings()).isEmpty();
  }

  @Test
  void anOperatorIsAPackedFunction() throws IOException {
    OnnxModels sorted =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n")
            .node("com.example", "Sorted", List.of("x"), List.of("y"), Map.of())
            .output("y", DType.FLOAT32, "n");
    OnnxModel model = withProviders(sorted::model, ExampleOperators.class.getName());
    Tensor x = Tensor.of(new float[] {3, 1, 2}, Shape.of(3));
    assertThat(run(model, x)).containsExactly(1, 2, 3);
  }

  @Test
  void anOperatorWithoutProviderIsReported() {
    assertThatThrownBy(() -> swish().model().toRelax(OnnxOptions.DEFAULT))
        .hasMessage(
            """
            test.onnx cannot be imported: 1 problem in 1 node
              1 x com.example.Swish (100), at Swish of 'y': the operator is not supported
                what to do: add a jar with an OnnxOperatorProvider of it, or export the model \
            without it, or name outputs that do not need it (--outputs A,B)\
            """);
  }

  /** A provider that cannot be constructed. */
  public static final class Failing implements OnnxOperatorProvider {
    /** Fails. */
    public Failing() {
      throw new IllegalStateException("no licence");
    }

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public List<OnnxOperator> operators() {
      return List.of();
    }
  }

  /** A provider of an operator of ONNX, and of one that RelaxVM refuses. */
  public static final class OfOnnx implements OnnxOperatorProvider {
    @Override
    public String name() {
      return "of ONNX";
    }

    @Override
    public List<OnnxOperator> operators() {
      return List.of(
          new OnnxOperator("ai.onnx", "Relu", node -> List.of(node.tensor(0))),
          new OnnxOperator("com.microsoft", "MoE", node -> List.of(node.tensor(0))));
    }
  }

  @Test
  void aProviderThatFailsHidesNoOther() throws IOException {
    OnnxModel model =
        withProviders(
            () -> swish().model(),
            "com.example.NoSuchClass",
            Failing.class.getName(),
            ExampleOperators.class.getName());
    assertThat(model.check(OnnxOptions.DEFAULT).isSupported()).isTrue();
    assertThat(warnings(model))
        .satisfiesExactlyInAnyOrder(
            problem ->
                assertThat(problem)
                    .startsWith("a provider of operators cannot be loaded: ")
                    .contains("com.example.NoSuchClass"),
            problem ->
                assertThat(problem)
                    .isEqualTo(
                        "the operators of "
                            + Failing.class.getName()
                            + " cannot be used: java.lang.IllegalStateException: no licence"));
  }

  @Test
  void aProviderAddsRefusedOperatorsAndReplacesNone() throws IOException {
    OnnxModels both =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n")
            .node("Relu", List.of("x"), List.of("r"))
            .node("com.microsoft", "MoE", List.of("r"), List.of("y"), Map.of())
            .output("y", DType.FLOAT32, "n");
    OnnxModel model = withProviders(both::model, OfOnnx.class.getName());
    assertThat(run(model, Tensor.of(new float[] {-1, 2}, Shape.of(2)))).containsExactly(0, 2);
    assertThat(warnings(model))
        .containsExactly(
            "the operator Relu of "
                + OfOnnx.class.getName()
                + " is not used: there is one of this name");
    assertThat(both.model().check(OnnxOptions.DEFAULT).findings())
        .extracting(OnnxFinding::problem)
        .containsExactly("experts are not supported");
  }
}
