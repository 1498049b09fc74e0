package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Numbers of inputs that extents, widths and positions depend on, known or computed. */
public final class RuntimeNumbers {
  private RuntimeNumbers() {}

  /**
   * The integers of an input, which may be negative: expressions of the elements that are known, or
   * of symbols that are bound at run time. The input has one axis whose extent is known, or none.
   */
  public static List<PrimExpr> signed(NodeContext node, int input) {
    Optional<List<PrimExpr>> known = node.known(input).flatMap(Known::integers);
    if (known.isPresent()) {
      return known.get();
    }
    Expr wide = node.emit(Ops.astype(vector(node, node.tensor(input)), DType.INT64));
    int count = count(node, wide);
    // Extents are not negative, and so are symbols: a number is the difference of two.
    Expr zero = Ops.scalar(DType.INT64, 0);
    List<PrimExpr> above = symbols(node, node.emit(Ops.maximum(wide, zero)), count);
    List<PrimExpr> below =
        symbols(node, node.emit(Ops.maximum(node.emit(Ops.negative(wide)), zero)), count);
    List<PrimExpr> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(Exprs.sub(above.get(i), below.get(i)));
    }
    return numbers;
  }

  /**
   * Symbols that are bound at run time to the elements of a vector.
   *
   * @param vector int64 {@code [count]}, not negative
   */
  public static List<PrimExpr> symbols(NodeContext node, Expr vector, int count) {
    Expr shape =
        node.builder().emit(Call.of(ValueOps.TENSOR_TO_SHAPE, vector), node.hint() + "_shape");
    return symbols(node, count, shape);
  }

  /** Symbols that are bound at run time to the extents of a shape. */
  public static List<PrimExpr> symbols(NodeContext node, int count, Expr shape) {
    List<Var> symbols = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      symbols.add(node.symbol(String.valueOf(i)));
    }
    node.bind(symbols, shape);
    return List.copyOf(symbols);
  }

  /** A tensor with at most one axis as a vector. */
  public static Expr vector(NodeContext node, Expr tensor) {
    return node.rank(tensor) == 0 ? node.emit(Ops.reshape(tensor, 1)) : tensor;
  }

  /** A tensor with one element as one without axes. */
  public static Expr scalar(NodeContext node, int input) {
    Expr tensor = node.tensor(input);
    return node.rank(tensor) == 0 ? tensor : node.emit(Ops.reshape(tensor, Ops.shape()));
  }

  /** The number of elements of a vector, which must be known. */
  public static int count(NodeContext node, Expr vector) {
    List<PrimExpr> dims = node.dims(vector);
    if (dims.size() == 1 && dims.getFirst() instanceof IntImm number) {
      return (int) number.value();
    }
    throw node.unsupported(
        "how many numbers it is given is computed at run time",
        "give the inputs of the model shapes (--shape)");
  }

  /** A scalar of an input that is an integer, known or computed; a float is rounded towards 0. */
  public static PrimExpr extent(NodeContext node, int input) {
    Optional<double[]> known = node.known(input).flatMap(Known::reals);
    if (known.isPresent() && known.get().length == 1) {
      return IntImm.of((long) known.get()[0]);
    }
    List<PrimExpr> extents = node.extents(input);
    if (extents.size() != 1) {
      throw node.unsupported(
          "expected one number as input " + input + ", but got " + extents.size(), "");
    }
    return extents.getFirst();
  }

  /** Whether a tensor surely has no elements: kernels that read it do nothing. */
  public static boolean isEmpty(List<PrimExpr> dims) {
    return dims.stream().anyMatch(dim -> dim instanceof IntImm number && number.value() == 0);
  }

  /** Integers as an argument of an operator. */
  public static Tuple tuple(List<? extends PrimExpr> values) {
    return new Tuple(values.stream().<Expr>map(PrimValue::new).toList());
  }
}
