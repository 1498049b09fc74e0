package org.relaxvm.tir.op.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Statements for what is not a formula of single elements. */
public final class Lines {
  private Lines() {}

  /** A number in memory of a block. */
  public static Buffer cell(String name, DType dtype) {
    return Buffer.of(name, dtype, List.of());
  }

  /** A number in memory of each point of a block whose points run concurrently. */
  public static Buffer local(String name, DType dtype) {
    return Buffer.of(name, dtype, List.of(), MemoryScope.LOCAL);
  }

  /** Sets a number in memory. */
  public static Stmt set(Buffer cell, PrimExpr value) {
    return new BufferStore(cell, value, List.of());
  }

  /** One after the other. */
  public static Stmt seq(Stmt... statements) {
    return Seq.of(List.of(statements));
  }

  /** A statement that runs where a condition holds. */
  public static Stmt when(PrimExpr condition, Stmt statement) {
    return new IfThenElse(condition, statement, Optional.empty());
  }

  /** A serial loop from 0 on. */
  public static Stmt loop(String name, PrimExpr extent, Function<Var, Stmt> body) {
    Var var = Var.index(name);
    return For.serial(var, extent, body.apply(var));
  }

  /** Serial loops from 0 on, one in the other. */
  public static Stmt loops(
      String letter, List<PrimExpr> extents, Function<List<PrimExpr>, Stmt> body) {
    List<Var> vars = new ArrayList<>();
    for (int i = 0; i < extents.size(); i++) {
      vars.add(Var.index(letter + i));
    }
    Stmt result = body.apply(List.copyOf(vars));
    for (int i = vars.size() - 1; i >= 0; i--) {
      result = For.serial(vars.get(i), extents.get(i), result);
    }
    return result;
  }

  /**
   * A block with loops around it, each point of which writes elements of its own.
   *
   * @param own memory of each point
   */
  public static Stmt block(
      String name, List<PrimExpr> extents, List<Buffer> own, Function<List<PrimExpr>, Stmt> body) {
    List<IterVar> axes = new ArrayList<>();
    for (int i = 0; i < extents.size(); i++) {
      Range domain = new Range(IntImm.of(0), extents.get(i));
      axes.add(new IterVar(Var.index("v_i" + i), domain, IterKind.SPATIAL));
    }
    Stmt work = body.apply(axes.stream().<PrimExpr>map(IterVar::var).toList());
    AccessRegions regions = AccessRegions.of(work);
    Block block =
        new Block(
            name,
            axes,
            regions.reads().stream().filter(region -> !own.contains(region.buffer())).toList(),
            regions.writes().stream().filter(region -> !own.contains(region.buffer())).toList(),
            own,
            Optional.empty(),
            work,
            Map.of());
    return loops("i", extents, vars -> BlockRealize.always(block, vars));
  }
}
