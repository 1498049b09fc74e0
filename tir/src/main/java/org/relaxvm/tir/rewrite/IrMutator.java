package org.relaxvm.tir.rewrite;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Makes a changed copy of a kernel. Subclasses override the methods for what they change, and call
 * those of this class to go on inside. What does not change stays the same object; expressions that
 * change are folded like new ones.
 *
 * <p>A buffer whose extents change becomes another buffer, everywhere alike. For one kernel; not
 * thread-safe.
 */
@SuppressWarnings({"ReferenceEquality", "OptionalEquality"}) // whether it is the same object counts
public abstract class IrMutator {
  private final Map<Buffer, Buffer> buffers = new IdentityHashMap<>();

  /** Parameters, then the body. */
  public PrimFunc rewrite(PrimFunc function) {
    List<Param> params = rewriteAll(function.params(), this::rewrite);
    Stmt body = rewrite(function.body());
    return params == function.params() && body == function.body()
        ? function
        : new PrimFunc(function.name(), params, function.returnType(), body, function.attrs());
  }

  /** A parameter. */
  public Param rewrite(Param param) {
    return switch (param) {
      case Param.OfBuffer(Buffer buffer) -> {
        Buffer changed = rewrite(buffer);
        yield changed == buffer ? param : new Param.OfBuffer(changed);
      }
      case Param.OfScalar(Var var) -> {
        Var changed = rewriteDefinition(var);
        yield changed == var ? param : new Param.OfScalar(changed);
      }
      case Param.OfHandle handle -> handle;
    };
  }

  /** An expression and all inside. */
  public PrimExpr rewrite(PrimExpr expr) {
    List<PrimExpr> before = expr.operands();
    List<PrimExpr> operands = rewriteAll(before, this::rewrite);
    if (expr instanceof BufferLoad load) {
      Buffer buffer = rewrite(load.buffer());
      return buffer == load.buffer() && operands == before
          ? expr
          : new BufferLoad(buffer, operands);
    }
    return operands == before ? expr : Exprs.rebuild(expr, operands);
  }

  /** A variable where it begins to be: the counter of a loop, an axis, a parameter. */
  public Var rewriteDefinition(Var var) {
    return var;
  }

  /** A buffer, wherever it is; asked once for each. */
  public final Buffer rewrite(Buffer buffer) {
    Buffer known = buffers.get(buffer);
    if (known == null) {
      known = rewriteBuffer(buffer);
      buffers.put(buffer, known);
    }
    return known;
  }

  /** What {@link #rewrite(Buffer)} gives when a buffer is met for the first time. */
  protected Buffer rewriteBuffer(Buffer buffer) {
    List<PrimExpr> shape = rewriteAll(buffer.shape(), this::rewrite);
    List<PrimExpr> strides = rewriteAll(buffer.strides(), this::rewrite);
    PrimExpr offset = rewrite(buffer.elemOffset());
    return shape == buffer.shape() && strides == buffer.strides() && offset == buffer.elemOffset()
        ? buffer
        : new Buffer(buffer.name(), buffer.dtype(), shape, strides, offset, buffer.scope());
  }

  /** A statement and all inside. */
  public Stmt rewrite(Stmt stmt) {
    return switch (stmt) {
      case For loop -> rewriteFor(loop);
      case BlockRealize realize -> rewriteRealize(realize);
      case BufferStore store -> {
        List<PrimExpr> indices = rewriteAll(store.indices(), this::rewrite);
        PrimExpr value = rewrite(store.value());
        Buffer buffer = rewrite(store.buffer());
        yield indices == store.indices() && value == store.value() && buffer == store.buffer()
            ? store
            : new BufferStore(buffer, value, indices);
      }
      case Seq seq -> {
        List<Stmt> statements = rewriteAll(seq.statements(), this::rewrite);
        yield statements == seq.statements() ? seq : new Seq(statements);
      }
      case IfThenElse choice -> {
        PrimExpr condition = rewrite(choice.condition());
        Stmt whenTrue = rewrite(choice.whenTrue());
        Optional<Stmt> whenFalse = rewriteIfPresent(choice.whenFalse());
        yield condition == choice.condition()
                && whenTrue == choice.whenTrue()
                && whenFalse == choice.whenFalse()
            ? choice
            : new IfThenElse(condition, whenTrue, whenFalse);
      }
      case Let let -> {
        PrimExpr value = rewrite(let.value());
        Var var = rewriteDefinition(let.var());
        Stmt body = rewrite(let.body());
        yield value == let.value() && var == let.var() && body == let.body()
            ? let
            : new Let(var, value, body);
      }
      case CallPacked call -> {
        List<PackedArg> args = rewriteAll(call.args(), this::rewrite);
        yield args == call.args() ? call : call.withArgs(args);
      }
      case Return result -> {
        PrimExpr value = rewrite(result.value());
        yield value == result.value() ? result : new Return(value);
      }
      case LetCall let -> {
        CallPacked call = let.call().withArgs(rewriteAll(let.call().args(), this::rewrite));
        yield new LetCall(rewriteDefinition(let.var()), call, rewrite(let.body()));
      }
      case LoopJump jump -> jump;
    };
  }

  private Stmt rewriteFor(For loop) {
    PrimExpr min = rewrite(loop.min());
    PrimExpr extent = rewrite(loop.extent());
    Var loopVar = rewriteDefinition(loop.loopVar());
    Stmt body = rewrite(loop.body());
    return min == loop.min()
            && extent == loop.extent()
            && loopVar == loop.loopVar()
            && body == loop.body()
        ? loop
        : new For(loopVar, min, extent, loop.kind(), loop.thread(), body, loop.annotations());
  }

  private Stmt rewriteRealize(BlockRealize realize) {
    List<PrimExpr> values = rewriteAll(realize.iterValues(), this::rewrite);
    PrimExpr predicate = rewrite(realize.predicate());
    Block block = rewrite(realize.block());
    return values == realize.iterValues()
            && predicate == realize.predicate()
            && block == realize.block()
        ? realize
        : new BlockRealize(values, predicate, block);
  }

  /** A block and all inside. */
  public Block rewrite(Block block) {
    List<IterVar> axes = rewriteAll(block.iterVars(), this::rewrite);
    List<Buffer> allocated = rewriteAll(block.allocBuffers(), this::rewrite);
    List<BufferRegion> reads = rewriteAll(block.reads(), this::rewrite);
    List<BufferRegion> writes = rewriteAll(block.writes(), this::rewrite);
    Optional<Stmt> init = rewriteIfPresent(block.init());
    Stmt body = rewrite(block.body());
    return axes == block.iterVars()
            && allocated == block.allocBuffers()
            && reads == block.reads()
            && writes == block.writes()
            && init == block.init()
            && body == block.body()
        ? block
        : new Block(block.name(), axes, reads, writes, allocated, init, body, block.annotations());
  }

  /** An axis of a block. */
  public IterVar rewrite(IterVar axis) {
    Range domain = rewrite(axis.domain());
    Var var = rewriteDefinition(axis.var());
    return domain == axis.domain() && var == axis.var()
        ? axis
        : new IterVar(var, domain, axis.kind());
  }

  /** What a block says that it reads or writes. */
  public BufferRegion rewrite(BufferRegion region) {
    Buffer buffer = rewrite(region.buffer());
    List<Range> ranges = rewriteAll(region.ranges(), this::rewrite);
    return buffer == region.buffer() && ranges == region.ranges()
        ? region
        : new BufferRegion(buffer, ranges);
  }

  /** Bounds. */
  public Range rewrite(Range range) {
    PrimExpr min = rewrite(range.min());
    PrimExpr extent = rewrite(range.extent());
    return min == range.min() && extent == range.extent() ? range : new Range(min, extent);
  }

  /** An argument of a packed call. */
  public PackedArg rewrite(PackedArg arg) {
    return switch (arg) {
      case PackedArg.OfBuffer(Buffer buffer) -> {
        Buffer changed = rewrite(buffer);
        yield changed == buffer ? arg : new PackedArg.OfBuffer(changed);
      }
      case PackedArg.OfScalar(PrimExpr value) -> {
        PrimExpr changed = rewrite(value);
        yield changed == value ? arg : new PackedArg.OfScalar(changed);
      }
      case PackedArg.OfText text -> text;
      case PackedArg.OfHandle handle -> handle;
      case PackedArg.OfItem item -> item;
      case PackedArg.OfNull none -> none;
    };
  }

  private Optional<Stmt> rewriteIfPresent(Optional<Stmt> stmt) {
    if (stmt.isEmpty()) {
      return stmt;
    }
    Stmt changed = rewrite(stmt.get());
    return changed == stmt.get() ? stmt : Optional.of(changed);
  }

  /** The list itself when nothing in it changes. */
  protected static <T> List<T> rewriteAll(List<T> items, UnaryOperator<T> rewrite) {
    List<T> changed = new ArrayList<>(items.size());
    boolean same = true;
    for (T item : items) {
      T now = rewrite.apply(item);
      same &= now == item;
      changed.add(now);
    }
    return same ? items : List.copyOf(changed);
  }
}
