package org.relaxvm.backendsupport.gpu.source;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/**
 * Writes expressions. Index arithmetic is written in the type of indices where it stands for an
 * index, and with 64 bits where it stands for a number. For one launch; not thread-safe.
 */
final class Expressions {
  private final Dialect dialect;
  private final Names names;
  private final Helpers helpers;
  private final Indices indices;
  private final boolean wide;
  private final Set<Var> notNegative = new HashSet<>();

  Expressions(Dialect dialect, Names names, Helpers helpers, Indices indices, boolean wide) {
    this.dialect = dialect;
    this.names = names;
    this.helpers = helpers;
    this.indices = indices;
    this.wide = wide;
  }

  /** Says that a variable is never negative, if that is so. */
  void markNotNegativeIf(boolean sure, Var var) {
    if (sure) {
      notNegative.add(var);
    }
  }

  /** Says that a variable is never negative. */
  void markNotNegative(Var var) {
    notNegative.add(var);
  }

  /** Whether an expression of index arithmetic is surely not negative. */
  boolean isNotNegative(PrimExpr expr) {
    return switch (expr) {
      case IntImm constant -> constant.value() >= 0;
      case Var var -> notNegative.contains(var);
      case Binary binary ->
          switch (binary.op()) {
            case ADD, MUL, FLOOR_DIV, DIV, FLOOR_MOD, MOD, MIN ->
                isNotNegative(binary.a()) && isNotNegative(binary.b());
            case MAX -> isNotNegative(binary.a()) || isNotNegative(binary.b());
            default -> false;
          };
      default -> false;
    };
  }

  boolean isIndex(PrimExpr expr) {
    return indices.isIndex(expr);
  }

  /** An expression in the type of indices. */
  String index(PrimExpr expr) {
    if (!indices.isIndex(expr)) {
      return expr instanceof Cast(DType to, PrimExpr inner) && isNarrow(inner.dtype())
          ? "(" + dialect.indexType(wide) + ")(" + value(inner) + ")"
          : "(" + dialect.indexType(wide) + ")(" + value(expr) + ")";
    }
    return switch (expr) {
      case IntImm constant -> dialect.indexLiteral(constant.value(), wide);
      case Var var -> names.of(var);
      case Binary binary -> indexOperation(binary);
      case Select select ->
          choice(
              condition(select.condition()), index(select.whenTrue()), index(select.whenFalse()));
      case Call call ->
          choice(
              condition(call.args().get(0)), index(call.args().get(1)), index(call.args().get(2)));
      default -> throw new IllegalStateException("no index: " + expr);
    };
  }

  private static boolean isNarrow(DType dtype) {
    return DTypes.isInteger(dtype)
        && (dtype.bits() < 32 || (dtype.bits() == 32 && !DTypes.isUnsigned(dtype)));
  }

  private String indexOperation(Binary binary) {
    String type = dialect.indexType(wide);
    String a = index(binary.a());
    String b = index(binary.b());
    boolean natural = isNotNegative(binary.a()) && isNotNegative(binary.b());
    boolean positive = natural && isPositive(binary.b());
    return switch (binary.op()) {
      case ADD -> "(" + a + " + " + b + ")";
      case SUB -> "(" + a + " - " + b + ")";
      case MUL -> "(" + a + " * " + b + ")";
      case DIV, FLOOR_DIV ->
          positive
              ? "(" + a + " / " + b + ")"
              : natural || binary.op() == BinaryOp.DIV
                  ? helpers.divide(type, a, b)
                  : helpers.floorDivide(type, a, b);
      case MOD, FLOOR_MOD ->
          positive
              ? "(" + a + " % " + b + ")"
              : natural || binary.op() == BinaryOp.MOD
                  ? helpers.rest(type, a, b)
                  : helpers.floorRest(type, a, b);
      case MIN -> helpers.min(type, a, b);
      case MAX -> helpers.max(type, a, b);
      default -> throw new IllegalStateException("no index: " + binary);
    };
  }

  private static boolean isPositive(PrimExpr expr) {
    return expr instanceof IntImm constant && constant.value() > 0;
  }

  /** A boolean. */
  String condition(PrimExpr expr) {
    return value(expr);
  }

  /** An expression in the type that its dtype is computed in. */
  String value(PrimExpr expr) {
    DType dtype = expr.dtype();
    return switch (expr) {
      case IntImm constant -> dialect.literal(dtype, constant.value());
      case FloatImm constant -> dialect.literal(dtype, constant.value());
      case Var var ->
          indices.isIndex(var) && !wide
              ? "((" + dialect.type(dtype) + ")" + names.of(var) + ")"
              : names.of(var);
      case Not not -> "!" + value(not.operands().getFirst());
      case Select select ->
          choice(
              condition(select.condition()), value(select.whenTrue()), value(select.whenFalse()));
      case Cast(DType to, PrimExpr inner) -> dialect.cast(inner.dtype(), to, value(inner));
      case BufferLoad load -> load(load);
      case Binary binary -> binary(binary);
      case Call call -> call(call);
    };
  }

  private static String choice(String condition, String whenTrue, String whenFalse) {
    return "(" + condition + " ? " + whenTrue + " : " + whenFalse + ")";
  }

  private String load(BufferLoad load) {
    String array = names.of(load.buffer());
    String index = index(load.indices().getFirst());
    return load.buffer().scope() == MemoryScope.GLOBAL
        ? dialect.load(load.dtype(), array, names.offset(load.buffer()) + index)
        : array + "[" + index + "]";
  }

  private String binary(Binary binary) {
    BinaryOp op = binary.op();
    if (op.kind() == BinaryOp.Kind.LOGICAL) {
      String sign = op == BinaryOp.AND ? " && " : " || ";
      return "(" + condition(binary.a()) + sign + condition(binary.b()) + ")";
    }
    if (op.kind() == BinaryOp.Kind.COMPARISON) {
      boolean index = indices.isIndex(binary.a()) && indices.isIndex(binary.b());
      String a = index ? index(binary.a()) : value(binary.a());
      String b = index ? index(binary.b()) : value(binary.b());
      return "(" + a + " " + op.text() + " " + b + ")";
    }
    DType dtype = binary.dtype();
    String a = value(binary.a());
    String b = value(binary.b());
    return dtype.isFloat() ? floats(op, dtype, a, b) : integers(op, dtype, a, b);
  }

  private String floats(BinaryOp op, DType dtype, String a, String b) {
    String type = dialect.type(dtype);
    return switch (op) {
      case ADD, SUB, MUL, DIV -> "(" + a + " " + op.text() + " " + b + ")";
      case MIN -> helpers.min(type, a, b);
      case MAX -> helpers.max(type, a, b);
      case MOD -> dialect.floatRest(dtype, a, b);
      case FLOOR_DIV -> dialect.call(Intrinsic.FLOOR, dtype, List.of("(" + a + " / " + b + ")"));
      case FLOOR_MOD -> helpers.floatFloorRest(type, dialect.floatRest(dtype, "a", "b"), a, b);
      default -> throw new IllegalStateException("no arithmetic: " + op);
    };
  }

  private String integers(BinaryOp op, DType dtype, String a, String b) {
    String type = dialect.type(dtype);
    String unsigned = dialect.type(unsigned(dtype));
    return switch (op) {
      case ADD, SUB, MUL ->
          "(%s)((%s)%s %s (%s)%s)".formatted(type, unsigned, a, op.text(), unsigned, b);
      case DIV -> helpers.divide(type, a, b);
      case MOD -> helpers.rest(type, a, b);
      case FLOOR_DIV -> helpers.floorDivide(type, a, b);
      case FLOOR_MOD -> helpers.floorRest(type, a, b);
      case MIN -> helpers.min(type, a, b);
      case MAX -> helpers.max(type, a, b);
      default -> throw new IllegalStateException("no arithmetic: " + op);
    };
  }

  /** The integer type of so many bits without a sign. */
  static DType unsigned(DType dtype) {
    return new DType(org.relaxvm.api.TypeCode.UINT, dtype.bits(), 1);
  }

  private String call(Call call) {
    List<String> args = call.args().stream().map(this::value).toList();
    DType dtype = call.args().getLast().dtype();
    if (call.op() == Intrinsic.IF_THEN_ELSE) {
      return choice(args.get(0), args.get(1), args.get(2));
    }
    if (dtype.isFloat()) {
      return dialect.call(call.op(), dtype, args);
    }
    String type = dialect.type(dtype);
    String unsigned = dialect.type(unsigned(dtype));
    boolean signed = !DTypes.isUnsigned(dtype);
    return switch (call.op()) {
      case BITWISE_AND -> "(%s)(%s & %s)".formatted(type, args.get(0), args.get(1));
      case BITWISE_OR -> "(%s)(%s | %s)".formatted(type, args.get(0), args.get(1));
      case BITWISE_XOR -> "(%s)(%s ^ %s)".formatted(type, args.get(0), args.get(1));
      case BITWISE_NOT -> "(%s)(~%s)".formatted(type, args.get(0));
      case SHIFT_LEFT -> helpers.shiftLeft(type, unsigned, dtype.bits(), args.get(0), args.get(1));
      case SHIFT_RIGHT -> helpers.shiftRight(type, signed, dtype.bits(), args.get(0), args.get(1));
      case POW -> helpers.power(type, unsigned, args.get(0), args.get(1));
      case ABS -> signed ? helpers.absolute(type, unsigned, args.get(0)) : args.get(0);
      default -> throw new IllegalStateException("no function of integers: " + call.op());
    };
  }
}
