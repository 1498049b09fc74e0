package org.relaxvm.examples.digits;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.FunctionBuilder;
import org.relaxvm.vmcore.program.Program;

/**
 * The digits network instruction by instruction, as calls of the kernel library: for devices that
 * bring these four functions and take no kernels. It gives what {@link DigitsProgram} gives. The
 * bytecode is what a compiler emits: checks at the entry, explicit memory, kernels that write into
 * their last argument.
 */
public final class LibraryProgram {
  private static final String INPUT_CONTEXT =
      "ErrorContext(fn=main, loc=param[0], param=image, "
          + "annotation=R.Tensor((n, 1, 28, 28), dtype=\"float32\")) ";
  private static final String RESULT_CONTEXT =
      "ErrorContext(fn=main, loc=return, annotation=R.Tensor((n, 10), dtype=\"float32\")) ";

  private final Map<String, Tensor> weights;

  private LibraryProgram(Map<String, Tensor> weights) {
    this.weights = weights;
  }

  /**
   * Builds the program.
   *
   * @param weights the arrays of {@code weights.npz}; they become constants and must not be written
   *     any more
   * @throws IllegalArgumentException if one is missing
   */
  public static Program build(Map<String, Tensor> weights) {
    ExecBuilder builder = new ExecBuilder();
    builder.function("main", List.of("image"), new LibraryProgram(weights)::emitMain);
    return Program.of(builder.get(), DigitsProgram.metadata());
  }

  private void emitMain(FunctionBuilder f) {
    Arg image = f.param("image");
    BatchTensors tensors = BatchTensors.checkInput(f, image, INPUT_CONTEXT, 1, 28, 28);

    Arg features = convolution(f, tensors, image, "conv1", 8, 28);
    Arg pooled = maxPool(f, tensors, features, 8, 14);
    tensors.free(features);
    features = convolution(f, tensors, pooled, "conv2", 16, 14);
    tensors.free(pooled);
    pooled = maxPool(f, tensors, features, 16, 7);
    tensors.free(features);

    Arg flat = f.call("vm.builtin.reshape", pooled, tensors.shape(16 * 7 * 7));
    tensors.free(pooled);
    Arg hidden = dense(f, tensors, flat, "dense1", "relu", 64);
    tensors.free(flat);
    Arg scores = dense(f, tensors, hidden, "dense2", "none", 10);
    tensors.free(hidden);
    Arg probabilities = tensors.allocate(10);
    f.callVoid("relaxvm.softmax", scores, -1, probabilities);
    tensors.free(scores);

    tensors.checkResult(probabilities, RESULT_CONTEXT, 10);
    f.ret(probabilities);
  }

  /** A 3x3 convolution with ReLU that keeps the size of the picture. */
  private Arg convolution(
      FunctionBuilder f, BatchTensors tensors, Arg in, String name, int filters, int side) {
    Arg out = tensors.allocate(filters, side, side);
    f.callVoid(
        "relaxvm.conv2d",
        in,
        weight(name + ".weight"),
        weight(name + ".bias"),
        Shape.of(1, 1),
        Shape.of(1, 1, 1, 1),
        Shape.of(1, 1),
        1,
        "relu",
        out);
    return out;
  }

  private static Arg maxPool(
      FunctionBuilder f, BatchTensors tensors, Arg in, int channels, int side) {
    Arg out = tensors.allocate(channels, side, side);
    f.callVoid(
        "relaxvm.max_pool2d",
        in,
        Shape.of(2, 2),
        Shape.of(2, 2),
        Shape.of(0, 0, 0, 0),
        Shape.of(1, 1),
        false,
        out);
    return out;
  }

  private Arg dense(
      FunctionBuilder f, BatchTensors tensors, Arg in, String name, String activation, int units) {
    Arg out = tensors.allocate(units);
    f.callVoid(
        "relaxvm.matmul",
        in,
        weight(name + ".weight"),
        weight(name + ".bias"),
        false,
        false,
        activation,
        out);
    return out;
  }

  private Tensor weight(String name) {
    return DigitsProgram.weight(weights, name);
  }
}
