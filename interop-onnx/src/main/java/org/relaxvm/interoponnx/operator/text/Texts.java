package org.relaxvm.interoponnx.operator.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.create.Ranges;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType.OfStrings;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Strings as operands. */
public final class Texts {
  private Texts() {}

  /** Whether an operand is a tensor of strings. */
  public static boolean areStrings(Operand operand) {
    return operand instanceof Operand.Strings || operand instanceof Operand.Text;
  }

  /** The extents of strings. */
  public static List<PrimExpr> dims(NodeContext node, Operand strings) {
    return switch (strings) {
      case Operand.Strings(Shape shape, var elements) ->
          LongStream.of(shape.toArray()).mapToObj(n -> (PrimExpr) IntImm.of(n)).toList();
      case Operand.Text(Expr expr, List<PrimExpr> dims) -> dims;
      default -> throw node.unsupported("an input is no tensor of strings", "");
    };
  }

  /** An input that must be strings, as one value. */
  static Expr strings(NodeContext node, int input) {
    if (!areStrings(node.operand(input))) {
      throw node.unsupported("input " + input + " is no tensor of strings", "");
    }
    return node.packed(node.operand(input));
  }

  /** What a packed function gives, that has no type of a tensor. */
  public static Expr packed(NodeContext node, String function, List<? extends Expr> args) {
    return packed(node, function, args, AnyType.ANY);
  }

  /** What a packed function gives. */
  public static Expr packed(
      NodeContext node, String function, List<? extends Expr> args, Type type) {
    return node.emit(CallOps.callPurePacked(function, args, type));
  }

  /** A tensor of the host that a packed function gives. */
  public static Operand tensor(
      NodeContext node,
      String function,
      List<? extends Expr> args,
      DType dtype,
      List<PrimExpr> dims) {
    Expr value = packed(node, function, args, TensorType.ofRank(dtype, dims.size()));
    return node.operandOf(node.matchCast(value, TensorType.of(dtype, dims)));
  }

  /** Strings that a packed function gives, whose extents are read at run time. */
  static Operand ofRank(NodeContext node, Expr value, int rank) {
    return node.unpacked(value, new OfStrings(rank));
  }

  /** The extents of a broadcast; those that are not decided are read at run time. */
  static List<PrimExpr> broadcast(NodeContext node, List<PrimExpr> a, List<PrimExpr> b) {
    int rank = Math.max(a.size(), b.size());
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      PrimExpr x = extent(a, axis, rank);
      PrimExpr y = extent(b, axis, rank);
      dims.add(
          isOne(x) || (x instanceof IntImm && y instanceof IntImm && !isOne(y))
              ? y
              : isOne(y) || node.analyzer().canProveEqual(x, y)
                  ? x
                  : node.symbol(String.valueOf(axis)));
    }
    return dims;
  }

  private static PrimExpr extent(List<PrimExpr> dims, int axis, int rank) {
    int own = axis - (rank - dims.size());
    return own < 0 ? IntImm.of(1) : dims.get(own);
  }

  private static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm number && number.value() == 1;
  }

  /** The numbers of the elements of strings, in their shape: int64 from a number on. */
  static Operand positions(NodeContext node, List<PrimExpr> dims, PrimExpr from) {
    PrimExpr count = node.analyzer().simplify(Exprs.product(dims));
    boolean isKnown =
        count instanceof IntImm number
            && number.value() <= Known.LIMIT
            && dims.stream().allMatch(IntImm.class::isInstance);
    if (isKnown) {
      long[] extents = dims.stream().mapToLong(dim -> ((IntImm) dim).value()).toArray();
      List<Element> elements = new ArrayList<>();
      for (long i = 0; i < ((IntImm) count).value(); i++) {
        elements.add(new Element.Int(node.analyzer().simplify(Exprs.add(from, IntImm.of(i)))));
      }
      return new Known(DType.INT64, Shape.of(extents), elements);
    }
    Expr end = new PrimValue(Exprs.add(from, count));
    Expr numbers =
        node.emit(Ranges.arange(new PrimValue(from), end, PrimValue.of(1L), DType.INT64));
    Expr shaped = node.emit(Ops.reshape(numbers, new ShapeExpr(dims)));
    return node.operandOf(node.matchCast(shaped, TensorType.of(DType.INT64, dims)));
  }
}
