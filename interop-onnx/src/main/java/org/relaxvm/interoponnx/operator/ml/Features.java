package org.relaxvm.interoponnx.operator.ml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.shape.Parts;
import org.relaxvm.interoponnx.operator.text.StringMoves;
import org.relaxvm.interoponnx.operator.text.Texts;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Features that are scaled, replaced, joined and selected. */
final class Features {
  private Features() {}

  /** {@code (x - offset) * scale}, both of one element or of one for each feature. */
  static List<Operand> scale(NodeContext node) {
    Expr x = Numbers.real(node, 0);
    DType dtype = node.dtype(x);
    Optional<double[]> offset = Numbers.list(node, "offset");
    Optional<double[]> factor = Numbers.list(node, "scale");
    Expr scaled = x;
    if (offset.isPresent()) {
      scaled = node.emit(Ops.subtract(scaled, perFeature(node, x, dtype, offset.get())));
    }
    if (factor.isPresent()) {
      scaled = node.emit(Ops.multiply(scaled, perFeature(node, x, dtype, factor.get())));
    }
    return List.of(node.operandOf(Numbers.as(node, scaled, DType.FLOAT32)));
  }

  private static Expr perFeature(NodeContext node, Expr x, DType dtype, double[] values) {
    if (values.length == 1) {
      return Ops.scalar(dtype, values[0]);
    }
    int columns = Numbers.columns(node, x);
    if (values.length != columns) {
      throw node.unsupported(
          "an attribute has "
              + values.length
              + " numbers; expected 1, or one for each of "
              + columns
              + " features",
          "");
    }
    return Numbers.reals(dtype, values, values.length);
  }

  /** Rows divided by a norm; those of norm 0 stay. */
  static List<Operand> normalize(NodeContext node) {
    Expr x = Numbers.real(node, 0);
    DType dtype = node.dtype(x);
    List<Integer> last = List.of(node.rank(x) - 1);
    String norm = node.attributes().string("norm", "MAX");
    Expr divisor =
        node.emit(
            switch (norm) {
              case "MAX" -> Ops.max(x, last, true);
              case "L1" -> Ops.sum(Ops.abs(x), last, true);
              case "L2" -> Ops.sqrt(Ops.sum(Ops.multiply(x, x), last, true));
              default ->
                  throw node.unsupported("the norm is '" + norm + "'; expected MAX, L1 or L2", "");
            });
    Expr isZero = node.emit(Ops.equal(divisor, Ops.scalar(dtype, 0)));
    Expr safe = node.emit(Ops.where(isZero, node.scalar(dtype, 1), divisor));
    Expr quotient = node.emit(Ops.divide(x, safe));
    return List.of(node.operandOf(Numbers.as(node, quotient, DType.FLOAT32)));
  }

  /** 1 where an element is above the threshold, else 0. */
  static List<Operand> binarize(NodeContext node) {
    Expr x = node.tensor(0);
    DType dtype = node.dtype(x);
    float threshold = node.attributes().real("threshold", 0);
    Expr compared = dtype.isFloat() ? x : node.emit(Ops.astype(x, DType.FLOAT64));
    Expr isAbove = node.emit(Ops.greater(compared, Ops.scalar(node.dtype(compared), threshold)));
    return node.result(Ops.astype(isAbove, dtype));
  }

  /** One value, which may be NaN, replaced by another one or by one for each feature. */
  static List<Operand> impute(NodeContext node) {
    Expr x = node.tensor(0);
    DType dtype = node.dtype(x);
    Expr isMissing;
    Expr values;
    if (dtype.isFloat()) {
      float replaced = node.attributes().real("replaced_value_float", 0);
      isMissing =
          Float.isNaN(replaced)
              ? node.emit(Functions.isNan(x))
              : node.emit(Ops.equal(x, Ops.scalar(dtype, replaced)));
      double[] given = Numbers.list(node, "imputed_value_floats").orElse(new double[0]);
      requireSome(node, given.length, "imputed_value_floats", x);
      values = Numbers.reals(dtype, given, given.length);
    } else {
      long replaced = node.attributes().integer("replaced_value_int64", 0);
      Expr wide = Numbers.as(node, x, DType.INT64);
      isMissing = node.emit(Ops.equal(wide, Numbers.integers(new long[] {replaced})));
      long[] given = Numbers.integers(node, "imputed_value_int64s");
      requireSome(node, given.length, "imputed_value_int64s", x);
      values = Numbers.as(node, Numbers.integers(given, given.length), dtype);
    }
    return node.result(Ops.where(isMissing, values, x));
  }

  private static void requireSome(NodeContext node, int count, String attribute, Expr x) {
    if (count == 0 || (count > 1 && count != Numbers.columns(node, x))) {
      throw node.unsupported(
          attribute + " has " + count + " numbers; expected 1, or one for each feature", "");
    }
  }

  /** The columns of all inputs in one matrix. */
  static List<Operand> join(NodeContext node) {
    long[] sizes = Numbers.integers(node, "inputdimensions");
    List<Expr> parts = new ArrayList<>();
    for (int i = 0; i < node.inputs(); i++) {
      Expr part = Numbers.as(node, Numbers.matrix(node, node.tensor(i)), DType.FLOAT32);
      parts.add(i < sizes.length ? ofSize(node, part, sizes[i]) : part);
    }
    return parts.size() == 1
        ? List.of(node.operandOf(parts.getFirst()))
        : node.result(Ops.concat(parts, 1));
  }

  private static Expr ofSize(NodeContext node, Expr part, long size) {
    List<PrimExpr> dims = node.dims(part);
    if (!(dims.get(1) instanceof IntImm number) || number.value() == size) {
      return part;
    }
    if (number.value() > size) {
      return node.emit(Parts.range(part, 1, IntImm.of(0), IntImm.of(size)));
    }
    List<PrimExpr> missing = List.of(dims.get(0), IntImm.of(size - number.value()));
    Expr zeros = node.emit(Ops.zeros(new ShapeExpr(missing), DType.FLOAT32));
    return node.emit(Ops.concat(List.of(part, zeros), 1));
  }

  /** Elements along the last axis; those of a vector become a row. */
  static List<Operand> extract(NodeContext node) {
    Operand x = node.operand(0);
    Converter rule = Features::extractNumbers;
    if (!Texts.areStrings(x)) {
      return rule.convert(node);
    }
    return StringMoves.moved(node, List.of(0), rule);
  }

  private static List<Operand> extractNumbers(NodeContext node) {
    Expr x = node.tensor(0);
    Expr indices = node.tensor(1);
    int rank = node.rank(x);
    if (rank == 0) {
      throw node.unsupported("the input has no axis to select from", "");
    }
    Expr flat = node.rank(indices) == 1 ? indices : node.emit(Ops.flatten(indices));
    Expr taken = node.emit(Ops.take(x, flat, rank - 1));
    return List.of(node.operandOf(rank == 1 ? node.emit(Ops.expandDims(taken, 0)) : taken));
  }
}
