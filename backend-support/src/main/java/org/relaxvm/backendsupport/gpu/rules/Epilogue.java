package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.analysis.Stage;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/** A formula of single results, done where they are computed. */
final class Epilogue {
  private static final PrimExpr FIRST = IntImm.of(0);

  private Epilogue() {}

  /**
   * What a stage stores at a point of another one whose result it reads, given that result.
   *
   * @param stage of formulas, which runs next
   * @param result what the other one gives at a point, in terms of its counters
   * @param value the same as a value at hand
   * @return empty unless the stage reads each element of the result once, at the point of its own
   */
  static Optional<Stmt> of(Stage stage, BufferLoad result, Var value) {
    Nest nest = stage.nest();
    if (!stage.serial().isEmpty()
        || nest.isReduction()
        || !(nest.block().body() instanceof BufferStore store)
        || store.buffer().equals(result.buffer())) {
      return Optional.empty();
    }
    List<List<PrimExpr>> places =
        nest.accesses().stream()
            .filter(access -> access.buffer().equals(result.buffer()))
            .map(Access::indices)
            .distinct()
            .toList();
    if (places.size() != 1) {
      return Optional.empty();
    }
    Map<Var, PrimExpr> counters = new HashMap<>();
    for (int axis = 0; axis < result.indices().size(); axis++) {
      PrimExpr theirs = places.getFirst().get(axis);
      if (theirs instanceof Var var) {
        if (counters.putIfAbsent(var, result.indices().get(axis)) != null) {
          return Optional.empty();
        }
      } else if (!theirs.equals(result.indices().get(axis))
          && !(theirs.equals(FIRST) && result.buffer().shape().get(axis).equals(IntImm.of(1)))) {
        return Optional.empty();
      }
    }
    for (For loop : stage.parallel()) {
      int axis = places.getFirst().indexOf(loop.loopVar());
      if (axis < 0 && loop.extent().equals(IntImm.of(1))) {
        counters.put(loop.loopVar(), loop.min());
        continue;
      }
      if (axis < 0
          || !loop.min().equals(IntImm.of(0))
          || !loop.extent().equals(result.buffer().shape().get(axis))) {
        return Optional.empty();
      }
    }
    return counters.size() == stage.parallel().size()
        ? Optional.of(
            new Substitution(counters)
                .rewrite(
                    withValue(Plain.of(nest.realize(), new ArrayList<>()), result.buffer(), value)))
        : Optional.empty();
  }

  private static Stmt withValue(Stmt stmt, Buffer buffer, Var value) {
    return new IrMutator() {
      @Override
      public PrimExpr rewrite(PrimExpr expr) {
        return expr instanceof BufferLoad load && load.buffer().equals(buffer)
            ? value
            : super.rewrite(expr);
      }
    }.rewrite(stmt);
  }
}
