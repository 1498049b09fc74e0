package org.relaxvm.tir.op.support;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.TensorExpr;

/** Extents and indices. */
public final class Dims {
  private Dims() {}

  /** The value of a constant. */
  public static OptionalLong known(PrimExpr extent) {
    return extent instanceof IntImm imm ? OptionalLong.of(imm.value()) : OptionalLong.empty();
  }

  /** Whether an extent is the constant 1. */
  public static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm imm && imm.value() == 1;
  }

  /** Constant extents. */
  public static List<PrimExpr> of(List<Long> extents) {
    return extents.stream().<PrimExpr>map(IntImm::of).toList();
  }

  /** An extent in its simplest form. */
  public static PrimExpr simplify(PrimExpr extent) {
    return new Analyzer().simplify(extent);
  }

  /** Whether two extents can be shown to be equal. What they are made of is at least 0. */
  public static boolean same(PrimExpr a, PrimExpr b) {
    if (a.equals(b)) {
      return true;
    }
    Analyzer analyzer = new Analyzer();
    markNonNegative(a, analyzer);
    markNonNegative(b, analyzer);
    return analyzer.canProveEqual(a, b);
  }

  private static void markNonNegative(PrimExpr extent, Analyzer analyzer) {
    if (extent instanceof Var size) {
      analyzer.markNonNegative(size);
    }
    extent.operands().forEach(operand -> markNonNegative(operand, analyzer));
  }

  /** Whether two extents are surely different. */
  public static boolean differ(PrimExpr a, PrimExpr b) {
    return known(simplify(Exprs.sub(a, b))).orElse(0) != 0;
  }

  /** Refuses extents that surely differ. */
  public static void requireSame(String op, PrimExpr a, PrimExpr b, String what) {
    Check.that(!differ(a, b), op, what + " must be equal, but are " + text(a) + " and " + text(b));
  }

  /** The extents of tensors that are broadcast against each other. */
  public static List<PrimExpr> broadcast(String op, List<TensorExpr> tensors) {
    List<PrimExpr> all = List.of();
    for (TensorExpr tensor : tensors) {
      all = broadcast(op, all, tensor.shape());
    }
    return all;
  }

  /** The extents that two lists of extents have when broadcast, the last axes aligned. */
  public static List<PrimExpr> broadcast(String op, List<PrimExpr> a, List<PrimExpr> b) {
    List<PrimExpr> extents = new ArrayList<>();
    int rank = Math.max(a.size(), b.size());
    for (int axis = 0; axis < rank; axis++) {
      PrimExpr x = aligned(a, axis, rank);
      PrimExpr y = aligned(b, axis, rank);
      boolean fits = isOne(x) || isOne(y) || same(x, y);
      Check.that(
          fits,
          op,
          "cannot broadcast "
              + text(x)
              + " against "
              + text(y)
              + ": expected equal extents or the constant 1");
      extents.add(isOne(x) ? y : x);
    }
    return extents;
  }

  private static PrimExpr aligned(List<PrimExpr> extents, int axis, int rank) {
    int own = axis - (rank - extents.size());
    return own < 0 ? IntImm.of(1) : extents.get(own);
  }

  /** The element of a tensor at an index of what it is broadcast to. */
  public static PrimExpr at(TensorExpr x, List<PrimExpr> index) {
    List<PrimExpr> own = new ArrayList<>();
    int missing = index.size() - x.shape().size();
    for (int axis = 0; axis < x.shape().size(); axis++) {
      own.add(isOne(x.shape().get(axis)) ? IntImm.of(0) : index.get(missing + axis));
    }
    return x.at(own);
  }

  /** An extent for people. */
  public static String text(PrimExpr extent) {
    return switch (extent) {
      case IntImm imm -> Long.toString(imm.value());
      case FloatImm imm -> Double.toString(imm.value());
      case Binary binary when Character.isLetter(binary.op().text().charAt(0)) ->
          binary.op().text() + "(" + text(binary.a()) + ", " + text(binary.b()) + ")";
      case Binary binary ->
          "(" + text(binary.a()) + " " + binary.op().text() + " " + text(binary.b()) + ")";
      default -> extent.toString();
    };
  }

  /** Extents as messages show them. */
  public static String texts(List<? extends PrimExpr> extents) {
    return extents.stream().map(Dims::text).collect(Collectors.joining(", ", "[", "]"));
  }
}
