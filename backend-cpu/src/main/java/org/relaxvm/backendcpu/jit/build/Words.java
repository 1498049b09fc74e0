package org.relaxvm.backendcpu.jit.build;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.IndexCheck;
import org.relaxvm.backendcpu.jit.functions.IntegerQuotients;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;
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

/**
 * Writes expressions that are the same for all lanes. Integers are words, extended from their dtype
 * with or without sign; booleans are words of 0 or 1; floats of up to 32 bits are one float32,
 * those of fewer bits rounded to their dtype.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How are values of narrow dtypes held?"
 */
final class Words {
  private final Emission emission;
  private final LirWriter writer;

  Words(Emission emission) {
    this.emission = emission;
    this.writer = emission.writer;
  }

  /** The type of values of a dtype. */
  static Type type(DType dtype) {
    if (!dtype.isFloat()) {
      return Type.WORD;
    }
    return dtype.equals(DType.FLOAT64) ? Type.FLOAT64 : Type.FLOAT32;
  }

  /** The value of an expression, computed in the outermost scope that it can be computed in. */
  Operand of(PrimExpr expr) {
    switch (expr) {
      case IntImm(DType dtype, long value) -> {
        return new Imm(value);
      }
      case FloatImm(DType dtype, double value) -> {
        return Const.of(type(dtype), value);
      }
      case Var var -> {
        return variable(var);
      }
      case BufferLoad load -> {
        Reg held = emission.held(load.buffer(), load.indices().getFirst(), 0);
        if (held != null) {
          return held;
        }
      }
      default -> {}
    }
    int home = emission.home(expr);
    Scope scope = emission.scopes.get(home);
    Operand known = scope.values.get(expr);
    if (known == null) {
      known = emission.at(home, () -> compute(expr));
      if (!isChecked(expr)) {
        scope.values.put(expr, known);
      }
    }
    return known;
  }

  /** Loads that are checked are compared by identity, so their values are not shared. */
  private boolean isChecked(PrimExpr expr) {
    if (emission.program.checks().isEmpty()) {
      return false;
    }
    return (expr instanceof BufferLoad load && emission.program.checks().containsKey(load))
        || expr.operands().stream().anyMatch(this::isChecked);
  }

  /** The value in a register. */
  Reg inRegister(PrimExpr expr) {
    return writer.inRegister(of(expr));
  }

  private Operand variable(Var var) {
    Operand known = emission.known(var);
    if (known != null) {
      return known;
    }
    Type type = type(var.dtype());
    if (type.isWord()) {
      return emission.blockWord(var);
    }
    Operand value =
        emission.at(
            0,
            () ->
                writer.load(
                    type,
                    Address.of(writer.block(), emission.layout.offset(var)),
                    type.bits(),
                    false,
                    false,
                    null));
    emission.scopes.getFirst().variables.put(var, value);
    return value;
  }

  private Operand compute(PrimExpr expr) {
    return switch (expr) {
      case BufferLoad load -> load(load);
      case Binary binary -> binary(binary);
      case Not(PrimExpr a) -> writer.op(Op.XOR, inRegister(a), new Imm(1));
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          writer.compute(Op.SELECT, type(a.dtype()), inRegister(condition), of(a), of(b));
      case Cast(DType dtype, PrimExpr value) ->
          Casts.scalar(writer, emission.target, of(value), value.dtype(), dtype);
      case Call call -> call(call);
      default -> throw new IllegalStateException("no expression of a kernel: " + expr);
    };
  }

  private Operand load(BufferLoad load) {
    Buffer buffer = load.buffer();
    List<IndexCheck> checks = emission.program.checks().getOrDefault(load, List.of());
    emission.check(this, checks);
    Address address = emission.address(this, buffer, load.indices().getFirst());
    return Casts.loadScalar(writer, emission.target, address, buffer.dtype());
  }

  private Operand binary(Binary binary) {
    PrimExpr a = binary.a();
    PrimExpr b = binary.b();
    DType dtype = a.dtype();
    switch (binary.op().kind()) {
      case LOGICAL -> {
        return writer.op(binary.op() == BinaryOp.AND ? Op.AND : Op.OR, inRegister(a), of(b));
      }
      case COMPARISON -> {
        Relation relation = relation(binary.op(), dtype);
        Operand first = of(a);
        Operand second = of(b);
        if (first instanceof Imm && !(second instanceof Imm)) {
          return writer.compare(relation.swapped(), second, first);
        }
        return writer.compare(relation, writer.inRegister(first), second);
      }
      case ARITHMETIC -> {}
    }
    return dtype.isFloat()
        ? Casts.rounded(
            writer,
            emission.target,
            FloatArithmetic.of(writer, emission.target, binary.op(), of(a), of(b)),
            dtype)
        : Casts.wrapped(writer, integer(binary.op(), dtype, of(a), of(b)), dtype);
  }

  /** How values of a dtype compare. */
  static Relation relation(BinaryOp op, DType dtype) {
    boolean isUnsigned = !dtype.isFloat() && DTypes.isUnsigned(dtype);
    return switch (op) {
      case EQ -> Relation.EQ;
      case NE -> Relation.NE;
      case LT -> isUnsigned ? Relation.ULT : Relation.LT;
      case LE -> isUnsigned ? Relation.ULE : Relation.LE;
      case GT -> isUnsigned ? Relation.UGT : Relation.GT;
      case GE -> isUnsigned ? Relation.UGE : Relation.GE;
      default -> throw new IllegalStateException("no comparison: " + op);
    };
  }

  private Operand integer(BinaryOp op, DType dtype, Operand a, Operand b) {
    boolean isUnsigned = DTypes.isUnsigned(dtype);
    return switch (op) {
      case ADD -> writer.addWords(a, b);
      case SUB ->
          b instanceof Imm(long value)
              ? writer.addWords(a, new Imm(-value))
              : writer.op(Op.SUB, writer.inRegister(a), b);
      case MUL -> writer.multiplyWords(a, b);
      case MIN -> writer.op(isUnsigned ? Op.UMIN : Op.MIN, writer.inRegister(a), b);
      case MAX -> writer.op(isUnsigned ? Op.UMAX : Op.MAX, writer.inRegister(a), b);
      case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> {
        emission.checkDivisor(b);
        yield new IntegerQuotients(emission.target).write(writer, op, dtype, a, b);
      }
      default -> throw new IllegalStateException("no arithmetic: " + op);
    };
  }

  private Operand call(Call call) {
    List<PrimExpr> args = call.args();
    if (call.op() == Intrinsic.IF_THEN_ELSE) {
      return choose(args.get(0), args.get(1), args.get(2));
    }
    DType dtype = args.getFirst().dtype();
    Operand[] operands = args.stream().map(this::of).toArray(Operand[]::new);
    return Functions.scalar(writer, emission.target, call.op(), dtype, operands);
  }

  /** Evaluates one of two expressions. */
  private Operand choose(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse) {
    Type type = type(whenTrue.dtype());
    Reg test = inRegister(condition);
    Reg result = writer.reg(type);
    writer.set(result, Op.MOVE, type.isWord() ? new Imm(0) : Const.of(type, 0));
    List<Lir> first = side(result, whenTrue);
    List<Lir> second = side(result, whenFalse);
    writer.add(new Lir.If(Relation.NE, test, new Imm(0), first, second));
    return result;
  }

  private List<Lir> side(Reg result, PrimExpr expr) {
    emission.open(Scope.Kind.CONDITION, java.util.Set.of());
    writer.set(result, Op.MOVE, of(expr));
    return emission.close();
  }
}
