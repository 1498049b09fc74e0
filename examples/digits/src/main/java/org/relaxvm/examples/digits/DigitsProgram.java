package org.relaxvm.examples.digits;

import static org.relaxvm.compiler.dsl.NnOps.conv2d;
import static org.relaxvm.compiler.dsl.NnOps.maxPool2d;
import static org.relaxvm.compiler.dsl.NnOps.relu;
import static org.relaxvm.compiler.dsl.NnOps.softmax;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.reshape;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.ImageSpec;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * The digits network as a program: {@code main(image: float32[n, 1, 28, 28]) -> float32[n, 10]},
 * the probabilities of the digits 0 to 9 for any batch size {@code n}, 0 included.
 */
public final class DigitsProgram {
  private final Map<String, Tensor> weights;

  private DigitsProgram(Map<String, Tensor> weights) {
    this.weights = weights;
  }

  /**
   * Compiles the program.
   *
   * @param weights the arrays of {@code weights.npz}; they become constants and must not be written
   *     any more
   * @throws IllegalArgumentException if one is missing
   */
  public static Program build(Map<String, Tensor> weights) {
    ProgramMetadata about = metadata();
    return new DigitsProgram(weights)
        .model()
        .build(
            CompileOptions.DEFAULT.withMetadata(
                metadata ->
                    metadata
                        .name(about.name())
                        .description(about.description())
                        .image(about.image().orElseThrow())
                        .labels(about.labels())));
  }

  private ModuleBuilder model() {
    ModuleBuilder model = new ModuleBuilder();
    Dim n = Dim.symbol("n");
    Expr image = model.input("image", DType.FLOAT32, n, Dim.of(1), Dim.of(28), Dim.of(28));
    Expr features = convolution(convolution(image, "conv1", 8), "conv2", 16);
    Expr hidden = relu(dense(reshape(features, model.extent(n), 16 * 7 * 7), "dense1"));
    return model.output("output", softmax(dense(hidden, "dense2"), -1));
  }

  /** A 3x3 convolution with ReLU that keeps the size of the picture, and a pool that halves it. */
  private Expr convolution(Expr in, String name, int filters) {
    Expr bias = reshape(constant(name + ".bias"), 1, filters, 1, 1);
    Expr sum =
        add(conv2d(in, constant(name + ".weight"), ConvOptions.DEFAULT.withPadding(1)), bias);
    return maxPool2d(relu(sum), PoolOptions.of(2, 2).withStrides(2, 2));
  }

  private Expr dense(Expr in, String name) {
    return add(matmul(in, constant(name + ".weight")), constant(name + ".bias"));
  }

  private Constant constant(String name) {
    return Ops.constant(weight(weights, name));
  }

  static Tensor weight(Map<String, Tensor> weights, String name) {
    Tensor weight = weights.get(name);
    if (weight == null) {
      throw new IllegalArgumentException(
          "the weights have no array " + name + "; there are " + weights.keySet());
    }
    return weight;
  }

  static ProgramMetadata metadata() {
    return ProgramMetadata.builder()
        .name("digits")
        .description("Names the digit in a picture of dark ink on light paper.")
        .input(
            TensorSpec.of(
                "image", DType.FLOAT32, Dim.symbol("n"), Dim.of(1), Dim.of(28), Dim.of(28)))
        .output(TensorSpec.of("probabilities", DType.FLOAT32, Dim.symbol("n"), Dim.of(10)))
        .image(ImageSpec.grey("image", 28, 28).withInvert(true))
        .labels(List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"))
        .build();
  }
}
