package org.relaxvm.compiler.pass.recognize;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.compiler.pass.recognize.Transposes.Permuted;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Heads of keys and values that were repeated for the queries that share them: by {@code repeat},
 * or by a new axis that is broadcast and joined with that of heads.
 */
final class SharedHeads {
  private final Composites composites;

  SharedHeads(Composites composites) {
    this.composites = composites;
  }

  /**
   * Heads before they were repeated, and how often each was.
   *
   * @param heads transposed as the repeated ones
   */
  record Shared(Permuted heads, long count) {
    /** The heads, with the transposes that made them. */
    Permuted in(Transposes transposes) {
      return transposes.permuted(heads.value(), heads.axes());
    }
  }

  /**
   * A value as heads that were repeated.
   *
   * @param axis of heads, in the result of the transpose
   */
  Optional<Shared> of(Permuted value, int axis) {
    int own = value.axes().get(axis);
    return repeated(value, own).or(() -> joined(value, own));
  }

  private Optional<Shared> repeated(Permuted value, int axis) {
    return composites
        .call(value.value(), Repeats.REPEAT)
        .filter(
            call ->
                call.attrs()
                    .integer("axis")
                    .filter(a -> a == axis || a + value.axes().size() == axis)
                    .isPresent())
        .map(
            call ->
                new Shared(
                    new Permuted(call.args().getFirst(), value.axes()),
                    call.attrs().integer("repeats").orElseThrow()));
  }

  private Optional<Shared> joined(Permuted value, int axis) {
    Optional<Call> broadcast =
        composites
            .call(value.value(), Reshapes.RESHAPE)
            .flatMap(reshape -> composites.call(reshape.args().getFirst(), UnitAxes.BROADCAST_TO));
    Optional<List<PrimExpr>> wide = broadcast.flatMap(Composites::dims);
    Optional<List<PrimExpr>> narrow =
        broadcast.flatMap(call -> Composites.dims(call.args().getFirst()));
    Optional<List<PrimExpr>> result = Composites.dims(value.value());
    if (wide.isEmpty()
        || narrow.isEmpty()
        || result.isEmpty()
        || wide.get().size() != result.get().size() + 1
        || narrow.get().size() != wide.get().size()
        || !(wide.get().get(axis + 1) instanceof IntImm count)) {
      return Optional.empty();
    }
    boolean fits =
        isBroadcastAt(axis + 1, narrow.get(), wide.get())
            && isJoinedAt(axis, wide.get(), result.get());
    return fits
        ? Optional.of(
            new Shared(
                new Permuted(
                    without(axis + 1, broadcast.orElseThrow().args().getFirst()), value.axes()),
                count.value()))
        : Optional.empty();
  }

  private boolean isBroadcastAt(int axis, List<PrimExpr> narrow, List<PrimExpr> wide) {
    for (int i = 0; i < wide.size(); i++) {
      if (!composites.isEqual(narrow.get(i), i == axis ? IntImm.of(1) : wide.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isJoinedAt(int axis, List<PrimExpr> wide, List<PrimExpr> result) {
    for (int i = 0; i < result.size(); i++) {
      if (i != axis && !composites.isEqual(result.get(i), wide.get(i < axis ? i : i + 1))) {
        return false;
      }
    }
    return wide.get(axis) instanceof IntImm a
        && wide.get(axis + 1) instanceof IntImm b
        && composites.isEqual(result.get(axis), IntImm.of(a.value() * b.value()));
  }

  private Expr without(int axis, Expr value) {
    Optional<Call> added = composites.call(value, UnitAxes.EXPAND_DIMS);
    boolean isOnlyThat =
        added
            .flatMap(call -> call.attrs().integers("axis"))
            .filter(List.of((long) axis)::equals)
            .isPresent();
    return isOnlyThat ? added.orElseThrow().args().getFirst() : UnitAxes.squeeze(value, axis);
  }
}
