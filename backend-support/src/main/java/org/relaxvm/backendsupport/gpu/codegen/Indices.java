package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Which integers of a launch are index arithmetic: made of counters, extents and constants only, so
 * that their range is known when the extents are. All else that is int64 is data.
 */
final class Indices {
  private final Set<Var> data = new HashSet<>();

  /** The variables of a launch that hold data. */
  static Indices of(Stmt launch) {
    Indices indices = new Indices();
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof Let let && !indices.isIndex(let.value())) {
          indices.data.add(let.var());
        }
        super.visit(stmt);
      }
    }.visit(launch);
    return indices;
  }

  /** Whether an expression is int64 and made of counters, extents and constants. */
  boolean isIndex(PrimExpr expr) {
    return expr.dtype().equals(DType.INT64) && isPlain(expr);
  }

  private boolean isPlain(PrimExpr expr) {
    return switch (expr) {
      case IntImm constant -> true;
      case Var var -> var.dtype().equals(DType.INT64) && !data.contains(var);
      case Binary binary -> isPlain(binary.a()) && isPlain(binary.b());
      case Select select -> select.operands().stream().allMatch(this::isPlain);
      case Not not -> not.operands().stream().allMatch(this::isPlain);
      case Call call ->
          call.op() == Intrinsic.IF_THEN_ELSE && call.args().stream().allMatch(this::isPlain);
      case Cast cast -> false;
      case BufferLoad load -> false;
      case FloatImm constant -> false;
    };
  }

  /**
   * Whether all index arithmetic of a launch fits 32 bits with a sign.
   *
   * @param extents the values of the symbolic extents and integer parameters
   */
  boolean fitInt(Stmt launch, Map<Var, Long> extents) {
    return new IndexRanges(this, extents).fitInt(launch);
  }
}
