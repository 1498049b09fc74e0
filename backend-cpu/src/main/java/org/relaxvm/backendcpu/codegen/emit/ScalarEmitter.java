package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.IndexCheck;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.FloatRounding;

/**
 * Writes the instructions that leave the value of an expression on the stack, in the form of {@link
 * JvmKind}. Results are those of the kernel IR to the bit.
 */
final class ScalarEmitter {
  /** A JVM variable with a value. */
  record Local(JvmKind kind, int slot) {}

  /**
   * The JVM variables of a buffer: of pinned memory with the address of its first element and the
   * number of bytes from there on, of other memory with a segment and the place of its first
   * element.
   *
   * @param segment over pinned memory; -1 where it is made when it is needed, which is hardly ever
   */
  record Memory(boolean pinned, int where, int place, int segment) {}

  /** Where an element is that a loop steps along: a place that a JVM variable holds. */
  interface Streams {
    /** Puts an element's memory and place on the stack; false when nothing is known of it. */
    boolean place(Buffer buffer, PrimExpr index);
  }

  private final CodeBuilder code;
  private final Map<BufferLoad, List<IndexCheck>> checks;
  private final Map<Var, Local> variables = new IdentityHashMap<>();
  private final Map<Buffer, Memory> memories = new IdentityHashMap<>();
  private final Map<PrimExpr, Local> known = new HashMap<>();
  private final Map<PrimExpr, Runnable> calls = new IdentityHashMap<>();
  private @Nullable Streams streams;

  ScalarEmitter(CodeBuilder code, Map<BufferLoad, List<IndexCheck>> checks) {
    this.code = code;
    this.checks = checks;
  }

  CodeBuilder code() {
    return code;
  }

  /** Makes a JVM variable for a variable; the value is on the stack. */
  Local define(Var var) {
    Local local = newLocal(JvmKind.of(var.dtype()));
    store(local);
    variables.put(var, local);
    return local;
  }

  /** Says which JVM variable a variable is. */
  void bind(Var var, Local local) {
    variables.put(var, local);
  }

  Local local(Var var) {
    Local local = variables.get(var);
    if (local == null) {
      throw new IllegalStateException("the variable " + var + " has no value here");
    }
    return local;
  }

  /** Whether a variable has a JVM variable here. */
  boolean has(Var var) {
    return variables.containsKey(var);
  }

  Local newLocal(JvmKind kind) {
    return new Local(kind, code.allocateLocal(kind.type()));
  }

  void bind(Buffer buffer, Memory memory) {
    memories.put(buffer, memory);
  }

  Memory memory(Buffer buffer) {
    Memory memory = memories.get(buffer);
    if (memory == null) {
      throw new IllegalStateException("the buffer " + buffer + " has no memory here");
    }
    return memory;
  }

  /** Says that a JVM variable holds the value of an expression, until it is forgotten. */
  void know(PrimExpr expr, Local local) {
    known.put(expr, local);
  }

  /** Says that an expression, this very object, is computed by a call. */
  void callFor(PrimExpr expr, Runnable call) {
    calls.put(expr, call);
  }

  void forget(PrimExpr expr) {
    known.remove(expr);
  }

  Local known(PrimExpr expr) {
    return java.util.Objects.requireNonNull(known.get(expr));
  }

  boolean knows(PrimExpr expr) {
    return known.containsKey(expr);
  }

  /** Sets where elements are found; returns what was set before. */
  @Nullable Streams streams(@Nullable Streams other) {
    Streams before = streams;
    streams = other;
    return before;
  }

  void load(Local local) {
    code.loadLocal(local.kind().type(), local.slot());
  }

  void store(Local local) {
    code.storeLocal(local.kind().type(), local.slot());
  }

  /** The value of an expression. */
  void emit(PrimExpr expr) {
    Local local = known.get(expr);
    if (local != null) {
      load(local);
      return;
    }
    Runnable elsewhere = calls.get(expr);
    if (elsewhere != null) {
      elsewhere.run();
      return;
    }
    switch (expr) {
      case IntImm constant -> {
        if (JvmKind.of(constant.dtype()) == JvmKind.LONG) {
          code.loadConstant(constant.value());
        } else {
          code.loadConstant((int) constant.value());
        }
      }
      case FloatImm constant -> emitFloat(constant.dtype(), constant.value());
      case Var var -> load(local(var));
      case Binary binary -> emitBinary(binary);
      case Not not -> {
        emit(not.a());
        code.iconst_1().ixor();
      }
      case Select(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse) ->
          emitChoice(condition, whenTrue, whenFalse);
      case Cast cast -> {
        emit(cast.value());
        ScalarCasts.emit(code, cast.value().dtype(), cast.dtype());
      }
      case BufferLoad load -> emitLoad(load);
      case Call call -> {
        if (call.op() == Intrinsic.IF_THEN_ELSE) {
          emitChoice(call.args().get(0), call.args().get(1), call.args().get(2));
        } else {
          emitCall(call);
        }
      }
    }
  }

  private void emitFloat(DType dtype, double value) {
    double rounded = FloatRounding.round(dtype, value);
    if (dtype.equals(DType.FLOAT64)) {
      code.loadConstant(rounded);
    } else {
      code.loadConstant((float) rounded);
    }
  }

  private void emitChoice(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse) {
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    jumpUnless(condition, otherwise);
    emit(whenTrue);
    code.goto_(end);
    code.labelBinding(otherwise);
    emit(whenFalse);
    code.labelBinding(end);
  }

  private void emitLoad(BufferLoad load) {
    PrimExpr index = load.indices().getFirst();
    emitChecks(checks.getOrDefault(load, List.of()));
    emitPlace(load.buffer(), index);
    DType dtype = load.dtype();
    code.invokestatic(
        Calls.ACCESS,
        "load" + JvmKind.title(dtype),
        Calls.type(JvmKind.of(dtype).desc(), Calls.SEGMENT, ConstantDescs.CD_long));
  }

  /** Whether an element must be checked before it is read. */
  boolean isChecked(BufferLoad load) {
    return checks.containsKey(load);
  }

  void emitChecks(List<IndexCheck> all) {
    for (IndexCheck check : all) {
      emit(check.index());
      emit(check.extent());
      code.loadConstant(check.what());
      code.invokestatic(
          Calls.FAILURES,
          "checkIndex",
          Calls.type(
              ConstantDescs.CD_void,
              ConstantDescs.CD_long,
              ConstantDescs.CD_long,
              ConstantDescs.CD_String));
    }
  }

  /** The memory of a buffer and the place of an element in it. */
  void emitPlace(Buffer buffer, PrimExpr index) {
    if (streams != null && streams.place(buffer, index)) {
      return;
    }
    emitSegment(buffer);
    emitOffset(buffer, index);
  }

  /** The memory of a buffer. */
  void emitSegment(Buffer buffer) {
    Memory memory = memory(buffer);
    if (!memory.pinned()) {
      code.aload(memory.where());
    } else if (memory.segment() >= 0) {
      code.aload(memory.segment());
    } else {
      emitPinned(memory.where(), memory.place());
    }
  }

  /** Says where pinned memory of a buffer is, and makes a segment over it. */
  void bindPinned(Buffer buffer, int address, int bytes) {
    emitPinned(address, bytes);
    int segment = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(segment);
    bind(buffer, new Memory(true, address, bytes, segment));
  }

  private void emitPinned(int address, int bytes) {
    code.lload(address).lload(bytes);
    code.invokestatic(
        Calls.PROCESS,
        "at",
        Calls.type(Calls.SEGMENT, ConstantDescs.CD_long, ConstantDescs.CD_long));
  }

  /** The place of an element in its memory. */
  void emitOffset(Buffer buffer, PrimExpr index) {
    emit(index);
    scale(buffer);
    if (!memory(buffer).pinned()) {
      code.lload(memory(buffer).place()).ladd();
    }
  }

  private void scale(Buffer buffer) {
    int shift = Integer.numberOfTrailingZeros(buffer.dtype().elementByteSize());
    if (shift > 0) {
      code.loadConstant(shift);
      code.lshl();
    }
  }

  /** Writes an element; the memory, the place and the value are on the stack. */
  void emitStore(DType dtype) {
    code.invokestatic(
        Calls.ACCESS,
        "store" + JvmKind.title(dtype),
        Calls.type(
            ConstantDescs.CD_void, Calls.SEGMENT, ConstantDescs.CD_long, JvmKind.of(dtype).desc()));
  }

  private void emitBinary(Binary binary) {
    if (binary.op().kind() == BinaryOp.Kind.ARITHMETIC) {
      emit(binary.a());
      emit(binary.b());
      ScalarArithmetic.emit(code, binary.op(), binary.dtype());
      return;
    }
    if (binary.op().kind() == BinaryOp.Kind.LOGICAL) {
      emit(binary.a());
      emit(binary.b());
      if (binary.op() == BinaryOp.AND) {
        code.iand();
      } else {
        code.ior();
      }
      return;
    }
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    jumpUnless(binary, otherwise);
    code.iconst_1();
    code.goto_(end);
    code.labelBinding(otherwise);
    code.iconst_0();
    code.labelBinding(end);
  }

  /** Goes to a label where a condition does not hold. */
  void jumpUnless(PrimExpr condition, Label otherwise) {
    if (knows(condition)) {
      emit(condition);
      code.ifeq(otherwise);
    } else if (condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
        && op == BinaryOp.AND) {
      jumpUnless(a, otherwise);
      jumpUnless(b, otherwise);
    } else if (condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
        && op.kind() == BinaryOp.Kind.COMPARISON) {
      emit(a);
      emit(b);
      jumpUnless(op, a.dtype(), otherwise);
    } else {
      emit(condition);
      code.ifeq(otherwise);
    }
  }

  private void jumpUnless(BinaryOp op, DType dtype, Label otherwise) {
    switch (JvmKind.of(dtype)) {
      case INT -> code.branch(opposite(op, true), otherwise);
      case LONG -> {
        if (dtype.equals(DType.UINT64) && op != BinaryOp.EQ && op != BinaryOp.NE) {
          code.invokestatic(
              ClassDesc.of("java.lang.Long"),
              "compareUnsigned",
              Calls.type(ConstantDescs.CD_int, ConstantDescs.CD_long, ConstantDescs.CD_long));
        } else {
          code.lcmp();
        }
        code.branch(opposite(op, false), otherwise);
      }
      // A comparison with NaN must not hold: it has to look like the opposite.
      case FLOAT -> {
        if (op == BinaryOp.LT || op == BinaryOp.LE) {
          code.fcmpg();
        } else {
          code.fcmpl();
        }
        code.branch(opposite(op, false), otherwise);
      }
      case DOUBLE -> {
        if (op == BinaryOp.LT || op == BinaryOp.LE) {
          code.dcmpg();
        } else {
          code.dcmpl();
        }
        code.branch(opposite(op, false), otherwise);
      }
    }
  }

  private static Opcode opposite(BinaryOp op, boolean ints) {
    return switch (op) {
      case EQ -> ints ? Opcode.IF_ICMPNE : Opcode.IFNE;
      case NE -> ints ? Opcode.IF_ICMPEQ : Opcode.IFEQ;
      case LT -> ints ? Opcode.IF_ICMPGE : Opcode.IFGE;
      case LE -> ints ? Opcode.IF_ICMPGT : Opcode.IFGT;
      case GT -> ints ? Opcode.IF_ICMPLE : Opcode.IFLE;
      case GE -> ints ? Opcode.IF_ICMPLT : Opcode.IFLT;
      default -> throw new IllegalStateException("no comparison: " + op);
    };
  }

  private void emitCall(Call call) {
    DType dtype = call.args().getFirst().dtype();
    if (!dtype.isFloat()) {
      call.args().forEach(this::emit);
      ScalarArithmetic.emitInteger(code, call.op(), dtype, DTypes.isUnsigned(dtype));
      return;
    }
    if (ScalarArithmetic.emitsDirectly(call.op())) {
      emit(call.args().getFirst());
      ScalarArithmetic.emitDirect(code, call.op(), dtype);
      return;
    }
    code.getstatic(Calls.INTRINSIC, call.op().name(), Calls.INTRINSIC);
    for (PrimExpr arg : call.args()) {
      emit(arg);
      ScalarCasts.toDouble(code, dtype);
    }
    boolean test = call.op().rule() == Intrinsic.Rule.FLOAT_TEST;
    ClassDesc number = ConstantDescs.CD_double;
    ClassDesc result = test ? ConstantDescs.CD_boolean : number;
    code.invokestatic(
        Calls.FLOAT_FUNCTIONS,
        test ? "test" : "apply",
        call.args().size() == 1
            ? Calls.type(result, Calls.INTRINSIC, number)
            : Calls.type(result, Calls.INTRINSIC, number, number));
    if (!test) {
      ScalarCasts.fromDouble(code, dtype);
    }
  }
}
