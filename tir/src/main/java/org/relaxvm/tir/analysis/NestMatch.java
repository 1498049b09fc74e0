package org.relaxvm.tir.analysis;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Compares a nest of loops with the description of an intrinsic: the same loops in the same order,
 * stores of the same values, operands in the same order. Locations in memory are compared by value,
 * so axes of blocks may be other ones, and the description may do without blocks.
 */
public final class NestMatch {
  private final Analyzer analyzer;
  // Of the description: counters, and extents that are variables.
  private final Map<Var, PrimExpr> values = new HashMap<>();
  // The axes of blocks, of both sides.
  private final Map<Var, PrimExpr> points = new HashMap<>();
  private final Set<Var> inside = new HashSet<>();
  private final Tiles tiles;

  private NestMatch(TensorIntrinsic intrinsic, Analyzer analyzer) {
    this.analyzer = analyzer;
    tiles = new Tiles(intrinsic, analyzer);
  }

  /**
   * The region of the nest that each parameter stands for, in terms of what is outside of the nest.
   *
   * @param analyzer what is known outside of the nest
   * @throws Mismatch when the nest is not what the description says
   */
  public static Map<Buffer, BufferRegion> regions(
      TensorIntrinsic intrinsic, Stmt nest, Analyzer analyzer) throws Mismatch {
    NestMatch match = new NestMatch(intrinsic, analyzer);
    try (Analyzer.Scope scope = analyzer.scope()) {
      match.same(withoutRoot(intrinsic.description().body()), nest);
    }
    return match.tiles.regions(match.values);
  }

  private static Stmt withoutRoot(Stmt body) {
    return body instanceof BlockRealize realize && realize.block().iterVars().isEmpty()
        ? realize.block().body()
        : body;
  }

  private void same(Stmt expected, Stmt got) throws Mismatch {
    switch (expected) {
      case For loop when got instanceof For other -> sameLoop(loop, other);
      case BlockRealize realize when got instanceof BlockRealize other -> sameBlock(realize, other);
      case Stmt plain when got instanceof BlockRealize other -> withoutBlock(plain, other);
      case BufferStore store when got instanceof BufferStore other -> {
        sameAccess(store.buffer(), store.indices(), other.buffer(), other.indices());
        if (!same(store.value(), other.value())) {
          throw new Mismatch(
              "what it stores into "
                  + other.buffer()
                  + " is not what the description stores into "
                  + store.buffer());
        }
      }
      case Seq seq
          when got instanceof Seq other && seq.statements().size() == other.statements().size() -> {
        for (int i = 0; i < seq.statements().size(); i++) {
          same(seq.statements().get(i), other.statements().get(i));
        }
      }
      default ->
          throw new Mismatch(
              "it has " + text(got) + " where the description has " + text(expected));
    }
  }

  private static String text(Stmt stmt) {
    return switch (stmt) {
      case For loop -> "the loop over " + loop.loopVar();
      case BlockRealize realize -> "the block " + realize.block().name();
      case BufferStore store -> "a store into " + store.buffer();
      case Seq seq -> seq.statements().size() + " statements";
      default -> "another statement";
    };
  }

  private void sameLoop(For expected, For got) throws Mismatch {
    if (expected.kind() != got.kind()) {
      throw new Mismatch(
          "the loop over "
              + got.loopVar()
              + " is "
              + got.kind().text()
              + ", but that over "
              + expected.loopVar()
              + " of the description "
              + expected.kind().text());
    }
    if (expected.extent() instanceof Var extent
        && !values.containsKey(extent)
        && !isInside(got.extent())) {
      values.put(extent, got.extent());
    }
    if (!sameIndex(expected.min(), got.min()) || !sameIndex(expected.extent(), got.extent())) {
      throw new Mismatch(
          "the loop over "
              + got.loopVar()
              + " has not the bounds of the loop over "
              + expected.loopVar()
              + " of the description");
    }
    values.put(expected.loopVar(), got.loopVar());
    inside.add(got.loopVar());
    analyzer.bind(got.loopVar(), new Range(got.min(), got.extent()));
    same(expected.body(), got.body());
  }

  private void sameBlock(BlockRealize expected, BlockRealize got) throws Mismatch {
    enter(expected);
    runAlways(got);
    Optional<Stmt> init = expected.block().init();
    Optional<Stmt> other = got.block().init();
    if (init.isPresent() != other.isPresent() || !startsTogether(expected, got)) {
      throw startsElsewhere(got);
    }
    if (init.isPresent()) {
      same(init.get(), other.orElseThrow());
    }
    same(expected.block().body(), got.block().body());
  }

  private static Mismatch startsElsewhere(BlockRealize got) {
    return new Mismatch(
        "the block "
            + got.block().name()
            + " does not start its reduction where the description does\n  what to do: start it"
            + " in a block of its own (decomposeReduction)");
  }

  /** Goes into a block of the nest where the description has none. */
  private void withoutBlock(Stmt expected, BlockRealize got) throws Mismatch {
    runAlways(got);
    if (got.block().init().isPresent()) {
      throw startsElsewhere(got);
    }
    same(expected, got.block().body());
  }

  private void runAlways(BlockRealize got) throws Mismatch {
    enter(got);
    String name = "the block " + got.block().name();
    if (!analyzer.canProve(Substitution.in(got.predicate(), points))) {
      throw new Mismatch(name + " may not run at all points");
    }
    if (!got.block().allocBuffers().isEmpty()) {
      throw new Mismatch(name + " has memory of its own");
    }
  }

  private void enter(BlockRealize realize) {
    List<IterVar> axes = realize.block().iterVars();
    for (int i = 0; i < axes.size(); i++) {
      points.put(axes.get(i).var(), Substitution.in(realize.iterValues().get(i), points));
    }
  }

  /** Whether the axes of reductions, if something starts them, are at the same places. */
  private boolean startsTogether(BlockRealize expected, BlockRealize got) {
    if (expected.block().init().isEmpty()) {
      return true;
    }
    List<PrimExpr> ours = stepsOfReduction(expected);
    List<PrimExpr> theirs = stepsOfReduction(got);
    boolean same = ours.size() == theirs.size();
    for (int i = 0; same && i < ours.size(); i++) {
      same = sameIndex(ours.get(i), theirs.get(i));
    }
    return same;
  }

  private static List<PrimExpr> stepsOfReduction(BlockRealize realize) {
    return realize.block().iterVars().stream()
        .filter(axis -> axis.kind() == IterKind.REDUCE)
        .<PrimExpr>map(axis -> Exprs.sub(axis.var(), axis.domain().min()))
        .toList();
  }

  private PrimExpr ours(PrimExpr expr) {
    return Substitution.in(Substitution.in(expr, points), values);
  }

  private boolean sameIndex(PrimExpr expected, PrimExpr got) {
    return analyzer.canProveEqual(ours(expected), Substitution.in(got, points));
  }

  private boolean same(PrimExpr expected, PrimExpr got) throws Mismatch {
    if (expected instanceof BufferLoad load) {
      if (!(got instanceof BufferLoad other)) {
        return false;
      }
      sameAccess(load.buffer(), load.indices(), other.buffer(), other.indices());
      return true;
    }
    if (!expected.dtype().equals(got.dtype())) {
      return false;
    }
    List<PrimExpr> operands = expected.operands();
    boolean sameKind =
        expected.getClass() == got.getClass()
            && operands.size() == got.operands().size()
            && !operands.isEmpty()
            && switch (expected) {
              case Binary binary -> binary.op() == ((Binary) got).op();
              case Call call -> call.op() == ((Call) got).op();
              default -> true;
            };
    if (!sameKind) {
      return operands.isEmpty()
          && (expected.equals(got) || (!expected.dtype().isFloat() && sameIndex(expected, got)));
    }
    for (int i = 0; i < operands.size(); i++) {
      if (!same(operands.get(i), got.operands().get(i))) {
        return false;
      }
    }
    return true;
  }

  private void sameAccess(
      Buffer parameter, List<PrimExpr> expected, Buffer buffer, List<PrimExpr> got)
      throws Mismatch {
    int front = tiles.bind(parameter, buffer);
    for (int i = 0; i < got.size(); i++) {
      PrimExpr there = Substitution.in(got.get(i), points);
      PrimExpr first =
          analyzer.simplify(i < front ? there : Exprs.sub(there, ours(expected.get(i - front))));
      if (isInside(first)) {
        throw new Mismatch(
            "the index of axis "
                + i
                + " of "
                + buffer
                + " does not follow the loops as that of "
                + parameter
                + " in the description does");
      }
      tiles.start(parameter, i, first);
    }
  }

  private boolean isInside(PrimExpr expr) {
    return expr instanceof BufferLoad
        || (expr instanceof Var var && inside.contains(var))
        || expr.operands().stream().anyMatch(this::isInside);
  }

  /** Says where a nest is not what a description says. */
  public static final class Mismatch extends Exception {
    private static final long serialVersionUID = 1L;

    Mismatch(String message) {
      super(message);
    }

    /** What differs. */
    public String text() {
      return Objects.requireNonNull(getMessage());
    }
  }
}
