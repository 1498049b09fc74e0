package org.relaxvm.backendcpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Gives the cases of a choice between ranges of an axis loops of their own: of tensors that are
 * joined or padded, each part then is a plain copy, often of one long run. Only where each part has
 * long runs, and where it is certain that the ranges lie in the tensor.
 */
final class ChoiceParts {
  private static final int MOST_PARTS = 8;
  private static final long RUN = 32;

  private final Block block;
  private final List<For> loops;
  private final List<Var> axes;
  private final Analyzer analyzer = new Analyzer();
  private final List<Part> parts = new ArrayList<>();

  /** A box of the tensor and what stands in it, in terms of the axes of the whole. */
  private record Part(List<PrimExpr> from, List<PrimExpr> extents, PrimExpr value) {}

  /**
   * A condition that holds on one side of a place of an axis.
   *
   * @param below whether it holds in front of the place, and not from there on
   */
  private record Border(int axis, PrimExpr place, boolean below) {}

  private ChoiceParts(PrimFunc function, Nest nest) {
    this.block = nest.block();
    this.loops = nest.loops();
    this.axes = block.iterVars().stream().map(IterVar::var).toList();
    function.buffers().stream()
        .flatMap(buffer -> buffer.shape().stream())
        .forEach(
            extent -> {
              if (extent instanceof Var var) {
                analyzer.markNonNegative(var);
              }
            });
  }

  static PrimFunc in(KernelAnalysis kernel) {
    PrimFunc now = kernel.kernel();
    for (Nest nest : kernel.nests()) {
      if (isPlain(nest) && isLast(kernel, nest)) {
        now = new ChoiceParts(now, nest).apart(now);
      }
    }
    return now;
  }

  /** Whether loops and axes of a stage that chooses are the same. */
  private static boolean isPlain(Nest nest) {
    if (nest.isReduction()
        || nest.isOpaque()
        || nest.loops().size() != nest.block().iterVars().size()
        || !nest.realize().predicate().equals(IntImm.of(true))
        || !(nest.block().body() instanceof BufferStore store)
        || !isChoice(store.value())) {
      return false;
    }
    for (int i = 0; i < nest.loops().size(); i++) {
      For loop = nest.loops().get(i);
      if (!nest.realize().iterValues().get(i).equals(loop.loopVar())
          || !loop.min().equals(IntImm.of(0))) {
        return false;
      }
    }
    return true;
  }

  /** Whether no other stage works on what a stage writes. */
  private static boolean isLast(KernelAnalysis kernel, Nest nest) {
    return kernel.nests().stream()
        .filter(other -> !other.name().equals(nest.name()))
        .flatMap(other -> other.accesses().stream())
        .noneMatch(
            access -> nest.stores().stream().anyMatch(s -> s.buffer().equals(access.buffer())));
  }

  private static boolean isChoice(PrimExpr value) {
    return value instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE;
  }

  private PrimFunc apart(PrimFunc function) {
    List<PrimExpr> from = new ArrayList<>();
    List<PrimExpr> extents = new ArrayList<>();
    for (For loop : loops) {
      from.add(IntImm.of(0));
      extents.add(loop.extent());
    }
    BufferStore store = (BufferStore) block.body();
    collect(new Part(from, extents, store.value()));
    if (parts.size() == 1) {
      return function;
    }
    List<Stmt> nests = new ArrayList<>();
    for (Part part : parts) {
      nests.add(nest(part, store, block.name() + (nests.isEmpty() ? "" : "_" + nests.size())));
    }
    For outer = loops.getFirst();
    return new IrMutator() {
      @Override
      public Stmt rewrite(Stmt stmt) {
        return stmt instanceof For loop && loop.loopVar().equals(outer.loopVar())
            ? Seq.of(nests)
            : super.rewrite(stmt);
      }
    }.rewrite(function);
  }

  private void collect(Part part) {
    if (parts.size() < MOST_PARTS && part.value() instanceof Call choice && isChoice(choice)) {
      List<PrimExpr> conditions = Exprs.conjuncts(choice.args().getFirst());
      for (PrimExpr condition : conditions) {
        Optional<Border> border = border(condition).filter(found -> isInside(part, found));
        if (border.isPresent()) {
          List<PrimExpr> others = new ArrayList<>(conditions);
          others.remove(condition);
          collect(part, border.get(), choice, others);
          return;
        }
      }
    }
    parts.add(part);
  }

  /**
   * The parts on both sides of a border.
   *
   * @param others what has to hold besides for the first case of the choice
   */
  private void collect(Part part, Border border, Call choice, List<PrimExpr> others) {
    PrimExpr whenFalse = choice.args().get(2);
    PrimExpr whenTrue =
        others.stream()
            .reduce(Exprs::and)
            .map(rest -> Exprs.ifThenElse(rest, choice.args().get(1), whenFalse))
            .orElse(choice.args().get(1));
    int axis = border.axis();
    PrimExpr start = part.from().get(axis);
    PrimExpr low = simplified(Exprs.sub(border.place(), start));
    PrimExpr high = simplified(Exprs.sub(part.extents().get(axis), low));
    collectIfAny(
        part.from(), with(part.extents(), axis, low), border.below() ? whenTrue : whenFalse);
    collectIfAny(
        with(part.from(), axis, border.place()),
        with(part.extents(), axis, high),
        border.below() ? whenFalse : whenTrue);
  }

  private void collectIfAny(List<PrimExpr> from, List<PrimExpr> extents, PrimExpr value) {
    if (extents.stream().noneMatch(IntImm.of(0)::equals)) {
      collect(new Part(from, extents, value));
    }
  }

  private PrimExpr simplified(PrimExpr expr) {
    return analyzer.simplify(expr);
  }

  private static List<PrimExpr> with(List<PrimExpr> list, int index, PrimExpr value) {
    List<PrimExpr> changed = new ArrayList<>(list);
    changed.set(index, value);
    return changed;
  }

  /** The place of a comparison that is between an axis and what no axis changes. */
  private Optional<Border> border(PrimExpr condition) {
    if (!(condition instanceof Binary comparison) || !comparison.a().dtype().equals(DType.INT64)) {
      return Optional.empty();
    }
    PrimExpr a = comparison.a();
    PrimExpr b = comparison.b();
    // The condition is 0 < room.
    return switch (comparison.op()) {
      case LT -> borderOf(Exprs.sub(b, a));
      case LE -> borderOf(Exprs.add(Exprs.sub(b, a), 1));
      case GT -> borderOf(Exprs.sub(a, b));
      case GE -> borderOf(Exprs.add(Exprs.sub(a, b), 1));
      default -> Optional.empty();
    };
  }

  private Optional<Border> borderOf(PrimExpr room) {
    for (int axis = 0; axis < axes.size(); axis++) {
      Var var = axes.get(axis);
      PrimExpr below = simplified(Exprs.add(room, var));
      PrimExpr behind = simplified(Exprs.sub(var, room));
      if (isFree(below)) {
        return Optional.of(new Border(axis, below, true));
      }
      if (isFree(behind)) {
        return Optional.of(new Border(axis, simplified(Exprs.add(behind, 1)), false));
      }
    }
    return Optional.empty();
  }

  private boolean isFree(PrimExpr expr) {
    return axes.stream().noneMatch(axis -> Nest.uses(expr, axis));
  }

  /** Whether a border surely lies in a part, with long runs on both sides. */
  private boolean isInside(Part part, Border border) {
    int axis = border.axis();
    PrimExpr low = simplified(Exprs.sub(border.place(), part.from().get(axis)));
    PrimExpr high = simplified(Exprs.sub(part.extents().get(axis), low));
    return analyzer.canProve(Exprs.le(IntImm.of(0), low))
        && analyzer.canProve(Exprs.le(IntImm.of(0), high))
        && isLong(part, axis, low)
        && isLong(part, axis, high);
  }

  private static boolean isLong(Part part, int axis, PrimExpr extent) {
    long run = Nest.extentOr(extent, RUN);
    for (PrimExpr inner : part.extents().subList(axis + 1, part.extents().size())) {
      run *= Math.min(RUN, Nest.extentOr(inner, RUN));
    }
    return run == 0 || run >= RUN;
  }

  /** The loops of a part. */
  private Stmt nest(Part part, BufferStore store, String name) {
    List<Var> counters = new ArrayList<>();
    List<IterVar> own = new ArrayList<>();
    Map<Var, PrimExpr> places = new HashMap<>();
    for (int i = 0; i < axes.size(); i++) {
      counters.add(Var.index(loops.get(i).loopVar().name()));
      Var axis = Var.index(axes.get(i).name());
      own.add(
          new IterVar(
              axis,
              new Range(IntImm.of(0), part.extents().get(i)),
              block.iterVars().get(i).kind()));
      places.put(axes.get(i), simplified(Exprs.add(axis, part.from().get(i))));
    }
    Substitution here = new Substitution(places);
    Stmt body =
        new BufferStore(
            store.buffer(),
            here.rewrite(part.value()),
            store.indices().stream().map(here::rewrite).toList());
    Stmt nest =
        BlockRealize.always(BlockRegions.block(name, own, Optional.empty(), body), counters);
    for (int i = axes.size() - 1; i >= 0; i--) {
      nest = For.serial(counters.get(i), part.extents().get(i), nest);
    }
    return nest;
  }
}
