package org.relaxvm.tir.rewrite;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
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
 * Compares kernels up to the names and the identity of variables and buffers. The names of kernels
 * do not count, all else does: annotations, the names of blocks, the dtype of each constant.
 */
public final class StructuralEquality {
  // Both ways, so that two variables never stand for one.
  private final Map<Object, Object> forth = new IdentityHashMap<>();
  private final Map<Object, Object> back = new IdentityHashMap<>();

  private StructuralEquality() {}

  /** Whether two kernels are the same. */
  public static boolean areEqual(PrimFunc a, PrimFunc b) {
    return new StructuralEquality().same(a, b);
  }

  private boolean same(PrimFunc a, PrimFunc b) {
    return a.returnType().equals(b.returnType())
        && a.attrs().equals(b.attrs())
        && all(a.params(), b.params(), this::same)
        && same(a.body(), b.body());
  }

  private boolean same(Param a, Param b) {
    return switch (a) {
      case Param.OfBuffer(Buffer x) -> b instanceof Param.OfBuffer(Buffer y) && same(x, y);
      case Param.OfScalar(Var x) -> b instanceof Param.OfScalar(Var y) && same(x, y);
      case Param.OfHandle(Handle x) -> b instanceof Param.OfHandle(Handle y) && bind(x, y);
    };
  }

  // A variable or buffer is bound where it is met first: parameters and definitions come first.
  @SuppressWarnings("ReferenceEquality") // of variables and buffers that is equality
  private boolean bind(Object a, Object b) {
    Object known = forth.putIfAbsent(a, b);
    Object inverse = back.putIfAbsent(b, a);
    return (known == null || known == b) && (inverse == null || inverse == a);
  }

  private boolean same(Var a, Var b) {
    return a.dtype().equals(b.dtype()) && bind(a, b);
  }

  private boolean same(Buffer a, Buffer b) {
    if (forth.containsKey(a) || back.containsKey(b)) {
      return bind(a, b);
    }
    return a.dtype().equals(b.dtype())
        && a.scope() == b.scope()
        && all(a.shape(), b.shape(), this::same)
        && all(a.strides(), b.strides(), this::same)
        && same(a.elemOffset(), b.elemOffset())
        && bind(a, b);
  }

  private boolean same(PrimExpr a, PrimExpr b) {
    return switch (a) {
      case IntImm imm -> imm.equals(b);
      case FloatImm imm -> imm.equals(b);
      case Var var -> b instanceof Var other && same(var, other);
      case Binary x -> b instanceof Binary y && x.op() == y.op() && sameOperands(a, b);
      case Not x -> b instanceof Not && sameOperands(a, b);
      case Select x -> b instanceof Select && sameOperands(a, b);
      case Cast x -> b instanceof Cast && x.dtype().equals(b.dtype()) && sameOperands(a, b);
      case Call x -> b instanceof Call y && x.op() == y.op() && sameOperands(a, b);
      case BufferLoad x ->
          b instanceof BufferLoad y && same(x.buffer(), y.buffer()) && sameOperands(a, b);
    };
  }

  private boolean sameOperands(PrimExpr a, PrimExpr b) {
    return all(a.operands(), b.operands(), this::same);
  }

  private boolean same(Stmt a, Stmt b) {
    return switch (a) {
      case For x ->
          b instanceof For y
              && x.kind() == y.kind()
              && x.thread().equals(y.thread())
              && x.annotations().equals(y.annotations())
              && same(x.min(), y.min())
              && same(x.extent(), y.extent())
              && same(x.loopVar(), y.loopVar())
              && same(x.body(), y.body());
      case BlockRealize x ->
          b instanceof BlockRealize y
              && all(x.iterValues(), y.iterValues(), this::same)
              && same(x.predicate(), y.predicate())
              && same(x.block(), y.block());
      case BufferStore x ->
          b instanceof BufferStore y
              && same(x.buffer(), y.buffer())
              && all(x.indices(), y.indices(), this::same)
              && same(x.value(), y.value());
      case Seq x -> b instanceof Seq y && all(x.statements(), y.statements(), this::same);
      case IfThenElse x ->
          b instanceof IfThenElse y
              && same(x.condition(), y.condition())
              && same(x.whenTrue(), y.whenTrue())
              && same(x.whenFalse(), y.whenFalse());
      case Let x ->
          b instanceof Let y
              && same(x.value(), y.value())
              && same(x.var(), y.var())
              && same(x.body(), y.body());
      case CallPacked x -> b instanceof CallPacked y && same(x, y);
      case Return x -> b instanceof Return y && same(x.value(), y.value());
      case LetCall x ->
          b instanceof LetCall y
              && same(x.call(), y.call())
              && same(x.var(), y.var())
              && same(x.body(), y.body());
      case LoopJump x -> x.equals(b);
    };
  }

  private boolean same(CallPacked a, CallPacked b) {
    return a.name().equals(b.name())
        && a.linkage() == b.linkage()
        && all(a.result().stream().toList(), b.result().stream().toList(), this::same)
        && all(a.args(), b.args(), this::same);
  }

  private boolean same(AnyListItem a, AnyListItem b) {
    return a.index() == b.index() && bind(a.list(), b.list());
  }

  private boolean same(Optional<Stmt> a, Optional<Stmt> b) {
    return a.isPresent() == b.isPresent() && (a.isEmpty() || same(a.get(), b.get()));
  }

  private boolean same(Block a, Block b) {
    return a.name().equals(b.name())
        && a.annotations().equals(b.annotations())
        && all(a.iterVars(), b.iterVars(), this::same)
        && all(a.allocBuffers(), b.allocBuffers(), this::same)
        && all(a.reads(), b.reads(), this::same)
        && all(a.writes(), b.writes(), this::same)
        && same(a.init(), b.init())
        && same(a.body(), b.body());
  }

  private boolean same(IterVar a, IterVar b) {
    return a.kind() == b.kind() && same(a.domain(), b.domain()) && same(a.var(), b.var());
  }

  private boolean same(BufferRegion a, BufferRegion b) {
    return same(a.buffer(), b.buffer()) && all(a.ranges(), b.ranges(), this::same);
  }

  private boolean same(Range a, Range b) {
    return same(a.min(), b.min()) && same(a.extent(), b.extent());
  }

  private boolean same(PackedArg a, PackedArg b) {
    return switch (a) {
      case PackedArg.OfBuffer x ->
          b instanceof PackedArg.OfBuffer y && same(x.buffer(), y.buffer());
      case PackedArg.OfScalar x -> b instanceof PackedArg.OfScalar y && same(x.value(), y.value());
      case PackedArg.OfText x -> x.equals(b);
      case PackedArg.OfHandle(Handle x) -> b instanceof PackedArg.OfHandle(Handle y) && bind(x, y);
      case PackedArg.OfItem(AnyListItem x) ->
          b instanceof PackedArg.OfItem(AnyListItem y) && same(x, y);
      case PackedArg.OfNull x -> x.equals(b);
    };
  }

  private static <T> boolean all(List<T> a, List<T> b, BiPredicate<T, T> same) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!same.test(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }
}
