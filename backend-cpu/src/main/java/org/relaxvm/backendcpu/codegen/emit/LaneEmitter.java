package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.emit.LaneTable.Width;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/**
 * Writes the instructions that leave a vector on the stack: the values of an expression for
 * neighbouring values of one variable, the counter of the loop. What does not depend on that is
 * computed once as a scalar.
 */
final class LaneEmitter {
  static final int NO_MASK = -1;

  private final ScalarEmitter scalars;
  private final CodeBuilder code;
  private final LaneTable table;
  private final Width width;
  private final Var counter;
  private final Map<Var, Integer> vectors = new IdentityHashMap<>();
  private final Map<PrimExpr, Integer> known = new HashMap<>();
  private int mask = NO_MASK;

  LaneEmitter(ScalarEmitter scalars, LaneTable table, Width width, Var counter) {
    this.scalars = scalars;
    this.code = scalars.code();
    this.table = table;
    this.width = width;
    this.counter = counter;
  }

  /** The JVM variable of the lanes that are at work; {@link #NO_MASK} when all are. */
  int mask() {
    return mask;
  }

  /** Sets the lanes that are at work; returns what was set before. */
  int mask(int other) {
    int before = mask;
    mask = other;
    return before;
  }

  /** Says that a variable has a value per lane, in a JVM variable. */
  void bind(Var var, int slot) {
    vectors.put(var, slot);
  }

  /** Says that a JVM variable holds the vector of an expression. */
  void know(PrimExpr expr, int slot) {
    known.put(expr, slot);
  }

  void forget(PrimExpr expr) {
    known.remove(expr);
  }

  Integer knownSlot(PrimExpr expr) {
    return known.getOrDefault(expr, -1);
  }

  int newLocal() {
    return code.allocateLocal(TypeKind.REFERENCE);
  }

  /** Whether an expression has a value of its own in each lane. */
  boolean varies(PrimExpr expr) {
    return known.containsKey(expr)
        || expr.equals(counter)
        || (expr instanceof Var var && vectors.containsKey(var))
        || expr.operands().stream().anyMatch(this::varies);
  }

  void call(String name, ClassDesc... args) {
    table.call(code, width, name, args);
  }

  /** The suffix of operations that cannot tell the width by their arguments. */
  private String suffix() {
    return width == Width.HALF ? "Half" : "";
  }

  /** The vector of an expression. */
  void emit(PrimExpr expr) {
    Integer slot = known.get(expr);
    if (slot != null) {
      code.aload(slot);
      return;
    }
    if (!varies(expr)) {
      scalars.emit(expr);
      broadcast(expr.dtype());
      return;
    }
    switch (expr) {
      case Var var -> {
        Integer local = vectors.get(var);
        if (local != null) {
          code.aload(local);
        } else {
          scalars.load(scalars.local(counter));
          call("iotaHalf", ConstantDescs.CD_long);
        }
      }
      case Binary(var op, PrimExpr a, PrimExpr b) -> {
        emit(a);
        emit(b);
        ClassDesc kind = LaneKind.of(a.dtype()).desc();
        if (mask != NO_MASK && LaneNames.mayFail(op, a.dtype())) {
          code.aload(mask);
          call(LaneNames.of(op, a.dtype()), kind, kind, LaneKind.MASK.desc());
        } else {
          call(LaneNames.of(op, a.dtype()), kind, kind);
        }
        if (op.kind() == org.relaxvm.tir.expr.BinaryOp.Kind.ARITHMETIC) {
          narrow(a.dtype());
        }
      }
      case Not(PrimExpr a) -> {
        emit(a);
        call("not", LaneKind.MASK.desc());
      }
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) -> emitSelect(condition, a, b);
      case Cast(DType to, PrimExpr value) -> emitCast(value, to);
      case BufferLoad load -> emitLoad(load);
      case Call call -> {
        if (call.op() == Intrinsic.IF_THEN_ELSE) {
          emitChoice(call.args().get(0), call.args().get(1), call.args().get(2));
        } else {
          emitCall(call);
        }
      }
      case IntImm constant -> throw new IllegalStateException("a constant does not vary");
      case FloatImm constant -> throw new IllegalStateException("a constant does not vary");
    }
  }

  /** A scalar on the stack in all lanes. */
  void broadcast(DType dtype) {
    ClassDesc kind =
        switch (LaneKind.of(dtype)) {
          case FLOAT -> ConstantDescs.CD_float;
          case DOUBLE -> ConstantDescs.CD_double;
          case LONG -> ConstantDescs.CD_long;
          case MASK -> ConstantDescs.CD_boolean;
          case INT -> ConstantDescs.CD_int;
        };
    if (dtype.equals(DType.UINT32)) {
      code.l2i();
    }
    call("broadcast" + suffix(), kind);
  }

  /** Brings the results of arithmetic into the range of a dtype. */
  private void narrow(DType dtype) {
    if (dtype.bits() >= 32) {
      return;
    }
    LaneKind kind = LaneKind.of(dtype);
    if (kind == LaneKind.INT) {
      call("wrap" + JvmKind.title(dtype), kind.desc());
    } else if (kind == LaneKind.FLOAT) {
      call("round" + JvmKind.title(dtype), kind.desc());
    }
  }

  private void emitSelect(PrimExpr condition, PrimExpr a, PrimExpr b) {
    emit(condition);
    emit(a);
    emit(b);
    select(a.dtype());
  }

  /** One of two vectors by a mask below them. */
  void select(DType dtype) {
    ClassDesc kind = LaneKind.of(dtype).desc();
    call("select", LaneKind.MASK.desc(), kind, kind);
  }

  /** Each side is computed only for the lanes that need it. */
  private void emitChoice(PrimExpr condition, PrimExpr a, PrimExpr b) {
    if (!varies(condition)) {
      java.lang.classfile.Label otherwise = code.newLabel();
      java.lang.classfile.Label end = code.newLabel();
      int result = newLocal();
      scalars.jumpUnless(condition, otherwise);
      emit(a);
      code.astore(result);
      code.goto_(end);
      code.labelBinding(otherwise);
      emit(b);
      code.astore(result);
      code.labelBinding(end);
      code.aload(result);
      return;
    }
    int holds = newLocal();
    emit(condition);
    code.astore(holds);
    int outer = mask;
    code.aload(holds);
    mask = both(holds, outer);
    emit(a);
    mask = neither(holds, outer);
    emit(b);
    mask = outer;
    select(a.dtype());
  }

  /** The lanes that are at work and of which a condition holds. */
  int both(int condition, int outer) {
    if (outer == NO_MASK) {
      return condition;
    }
    int slot = newLocal();
    code.aload(outer).aload(condition);
    call("and", LaneKind.MASK.desc(), LaneKind.MASK.desc());
    code.astore(slot);
    return slot;
  }

  /** The lanes that are at work and of which a condition does not hold. */
  int neither(int condition, int outer) {
    int slot = newLocal();
    code.aload(condition);
    call("not", LaneKind.MASK.desc());
    code.astore(slot);
    return both(slot, outer);
  }

  private void emitCast(PrimExpr value, DType to) {
    if (value.equals(counter) && LaneKind.of(to) == LaneKind.INT) {
      scalars.load(scalars.local(counter));
      code.l2i();
      call("iota" + suffix(), ConstantDescs.CD_int);
      narrow(to);
      return;
    }
    emit(value);
    String name = LaneNames.cast(value.dtype(), to);
    ClassDesc kind = LaneKind.of(value.dtype()).desc();
    call(table.has(width, name, kind) ? name : name + suffix(), kind);
  }

  private void emitLoad(BufferLoad load) {
    scalars.emitPlace(load.buffer(), load.indices().getFirst());
    String name = "load" + JvmKind.title(load.dtype()) + suffix();
    if (mask == NO_MASK) {
      call(name, Calls.SEGMENT, ConstantDescs.CD_long);
    } else {
      code.aload(mask);
      call(name, Calls.SEGMENT, ConstantDescs.CD_long, LaneKind.MASK.desc());
    }
  }

  /** Writes a vector; the memory, the place and the vector are on the stack. */
  void emitStore(DType dtype) {
    String name = "store" + JvmKind.title(dtype) + suffix();
    ClassDesc kind = LaneKind.of(dtype).desc();
    if (mask == NO_MASK) {
      call(name, Calls.SEGMENT, ConstantDescs.CD_long, kind);
    } else {
      code.aload(mask);
      call(name, Calls.SEGMENT, ConstantDescs.CD_long, kind, LaneKind.MASK.desc());
    }
  }

  private void emitCall(Call call) {
    DType dtype = call.args().getFirst().dtype();
    ClassDesc kind = LaneKind.of(dtype).desc();
    call.args().forEach(this::emit);
    String name = LaneNames.of(call.op(), dtype);
    if (LaneNames.needsBits(call.op())) {
      code.loadConstant(dtype.bits());
      call(name, kind, kind, ConstantDescs.CD_int);
    } else if (call.args().size() == 1) {
      call(name, kind);
    } else {
      call(name, kind, kind);
    }
    if (call.op().rule() != Intrinsic.Rule.FLOAT_TEST) {
      narrow(dtype);
    }
  }

  /** Whether neighbouring lanes of an index are neighbours. */
  boolean isContiguous(PrimExpr index) {
    return Affine.isContiguous(index, counter);
  }
}
