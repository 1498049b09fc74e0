package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A block with the loops around it.
 *
 * @param loops from the outside in, up to the next block
 * @param accesses what the body works on, in terms of the counters
 * @param valueUses counters that count for more than for indices, as in conditions
 */
public record Nest(
    BlockRealize realize, List<For> loops, List<Access> accesses, Set<Var> valueUses) {
  /** Copies the lists. */
  public Nest {
    loops = List.copyOf(loops);
    accesses = List.copyOf(accesses);
    valueUses = Set.copyOf(valueUses);
  }

  /** The block of a name, which the kernel must have. */
  public static Nest of(PrimFunc function, String name) {
    Finder finder = new Finder(block -> block.name().equals(name));
    finder.visit(function.body());
    return finder.found.getFirst();
  }

  /** The outermost blocks of a kernel other than the root, in order. */
  static List<Nest> outermost(PrimFunc function) {
    Finder finder = new Finder(block -> !block.name().equals(Block.ROOT));
    finder.visit(function.body());
    return finder.found;
  }

  /** The block that a statement is, in loops that contain nothing else; empty if it is none. */
  static Optional<Nest> of(Stmt statement) {
    List<For> loops = new ArrayList<>();
    Stmt stmt = statement;
    while (stmt instanceof For loop) {
      loops.add(loop);
      stmt = loop.body();
    }
    return stmt instanceof BlockRealize realize
        ? Optional.of(Body.read(realize, loops))
        : Optional.empty();
  }

  /** The values of the block's axes in terms of the loop variables. */
  public Map<Var, PrimExpr> point() {
    return point(realize);
  }

  /** The values of a block's axes in terms of the variables around it. */
  public static Map<Var, PrimExpr> point(BlockRealize realize) {
    Map<Var, PrimExpr> values = new IdentityHashMap<>();
    for (int i = 0; i < realize.iterValues().size(); i++) {
      values.put(realize.block().iterVars().get(i).var(), realize.iterValues().get(i));
    }
    return values;
  }

  public String name() {
    return realize.block().name();
  }

  public Block block() {
    return realize.block();
  }

  public boolean isReduction() {
    return block().iterVars().stream().anyMatch(axis -> axis.kind() == IterKind.REDUCE);
  }

  public boolean isOpaque() {
    return block().iterVars().isEmpty()
        || block().iterVars().stream().anyMatch(axis -> axis.kind() == IterKind.OPAQUE);
  }

  /** The loops that move along spatial axes only. */
  public List<For> spatial() {
    return loops.stream().filter(loop -> !moves(loop, IterKind.REDUCE)).toList();
  }

  /** The loops that move along the reduction. */
  public List<For> reduction() {
    return loops.stream().filter(loop -> moves(loop, IterKind.REDUCE)).toList();
  }

  public List<Access> stores() {
    return accesses.stream().filter(Access::writes).toList();
  }

  /** What is read, without what a reduction reads of its own result. */
  public List<Access> loads() {
    return accesses.stream()
        .filter(
            access ->
                !access.writes()
                    && stores().stream().noneMatch(s -> s.buffer().equals(access.buffer())))
        .toList();
  }

  /** The spatial loop whose iterations are adjacent in all that is written, if there is one. */
  public List<For> contiguousInStores() {
    List<Access> stores = stores();
    return spatial().stream()
        .filter(loop -> !stores.isEmpty() && stores.stream().allMatch(s -> s.isContiguous(loop)))
        .toList();
  }

  /** The loop of a counter. */
  public For loop(Var counter) {
    return loops.stream().filter(loop -> loop.loopVar().equals(counter)).findFirst().orElseThrow();
  }

  private boolean moves(For loop, IterKind kind) {
    for (int i = 0; i < block().iterVars().size(); i++) {
      if (block().iterVars().get(i).kind() == kind
          && uses(realize.iterValues().get(i), loop.loopVar())) {
        return true;
      }
    }
    return false;
  }

  public static boolean uses(PrimExpr expr, Var var) {
    return expr.equals(var) || expr.operands().stream().anyMatch(operand -> uses(operand, var));
  }

  /** Whether an expression uses the loop variable of one of some loops. */
  public static boolean usesAny(PrimExpr expr, List<For> loops) {
    return loops.stream().anyMatch(loop -> uses(expr, loop.loopVar()));
  }

  /** The number of iterations where it is known, or the most of a block of a split loop. */
  public static long extentOr(PrimExpr extent, long unknown) {
    return switch (extent) {
      case IntImm known -> known.value();
      case Binary block when block.op() == BinaryOp.MIN && block.a() instanceof IntImm most ->
          most.value();
      default -> unknown;
    };
  }

  private static final class Finder extends IrVisitor {
    final List<Nest> found = new ArrayList<>();
    private final Predicate<Block> wanted;
    private final List<For> loops = new ArrayList<>();

    Finder(Predicate<Block> wanted) {
      this.wanted = wanted;
    }

    @Override
    public void visit(Stmt stmt) {
      switch (stmt) {
        case For loop -> {
          loops.add(loop);
          visit(loop.body());
          loops.removeLast();
        }
        case BlockRealize realize when wanted.test(realize.block()) ->
            found.add(Body.read(realize, loops));
        case BlockRealize realize -> {
          List<For> outer = List.copyOf(loops);
          loops.clear();
          visit(realize.block().body());
          loops.addAll(outer);
        }
        default -> super.visit(stmt);
      }
    }
  }

  /** Collects what a block does. */
  private static final class Body extends IrVisitor {
    private final Map<Var, PrimExpr> values = new HashMap<>();
    private final List<Access> accesses = new ArrayList<>();
    private final Set<Var> valueUses = new HashSet<>();
    private boolean inIndices;

    static Nest read(BlockRealize realize, List<For> loops) {
      Body body = new Body();
      Block block = realize.block();
      for (int i = 0; i < block.iterVars().size(); i++) {
        body.values.put(block.iterVars().get(i).var(), realize.iterValues().get(i));
      }
      body.visit(block.body());
      Set<Var> counters = new HashSet<>();
      for (For loop : loops) {
        if (body.valueUses.stream().anyMatch(v -> body.stands(v, loop.loopVar()))) {
          counters.add(loop.loopVar());
        }
      }
      return new Nest(realize, loops, body.accesses, counters);
    }

    private boolean stands(Var var, Var counter) {
      PrimExpr value = values.get(var);
      return value == null ? var.equals(counter) : uses(value, counter);
    }

    @Override
    public void visit(Stmt stmt) {
      if (stmt instanceof BufferStore store) {
        addAccess(store.buffer().load(store.indices()), true);
        visit(store.value());
      } else {
        super.visit(stmt);
      }
    }

    @Override
    public void visit(PrimExpr expr) {
      if (expr instanceof BufferLoad load) {
        addAccess(load, false);
      } else {
        if (expr instanceof Var var && !inIndices) {
          valueUses.add(var);
        }
        super.visit(expr);
      }
    }

    private void addAccess(PrimExpr element, boolean writes) {
      if (element instanceof BufferLoad load) {
        List<PrimExpr> indices =
            load.indices().stream().map(index -> Substitution.in(index, values)).toList();
        accesses.add(new Access(load.buffer(), indices, writes));
        boolean before = inIndices;
        inIndices = true;
        load.indices().forEach(this::visit);
        inIndices = before;
      }
    }
  }
}
