package org.relaxvm.tir.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Short forms for kernels of tests. */
final class Ir {
  private Ir() {}

  static PrimExpr at(long value) {
    return IntImm.of(value);
  }

  static PrimExpr number(double value) {
    return new FloatImm(DType.FLOAT32, value);
  }

  static Buffer floats(String name, PrimExpr... shape) {
    return Buffer.of(name, DType.FLOAT32, List.of(shape));
  }

  static Buffer longs(String name, PrimExpr... shape) {
    return Buffer.of(name, DType.INT64, List.of(shape));
  }

  static Stmt store(Buffer buffer, PrimExpr value, PrimExpr... indices) {
    return new BufferStore(buffer, value, List.of(indices));
  }

  static Stmt seq(Stmt... statements) {
    return Seq.of(List.of(statements));
  }

  static PrimFunc kernel(Stmt body, Buffer... buffers) {
    return PrimFunc.of("f", List.of(buffers), body);
  }

  static PrimFunc kernel(DType result, Stmt body, Param... params) {
    return new PrimFunc("f", List.of(params), result, body, Map.of());
  }

  /** A block over axes of these kinds and extents, in loops of their own. */
  static Stmt block(
      String name,
      String kinds,
      List<PrimExpr> extents,
      Function<List<PrimExpr>, Stmt> init,
      Function<List<PrimExpr>, Stmt> body) {
    List<Var> loops = new ArrayList<>();
    List<IterVar> axes = new ArrayList<>();
    for (int i = 0; i < extents.size(); i++) {
      loops.add(Var.index("i" + i));
      IterKind kind = kinds.charAt(i) == 'R' ? IterKind.REDUCE : IterKind.SPATIAL;
      axes.add(new IterVar(Var.index("v" + i), new Range(at(0), extents.get(i)), kind));
    }
    List<PrimExpr> point = axes.stream().<PrimExpr>map(IterVar::var).toList();
    Optional<Stmt> start =
        kinds.contains("R") ? Optional.of(init.apply(point)) : Optional.<Stmt>empty();
    Block block =
        new Block(name, axes, List.of(), List.of(), List.of(), start, body.apply(point), Map.of());
    Stmt nest = BlockRealize.always(block, loops);
    for (int i = loops.size() - 1; i >= 0; i--) {
      nest = For.serial(loops.get(i), extents.get(i), nest);
    }
    return nest;
  }

  /** A block of spatial axes. */
  static Stmt block(String name, List<PrimExpr> extents, Function<List<PrimExpr>, Stmt> body) {
    return block(name, "S".repeat(extents.size()), extents, body, body);
  }
}
