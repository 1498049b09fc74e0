package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.backendsupport.gpu.analysis.Stage;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Reduction;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A piece of a kernel that a rule may take.
 *
 * @param statement all of it
 * @param stage what it is, if it is one; of a reduction with the statement that starts it
 */
record Unit(Stmt statement, Optional<Stage> stage) {
  /** The same with each start of a reduction joined to the reduction that follows it. */
  static List<Unit> joined(List<Unit> units) {
    List<Unit> joined = new ArrayList<>();
    for (Unit unit : units) {
      Optional<Unit> both = joined.isEmpty() ? Optional.empty() : together(joined.getLast(), unit);
      if (both.isPresent()) {
        joined.removeLast();
        joined.add(both.get());
      } else {
        joined.add(unit);
      }
    }
    return joined;
  }

  private static Optional<Unit> together(Unit first, Unit second) {
    if (first.stage().isEmpty() || second.stage().isEmpty()) {
      return Optional.empty();
    }
    Stage fill = first.stage().get();
    Stage sum = second.stage().get();
    Optional<Reduction> reduction = sum.reduction();
    if (reduction.isEmpty()
        || reduction.get().buffers().size() != 1
        || sum.nest().block().init().isPresent()
        || !fill.serial().isEmpty()
        || !(fill.nest().block().body() instanceof BufferStore store)
        || !store.buffer().equals(reduction.get().buffers().getFirst())
        || !ItemRule.isConstant(store.value())
        || !fill.nest().realize().predicate().equals(sum.nest().realize().predicate())
        || !visitsAll(fill, store.indices(), store)
        || !visitsAll(sum, reduction.get().indices(), store)) {
      return Optional.empty();
    }
    Stmt init = new BufferStore(store.buffer(), store.value(), reduction.get().indices());
    Block block = sum.nest().block();
    Block started =
        new Block(
            block.name(),
            block.iterVars(),
            block.reads(),
            block.writes(),
            block.allocBuffers(),
            Optional.of(init),
            block.body(),
            block.annotations());
    BlockRealize realize =
        new BlockRealize(
            sum.nest().realize().iterValues(), sum.nest().realize().predicate(), started);
    Nest nest =
        new Nest(realize, sum.nest().loops(), sum.nest().accesses(), sum.nest().valueUses());
    return Optional.of(
        new Unit(
            new Seq(List.of(first.statement(), second.statement())),
            Optional.of(new Stage(nest, sum.parallel(), sum.serial()))));
  }

  /** Whether the points of the parallel loops are the elements of a buffer, each of them one. */
  private static boolean visitsAll(Stage stage, List<PrimExpr> indices, BufferStore store) {
    PrimExpr element =
        new Substitution(Plain.point(stage.nest().realize()))
            .rewrite(new BufferLoad(store.buffer(), indices));
    Set<PrimExpr> left = new HashSet<>();
    stage.parallel().forEach(loop -> left.add(loop.loopVar()));
    List<PrimExpr> places = element.operands();
    for (int axis = 0; axis < places.size(); axis++) {
      PrimExpr place = places.get(axis);
      PrimExpr extent = store.buffer().shape().get(axis);
      Optional<For> loop =
          stage.parallel().stream().filter(each -> each.loopVar().equals(place)).findFirst();
      boolean whole =
          loop.isPresent()
              && left.remove(place)
              && loop.get().extent().equals(extent)
              && loop.get().min().equals(IntImm.of(0));
      if (!whole) {
        return false;
      }
    }
    return left.isEmpty();
  }
}
