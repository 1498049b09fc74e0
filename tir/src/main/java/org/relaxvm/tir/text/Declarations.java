package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Finds what a kernel has to declare in front of its body: symbolic extents, and all variables and
 * buffers that are not defined in just one position and used only inside it. Also refuses what is
 * nested too deeply to be read again.
 *
 * <p>Walks in the order of the text, and sees what the parser sees.
 */
final class Declarations {
  private final PrimFunc function;
  private final Set<Object> scalars = identitySet();
  private final Set<Object> defined = identitySet();
  private final Set<Object> visible = identitySet();
  private final Set<Object> shared = identitySet();
  private final Map<Buffer, Integer> depths = new IdentityHashMap<>();
  private final List<Object> open = new ArrayList<>();
  private final List<Var> vars = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();

  Declarations(PrimFunc function) {
    this.function = function;
    Set<Object> params = identitySet();
    for (Param param : function.params()) {
      Object thing =
          switch (param) {
            case Param.OfScalar(Var scalar) -> scalar;
            case Param.OfBuffer(Buffer buffer) -> buffer;
            case Param.OfHandle(Handle handle) -> handle;
          };
      if (!params.add(thing)) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the kernel " + function.name() + " has the parameter " + param.name() + " twice");
      }
      if (param instanceof Param.OfScalar(Var scalar)) {
        scalars.add(scalar);
        define(scalar);
      } else if (param instanceof Param.OfHandle(Handle handle)) {
        define(handle);
      }
    }
    function.buffers().forEach(this::defineBuffer);
    visitBody(function.body(), 1);
  }

  /** The variables, in the order in which they are needed. */
  List<Var> vars() {
    return vars;
  }

  /** The buffers; each one after those that it needs. */
  List<Buffer> buffers() {
    return buffers;
  }

  private static Set<Object> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private void define(Object thing) {
    if (!defined.add(thing)) {
      share(thing);
    }
    visible.add(thing);
    open.add(thing);
  }

  private void defineBuffer(Buffer buffer) {
    visitType(buffer);
    define(buffer);
  }

  private void use(Object thing) {
    if (!visible.contains(thing)) {
      share(thing);
    }
  }

  private void share(Object thing) {
    if (!shared.add(thing)) {
      return;
    }
    if (thing instanceof Buffer buffer) {
      visitType(buffer);
      types(buffer).forEach(this::shareAllIn);
      buffers.add(buffer);
    } else if (thing instanceof Var var) {
      vars.add(var);
    } else if (thing instanceof Handle handle) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the function "
              + function.name()
              + " uses the handle "
              + handle
              + ", which is none of its parameters");
    }
  }

  private void shareAllIn(PrimExpr expr) {
    if (expr instanceof Var && !scalars.contains(expr)) {
      share(expr);
    }
    if (expr instanceof BufferLoad load) {
      share(load.buffer());
    }
    expr.operands().forEach(this::shareAllIn);
  }

  private static List<PrimExpr> types(Buffer buffer) {
    List<PrimExpr> all = new ArrayList<>(buffer.shape());
    all.addAll(buffer.strides());
    all.add(buffer.elemOffset());
    return all;
  }

  private void visitType(Buffer buffer) {
    int depth = 0;
    for (PrimExpr expr : types(buffer)) {
      depth = Math.max(depth, visit(expr));
    }
    depths.put(buffer, depth);
  }

  private int visit(PrimExpr expr) {
    return visit(expr, 1);
  }

  /** Gives the depth of the expression; a load is deeper than the extents of its buffer. */
  private int visit(PrimExpr expr, int level) {
    int depth = 0;
    requireShallow(level);
    if (expr instanceof Var) {
      use(expr);
    } else if (expr instanceof BufferLoad load) {
      use(load.buffer());
      depth = depths.getOrDefault(load.buffer(), 0);
    }
    for (PrimExpr operand : expr.operands()) {
      depth = Math.max(depth, visit(operand, level + 1));
    }
    requireShallow(depth + 1);
    return depth + 1;
  }

  private void requireShallow(int depth) {
    if (depth > Limits.EXPRESSION_DEPTH) {
      throw tooDeep("expressions", Limits.EXPRESSION_DEPTH);
    }
  }

  private InvalidProgramException tooDeep(String what, int limit) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the kernel "
            + function.name()
            + " nests "
            + what
            + " more than "
            + limit
            + " deep, which its text cannot");
  }

  /** Two or more statements stand in a body as they are; levels are those of the text. */
  private void visitBody(Stmt stmt, int level) {
    if (stmt instanceof Seq(List<Stmt> statements) && statements.size() > 1) {
      statements.forEach(inner -> visitItem(inner, level));
    } else {
      visitItem(stmt, level);
    }
  }

  private void visitItem(Stmt stmt, int level) {
    if (level > Limits.STATEMENT_DEPTH) {
      throw tooDeep("statements", Limits.STATEMENT_DEPTH);
    }
    int before = open.size();
    switch (stmt) {
      case For loop -> {
        visit(new Range(loop.min(), loop.extent()));
        define(loop.loopVar());
        visitBody(loop.body(), level + 1);
      }
      case BlockRealize realize -> visit(realize, level + 1);
      case BufferStore store -> {
        use(store.buffer());
        store.indices().forEach(this::visit);
        visit(store.value());
      }
      case Seq seq -> seq.statements().forEach(inner -> visitItem(inner, level + 1));
      case IfThenElse choice -> {
        visit(choice.condition());
        visitBody(choice.whenTrue(), level + 1);
        choice.whenFalse().ifPresent(inner -> visitBody(inner, level + 1));
      }
      case Let let -> {
        visit(let.value());
        define(let.var());
        visitBody(let.body(), level + 1);
      }
      case CallPacked call -> visit(call);
      case Return result -> visit(result.value());
      case LetCall let -> {
        visit(let.call());
        define(let.var());
        visitBody(let.body(), level + 1);
      }
      case LoopJump jump -> {}
    }
    List<Object> closed = open.subList(before, open.size());
    closed.forEach(visible::remove);
    closed.clear();
  }

  private void visit(BlockRealize realize, int level) {
    Block block = realize.block();
    for (int i = 0; i < block.iterVars().size(); i++) {
      visit(block.iterVars().get(i).domain());
      visit(realize.iterValues().get(i));
      define(block.iterVars().get(i).var());
    }
    visit(realize.predicate());
    block.allocBuffers().forEach(this::defineBuffer);
    block.reads().forEach(this::visit);
    block.writes().forEach(this::visit);
    block.init().ifPresent(init -> visitBody(init, level));
    visitBody(block.body(), level);
  }

  private void visit(Range range) {
    visit(range.min());
    visit(Ranges.stop(range));
  }

  private void visit(BufferRegion region) {
    use(region.buffer());
    for (Range range : region.ranges()) {
      if (Ranges.isSingle(range)) {
        visit(range.min());
      } else {
        visit(range);
      }
    }
  }

  private void visit(CallPacked call) {
    call.result().ifPresent(cell -> use(cell.list()));
    call.args().forEach(this::visit);
  }

  private void visit(PackedArg arg) {
    switch (arg) {
      case PackedArg.OfBuffer(Buffer buffer) -> use(buffer);
      case PackedArg.OfScalar(PrimExpr value) -> visit(value);
      case PackedArg.OfText text -> {}
      case PackedArg.OfHandle(Handle handle) -> use(handle);
      case PackedArg.OfItem(AnyListItem cell) -> use(cell.list());
      case PackedArg.OfNull none -> {}
    }
  }
}
