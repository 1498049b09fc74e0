package org.relaxvm.interoponnx.operator.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.create.Matrices;
import org.relaxvm.compiler.op.create.Ranges;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.index.DataDependent;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.RuntimeNumbers;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Sequences of numbers, diagonals, windows. */
public final class Creations {
  private Creations() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Range", 11, Creations::range, Creations::knownRange)
        .add("EyeLike", 9, Creations::eyeLike)
        .add("Trilu", 14, Creations::trilu)
        .add("HannWindow", 17, node -> window(node, 0.5, 0.5))
        .add("HammingWindow", 17, node -> window(node, 25.0 / 46, 21.0 / 46))
        .add("BlackmanWindow", 17, Creations::blackmanWindow)
        .add("MelWeightMatrix", 17, Creations::melWeightMatrix);
  }

  // ---------------------------------------------------------------- sequences

  /** Element {@code i} is {@code start + i * delta}; 16-bit floats are computed in float32. */
  private static List<Operand> range(NodeContext node) {
    Expr start = RuntimeNumbers.scalar(node, 0);
    DType dtype = node.dtype(start);
    Optional<List<PrimExpr>> from = node.known(0).flatMap(Known::integers);
    Optional<List<PrimExpr>> to = node.known(1).flatMap(Known::integers);
    Optional<List<Long>> by = node.integers(2);
    if (from.isPresent() && to.isPresent() && by.isPresent() && by.get().getFirst() != 0) {
      return node.result(
          Ranges.arange(
              new PrimValue(from.get().getFirst()),
              new PrimValue(to.get().getFirst()),
              PrimValue.of(by.get().getFirst()),
              dtype));
    }
    Expr limit = RuntimeNumbers.scalar(node, 1);
    Expr delta = RuntimeNumbers.scalar(node, 2);
    Expr length = node.emit(Ops.maximum(count(node, start, limit, delta), zero()));
    PrimExpr extent =
        RuntimeNumbers.symbols(node, RuntimeNumbers.vector(node, length), 1).getFirst();
    Expr steps = node.emit(Ops.arange(new PrimValue(extent), DType.INT64));
    DType wide = dtype.isFloat() ? Dtypes.wide(dtype) : DType.INT64;
    Expr distance = Dtypes.cast(node, delta, wide);
    Expr offsets = node.emit(Ops.multiply(Dtypes.cast(node, steps, wide), distance));
    Expr elements = node.emit(Ops.add(Dtypes.cast(node, start, wide), offsets));
    return node.result(Ops.astype(elements, dtype));
  }

  private static PrimValue zero() {
    return Ops.scalar(DType.INT64, 0);
  }

  /**
   * {@code ceil((limit - start) / delta)}; of floats in float64, since float32 rounds a quotient
   * that is slightly above an integer to it.
   */
  private static Expr count(NodeContext node, Expr start, Expr limit, Expr delta) {
    boolean isFloat = node.dtype(start).isFloat();
    DType dtype = isFloat ? DType.FLOAT64 : DType.INT64;
    Expr from = Dtypes.cast(node, start, dtype);
    Expr to = Dtypes.cast(node, limit, dtype);
    Expr by = Dtypes.cast(node, delta, dtype);
    if (isFloat) {
      Expr parts = node.emit(Ops.divide(node.emit(Ops.subtract(to, from)), by));
      return node.emit(Ops.astype(node.emit(Functions.ceil(parts)), DType.INT64));
    }
    Expr down = node.emit(Arithmetic.floorDivide(node.emit(Ops.subtract(from, to)), by));
    return node.emit(Ops.negative(down));
  }

  private static Optional<Operand> knownRange(NodeContext node) {
    Optional<Long> from = number(node, 0);
    Optional<Long> to = number(node, 1);
    Optional<Long> by = number(node, 2);
    if (from.isEmpty() || to.isEmpty() || by.isEmpty() || by.get() == 0) {
      return Optional.empty();
    }
    double count = Math.max(Math.ceil(((double) to.get() - from.get()) / by.get()), 0);
    if (count > Known.LIMIT) {
      return Optional.empty();
    }
    List<Element> elements = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      elements.add(Element.of(from.get() + i * by.get()));
    }
    DType dtype = node.known(0).orElseThrow().dtype();
    return Optional.of(new Known(dtype, Shape.of(elements.size()), elements));
  }

  private static Optional<Long> number(NodeContext node, int input) {
    return node.integers(input).filter(list -> list.size() == 1).map(List::getFirst);
  }

  // ---------------------------------------------------------------- matrices

  private static List<Operand> eyeLike(NodeContext node) {
    Attrs attrs = Attrs.NONE;
    if (node.attributes().has("dtype")) {
      attrs = attrs.with("dtype", dtype(node, node.attributes().requiredInteger("dtype")));
    }
    PrimValue diagonal = PrimValue.of(node.attributes().integer("k", 0));
    return node.result(Call.of(Matrices.EYE_LIKE, List.of(node.tensor(0), diagonal), attrs));
  }

  private static DType dtype(NodeContext node, long code) {
    ElementType type = ElementType.of(code);
    DType dtype = type.dtype();
    if (dtype == null) {
      throw node.unsupported("elements of type " + type.string() + " are not supported", "");
    }
    return dtype;
  }

  private static List<Operand> trilu(NodeContext node) {
    Expr x = node.tensor(0);
    PrimExpr diagonal = node.has(1) ? RuntimeNumbers.signed(node, 1).getFirst() : IntImm.of(0);
    boolean upper = node.attributes().flag("upper", true);
    return node.result(Call.of(upper ? Matrices.TRIU : Matrices.TRIL, x, new PrimValue(diagonal)));
  }

  // ---------------------------------------------------------------- signals

  private static DType outputType(NodeContext node) {
    return dtype(node, node.attributes().integer("output_datatype", 1));
  }

  /** The dtype of floats in which a result is computed. */
  private static DType computed(DType dtype) {
    return dtype.equals(DType.FLOAT64) ? DType.FLOAT64 : DType.FLOAT32;
  }

  private static Expr cosineWindow(NodeContext node, double alpha, double beta, DType dtype) {
    PrimValue size = new PrimValue(RuntimeNumbers.extent(node, 0));
    boolean periodic = node.attributes().flag("periodic", true);
    return node.emit(Ranges.hammingWindow(size, periodic, alpha, beta, dtype));
  }

  private static List<Operand> window(NodeContext node, double alpha, double beta) {
    DType dtype = outputType(node);
    Expr window = cosineWindow(node, alpha, beta, computed(dtype));
    return node.result(Ops.astype(window, dtype));
  }

  /** {@code 0.42 - 0.5 cos(a) + 0.08 cos(2 a)}, with {@code cos(2 a) = 2 cos(a)^2 - 1}. */
  private static List<Operand> blackmanWindow(NodeContext node) {
    DType dtype = outputType(node);
    DType real = computed(dtype);
    Expr cosine = cosineWindow(node, 0, -1, real);
    Expr square = node.emit(Ops.multiply(cosine, cosine));
    Expr second = node.emit(Ops.multiply(square, Ops.scalar(real, 0.16)));
    Expr first = node.emit(Ops.multiply(cosine, Ops.scalar(real, 0.5)));
    Expr both = node.emit(Ops.subtract(second, first));
    Expr window = node.emit(Ops.add(both, Ops.scalar(real, 0.34)));
    return node.result(Ops.astype(window, dtype));
  }

  private static List<Operand> melWeightMatrix(NodeContext node) {
    DType dtype = outputType(node);
    DType real = computed(dtype);
    List<Expr> numbers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      numbers.add(node.tensor(i));
    }
    Expr found =
        node.builder()
            .emit(
                DataDependent.melWeightMatrix(numbers, real.equals(DType.FLOAT64)),
                node.hint() + "_weights");
    PrimExpr rows = node.symbol("points");
    PrimExpr columns = node.symbol("bands");
    Expr weights = node.matchCast(found, TensorType.of(real, List.of(rows, columns)));
    return node.result(Ops.astype(weights, dtype));
  }
}
