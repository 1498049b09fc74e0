package org.relaxvm.tir.schedule.loops;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Parts;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A loop cut up without conditions inside.
 *
 * @param stmt what replaces it
 * @param counters of the new loops in the order of the text
 */
public record LoopParts(Stmt stmt, List<Var> counters) {
  /** A loop over blocks of iterations, of which the last may be shorter. */
  public static LoopParts blocks(For loop, long factor) {
    requireSerial(loop, "to cut the loop over " + loop.loopVar() + " into blocks", factor);
    Var old = loop.loopVar();
    Var outer = new Var(old.name() + "_0", old.dtype());
    Var inner = new Var(old.name() + "_1", old.dtype());
    PrimExpr innerExtent = new IntImm(old.dtype(), factor);
    PrimExpr start = Exprs.mul(outer, innerExtent);
    PrimExpr extent =
        divides(loop.extent(), factor)
            ? innerExtent
            : Exprs.min(innerExtent, Exprs.sub(loop.extent(), start));
    Stmt body = at(loop, Exprs.add(start, inner));
    For outside =
        Statements.serial(
            outer,
            Exprs.ceilDiv(loop.extent(), innerExtent),
            For.serial(inner, extent, body),
            loop.annotations());
    return new LoopParts(outside, List.of(outer, inner));
  }

  /** A loop over whole groups of iterations, then one over the iterations that are left. */
  public static LoopParts wholeAndRemainder(For loop, long factor, String suffix) {
    String what = "to cut the loop over " + loop.loopVar() + " into groups";
    requireSerial(loop, what, factor);
    requireStarted(loop, what);
    Var old = loop.loopVar();
    Var outer = new Var(old.name() + "_0", old.dtype());
    Var inner = new Var(old.name() + "_1", old.dtype());
    PrimExpr innerExtent = new IntImm(old.dtype(), factor);
    PrimExpr outerExtent = Exprs.floorDiv(loop.extent(), innerExtent);
    Stmt body = at(loop, Exprs.add(Exprs.mul(outer, innerExtent), inner));
    if (divides(loop.extent(), factor)) {
      For all =
          Statements.serial(
              outer, outerExtent, For.serial(inner, innerExtent, body), loop.annotations());
      return new LoopParts(all, List.of(outer, inner));
    }
    For whole =
        Statements.serial(
            outer,
            outerExtent,
            For.serial(inner, innerExtent, Parts.marked(body)),
            loop.annotations());
    Var left = new Var(old.name() + "_rest", old.dtype());
    // Counts on from where the groups end, so that it is plain that it ends where they should.
    PrimExpr start = Exprs.mul(outerExtent, innerExtent);
    For remainder =
        new For(
            left,
            start,
            Exprs.sub(loop.extent(), start),
            ForKind.SERIAL,
            Optional.empty(),
            new Copy(suffix).rewrite(Parts.marked(at(loop, left))),
            loop.annotations());
    return new LoopParts(new Seq(List.of(whole, remainder)), List.of(outer, inner, left));
  }

  /** A reduction in two loops needs a start in front of both. */
  private static void requireStarted(For loop, String what) {
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BlockRealize realize && realize.block().init().isPresent()) {
          Block block = realize.block();
          for (int i = 0; i < block.iterVars().size(); i++) {
            if (block.iterVars().get(i).kind() != IterKind.SPATIAL
                && Statements.uses(realize.iterValues().get(i), loop.loopVar())) {
              throw Refusal.of(
                  what,
                  "it moves along the reduction of the block "
                      + block.name()
                      + ", which must be started in front of it first");
            }
          }
        }
        super.visit(stmt);
      }
    }.visit(loop.body());
  }

  private static Stmt at(For loop, PrimExpr iteration) {
    return new Substitution(Map.of(loop.loopVar(), Exprs.add(loop.min(), iteration)))
        .rewrite(loop.body());
  }

  private static boolean divides(PrimExpr extent, long factor) {
    return factor == 1 || (extent instanceof IntImm known && known.value() % factor == 0);
  }

  private static void requireSerial(For loop, String what, long factor) {
    if (factor < 1) {
      throw Refusal.of(what + " of " + factor, "there must be 1 iteration or more in each");
    }
    if (loop.kind() != ForKind.SERIAL) {
      throw Refusal.of(what, "it is " + loop.kind().text() + " already: cut it first");
    }
  }

  /** The same statements with counters, axes and names of blocks of their own. */
  private static final class Copy extends IrMutator {
    private final String suffix;
    private final Map<Var, Var> vars = new HashMap<>();

    private final Set<Buffer> own = new HashSet<>();

    Copy(String suffix) {
      this.suffix = suffix;
    }

    @Override
    protected Buffer rewriteBuffer(Buffer buffer) {
      return own.contains(buffer)
          ? new Buffer(
              buffer.name(),
              buffer.dtype(),
              rewriteAll(buffer.shape(), this::rewrite),
              rewriteAll(buffer.strides(), this::rewrite),
              rewrite(buffer.elemOffset()),
              buffer.scope())
          : super.rewriteBuffer(buffer);
    }

    @Override
    public Var rewriteDefinition(Var var) {
      return vars.computeIfAbsent(var, old -> new Var(old.name(), old.dtype()));
    }

    @Override
    public PrimExpr rewrite(PrimExpr expr) {
      if (expr instanceof Var var) {
        Var copy = vars.get(var);
        return copy != null ? copy : var;
      }
      return super.rewrite(expr);
    }

    @Override
    public Block rewrite(Block block) {
      own.addAll(block.allocBuffers());
      Block copy = super.rewrite(block);
      return new Block(
          copy.name() + suffix,
          copy.iterVars(),
          copy.reads(),
          copy.writes(),
          copy.allocBuffers(),
          copy.init(),
          copy.body(),
          copy.annotations());
    }
  }
}
