package org.relaxvm.interoponnx.operator.signal;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.create.RandomNumbers;
import org.relaxvm.compiler.op.reduce.Scans;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.Seeds;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Random numbers. They are a function of the attribute {@code seed}, or of the name of the node
 * where it is missing, and the same in each run.
 */
public final class RandomOperators {
  private RandomOperators() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("RandomUniform", 1, node -> node.result(uniform(node, shape(node), dtype(node))))
        .add("RandomNormal", 1, node -> node.result(normal(node, shape(node), dtype(node))))
        .add("RandomUniformLike", 1, node -> like(node, RandomOperators::uniform))
        .add("RandomNormalLike", 1, node -> like(node, RandomOperators::normal))
        .add("Bernoulli", 15, RandomOperators::bernoulli)
        .add("Multinomial", 7, RandomOperators::multinomial);
  }

  private interface Distribution {
    Expr of(NodeContext node, List<? extends PrimExpr> shape, DType dtype);
  }

  private static List<IntImm> shape(NodeContext node) {
    return node
        .attributes()
        .integers("shape")
        .orElseThrow(() -> node.unsupported("the attribute 'shape' is missing", ""))
        .stream()
        .map(IntImm::of)
        .toList();
  }

  private static DType dtype(NodeContext node) {
    return given(node).orElse(DType.FLOAT32);
  }

  private static Optional<DType> given(NodeContext node) {
    Optional<Long> number = node.attributes().integer("dtype");
    if (number.isEmpty()) {
      return Optional.empty();
    }
    DType dtype = ElementType.of(number.get()).dtype();
    if (dtype == null) {
      throw node.unsupported("the dtype " + number.get() + " is not one of numbers", "");
    }
    return Optional.of(dtype);
  }

  private static long seed(NodeContext node) {
    return node.attributes().real("seed").map(Seeds::of).orElseGet(() -> Seeds.ofName(node));
  }

  private static Expr uniform(NodeContext node, List<? extends PrimExpr> shape, DType dtype) {
    return RandomNumbers.uniform(
        new ShapeExpr(List.copyOf(shape)),
        dtype,
        seed(node),
        node.attributes().real("low", 0),
        node.attributes().real("high", 1));
  }

  private static Expr normal(NodeContext node, List<? extends PrimExpr> shape, DType dtype) {
    return RandomNumbers.normal(
        new ShapeExpr(List.copyOf(shape)),
        dtype,
        seed(node),
        node.attributes().real("mean", 0),
        node.attributes().real("scale", 1));
  }

  /** In the shape of the input, and in its dtype unless one is given. */
  private static List<Operand> like(NodeContext node, Distribution distribution) {
    Expr x = node.tensor(0);
    DType dtype = given(node).orElse(node.dtype(x));
    return node.result(distribution.of(node, node.dims(x), dtype));
  }

  /** 1 with the probability that the input says. */
  private static List<Operand> bernoulli(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    Expr numbers =
        node.emit(
            RandomNumbers.uniform(new ShapeExpr(node.dims(x)), node.dtype(x), seed(node), 0, 1));
    return node.result(e.cast(e.less(numbers, x), given(node).orElse(node.dtype(x))));
  }

  /** Draws from logarithms of weights: {@code [b, classes]} to {@code [b, samples]}. */
  private static List<Operand> multinomial(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    if (node.rank(x) != 2) {
      throw node.unsupported("the input has " + node.rank(x) + " axes; expected 2", "");
    }
    long samples = node.attributes().integer("sample_size", 1);
    if (samples < 1) {
      throw node.unsupported("sample_size is " + samples + "; expected 1 or more", "");
    }
    PrimExpr batch = e.dim(x, 0);
    PrimExpr draws = e.product(batch, IntImm.of(samples));
    Expr wide = e.cast(x, node.dtype(x).bits() < Float.SIZE ? DType.FLOAT32 : node.dtype(x));
    Expr uniform =
        node.emit(
            RandomNumbers.uniform(
                new ShapeExpr(List.of(draws, IntImm.of(1))), node.dtype(wide), seed(node), 0, 1));
    Expr rows =
        node.emit(Ops.broadcastTo(e.unsqueeze(e.range(batch), 1), batch, IntImm.of(samples)));
    DType dtype = given(node).orElse(DType.INT32);
    Expr drawn =
        node.emit(
            Scans.multinomialFromUniform(
                e.softmax(wide, 1), uniform, e.reshape(rows, List.of(draws, IntImm.of(1))), dtype));
    return node.result(e.reshape(drawn, List.of(batch, IntImm.of(samples))));
  }
}
