package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.UnaryOp;

/**
 * What happens to a row of products before it is stored: residual, bias, then activation.
 *
 * @param codec of the result
 * @param bias added to the row; null for none
 * @param residual with the axes of the result, added to it; null for none
 * @param activation null for none
 */
public record Epilogue<A>(
    Codec<A> codec,
    @Nullable Operand bias,
    @Nullable Operand residual,
    @Nullable UnaryOp activation) {
  /** The epilogue of a kernel whose result has the dtype of the codec. */
  public static <A> Epilogue<A> of(
      Codec<A> codec, @Nullable Operand bias, @Nullable Operand residual, Activation activation) {
    return new Epilogue<>(codec, bias, residual, operation(activation));
  }

  /**
   * Adds a run of the residual to the same elements of a row, which is finished after that.
   *
   * @param at place of the first one in the residual, in bytes
   * @param step distance along the run
   * @param scratch as long as the row
   */
  public void addResidual(A row, int from, int to, long at, long step, A scratch) {
    if (residual != null) {
      codec.load(residual.memory(), at, step, scratch, from, to);
      codec.lanes().binary(BinaryOp.ADD, row, scratch, from, to);
    }
  }

  /**
   * Finishes a row in place.
   *
   * @param biasAt place of the first bias of the row, in bytes
   * @param biasStep distance of the biases along the row; 0 for one bias
   * @param scratch as long as the row
   */
  public void finish(A row, int count, long biasAt, long biasStep, A scratch) {
    if (bias != null) {
      codec.load(bias.memory(), biasAt, biasStep, scratch, 0, count);
      codec.lanes().binary(BinaryOp.ADD, row, scratch, 0, count);
    }
    if (activation != null) {
      codec.wrap(row, count);
      codec.lanes().unary(activation, row, count);
    }
  }

  /** Whether there is nothing to do. */
  public boolean isEmpty() {
    return bias == null && residual == null && activation == null;
  }

  private static @Nullable UnaryOp operation(Activation activation) {
    return switch (activation) {
      case NONE -> null;
      case RELU -> UnaryOp.RELU;
      case GELU -> UnaryOp.GELU;
      case SILU -> UnaryOp.SILU;
      case SIGMOID -> UnaryOp.SIGMOID;
      case TANH -> UnaryOp.TANH;
    };
  }
}
