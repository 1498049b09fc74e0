package org.relaxvm.examples.encoder;

import static org.relaxvm.compiler.dsl.NnOps.attention;
import static org.relaxvm.compiler.dsl.NnOps.gelu;
import static org.relaxvm.compiler.dsl.NnOps.layerNorm;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.reshape;
import static org.relaxvm.compiler.dsl.Ops.take;

import java.util.List;
import java.util.random.RandomGenerator;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.vmcore.program.Dim;

/**
 * A transformer encoder: {@code main(tokens: int64[b, s]) -> float32[b, s, 256]} with two layers of
 * four heads. Its weights are random numbers: it shows how a model is written, not what it learned.
 */
public final class EncoderModel {
  private static final int VOCABULARY = 1000;
  private static final int LAYERS = 2;
  private static final int HEADS = 4;
  private static final int WIDTH = 256;
  private static final int HIDDEN = 1024;

  private final ModuleBuilder model = new ModuleBuilder();
  private final RandomGenerator random;
  private final PrimExpr batch;
  private final PrimExpr length;

  private EncoderModel(RandomGenerator random, Dim batch, Dim length) {
    this.random = random;
    this.batch = model.extent(batch);
    this.length = model.extent(length);
    Expr x = take(weights(VOCABULARY, WIDTH), model.input("tokens", DType.INT64, batch, length), 0);
    for (int layer = 0; layer < LAYERS; layer++) {
      x = norm(add(x, selfAttention(x)));
      x = norm(add(x, dense(gelu(dense(x, WIDTH, HIDDEN)), HIDDEN, WIDTH)));
    }
    model.output("output", x);
  }

  /** The model for any batch and any length. */
  public static IRModule module(RandomGenerator random) {
    return module(random, Dim.symbol("b"), Dim.symbol("s"));
  }

  /**
   * The model for a batch and a length.
   *
   * @param random gives the weights
   * @param batch the number of texts
   * @param length the number of tokens in each
   */
  public static IRModule module(RandomGenerator random, Dim batch, Dim length) {
    return new EncoderModel(random, batch, length).model.module();
  }

  private Expr selfAttention(Expr x) {
    Expr mixed = attention(heads(x), heads(x), heads(x));
    return dense(reshape(mixed, batch, length, WIDTH), WIDTH, WIDTH);
  }

  private Expr heads(Expr x) {
    return reshape(dense(x, WIDTH, WIDTH), batch, length, HEADS, WIDTH / HEADS);
  }

  private Expr dense(Expr x, int in, int out) {
    return add(matmul(x, weights(in, out)), weights(out));
  }

  private Expr norm(Expr x) {
    return layerNorm(x, weights(WIDTH), weights(WIDTH), List.of(-1), 1e-5);
  }

  private Constant weights(long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextGaussian() / Math.sqrt(dims[0]));
    }
    return constant(Tensor.of(values, shape));
  }
}
