package org.relaxvm.interoponnx.operator.product;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Matrix products: matmul and GEMM. */
public final class Products {
  private Products() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("MatMul", 1, node -> node.result(matmul(node, node.tensor(0), node.tensor(1))))
        .add("Gemm", 1, Products::gemm);
  }

  /** The product; extents that must be equal, or broadcast, are taken to be equal. */
  public static Expr matmul(NodeContext node, Expr a, Expr b) {
    List<PrimExpr> left = new ArrayList<>(node.dims(a));
    List<PrimExpr> right = new ArrayList<>(node.dims(b));
    if (left.isEmpty() || right.isEmpty()) {
      throw node.unsupported("an operand has no axes; expected 1 or more", "");
    }
    int inner = Math.max(right.size() - 2, 0);
    PrimExpr reduced = certain(left.getLast(), right.get(inner));
    left.set(left.size() - 1, reduced);
    right.set(inner, reduced);
    for (int n = 3; n <= Math.min(left.size(), right.size()); n++) {
      int i = left.size() - n;
      int j = right.size() - n;
      PrimExpr common = NodeContext.common(left.get(i), right.get(j));
      if (!isOne(left.get(i))) {
        left.set(i, common);
      }
      if (!isOne(right.get(j))) {
        right.set(j, common);
      }
    }
    return Ops.matmul(node.assume(a, left), node.assume(b, right));
  }

  private static PrimExpr certain(PrimExpr a, PrimExpr b) {
    return isOne(a) ? a : NodeContext.common(a, b);
  }

  private static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm number && number.value() == 1;
  }

  // ---------------------------------------------------------------- Gemm

  /** {@code alpha * A * B + beta * C}; C is optional since version 11. */
  private static List<Operand> gemm(NodeContext node) {
    Expr a = matrix(node, 0, "transA");
    Expr b = matrix(node, 1, "transB");
    Expr product = node.emit(matmul(node, a, b));
    Expr scaled = scaled(node, product, node.attributes().real("alpha", 1));
    Optional<Expr> c = node.optional(2);
    if (c.isEmpty()) {
      return node.result(scaled);
    }
    Expr other = scaled(node, c.get(), node.attributes().real("beta", 1));
    List<Expr> operands = node.broadcast(List.of(scaled, other));
    return node.result(Ops.add(operands.get(0), operands.get(1)));
  }

  private static Expr matrix(NodeContext node, int input, String attribute) {
    Expr x = node.tensor(input);
    if (node.rank(x) != 2) {
      throw node.unsupported("input " + input + " has " + node.rank(x) + " axes; expected 2", "");
    }
    return node.attributes().flag(attribute, false) ? node.emit(Ops.permuteDims(x, 1, 0)) : x;
  }

  /** Factors are floats, also of integers. */
  private static Expr scaled(NodeContext node, Expr x, float factor) {
    if (factor == 1) {
      return x;
    }
    DType dtype = node.dtype(x);
    Expr numbers = dtype.isFloat() ? x : Dtypes.cast(node, x, DType.FLOAT64);
    Expr product = node.emit(Ops.multiply(numbers, Dtypes.number(node, numbers, factor)));
    return Dtypes.cast(node, product, dtype);
  }
}
