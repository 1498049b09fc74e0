package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
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
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.FloatRounding;

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
  private final Set<Buffer> stored = new HashSet<>();
  private boolean contracts;

  Expressions(Dialect dialect, Names names, Helpers helpers, Indices indices, boolean wide) {
    this.dialect = dialect;
    this.names = names;
    this.helpers = helpers;
    this.indices = indices;
    this.wide = wide;
  }

  /**
   * Says whether products and sums of floats may be rounded once from here on.
   *
   * @return what was so before
   */
  boolean contract(boolean allowed) {
    boolean before = contracts;
    contracts = allowed;
    return before;
  }

  /** Says that elements of an array lie in it as in memory of the device. */
  void markStored(Buffer buffer) {
    stored.add(buffer);
  }

  /** Whether elements of a buffer lie in it as in memory of the device. */
  boolean isStored(Buffer buffer) {
    return buffer.scope() == MemoryScope.GLOBAL || stored.contains(buffer);
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
          ? toIndex(inner)
          : toIndex(expr);
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

  private String toIndex(PrimExpr value) {
    return dialect.converted(dialect.indexType(wide), "(" + value(value) + ")");
  }

  private static boolean isNarrow(DType dtype) {
    return DTypes.isInteger(dtype)
        && (dtype.bits() < 32 || (dtype.bits() == 32 && !DTypes.isUnsigned(dtype)));
  }

  private String indexOperation(Binary binary) {
    DType type = wide ? DType.INT64 : DType.INT32;
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
                  ? helpers.call(Helper.DIVIDE, type, a, b)
                  : helpers.call(Helper.FLOOR_DIVIDE, type, a, b);
      case MOD, FLOOR_MOD ->
          positive
              ? "(" + a + " % " + b + ")"
              : natural || binary.op() == BinaryOp.MOD
                  ? helpers.call(Helper.REMAINDER, type, a, b)
                  : helpers.call(Helper.FLOOR_REMAINDER, type, a, b);
      case MIN -> helpers.call(Helper.MIN, type, a, b);
      case MAX -> helpers.call(Helper.MAX, type, a, b);
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
      case FloatImm constant ->
          dialect.literal(dtype, FloatRounding.round(dtype, constant.value()));
      case Var var ->
          indices.isIndex(var) && !wide
              ? "(" + dialect.converted(dialect.type(dtype), names.of(var)) + ")"
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
    return isStored(load.buffer())
        ? dialect.load(load.dtype(), array, names.offset(load.buffer()) + index)
        : dialect.element(array, index);
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
      return dialect.comparison(op, binary.a().dtype(), a, b);
    }
    DType dtype = binary.dtype();
    if (contracts
        && op == BinaryOp.ADD
        && dtype.isFloat()
        && binary.b() instanceof Binary(BinaryOp inner, PrimExpr c, PrimExpr d)
        && inner == BinaryOp.MUL) {
      return dialect.multiplyAdd(dtype, value(binary.a()), value(c), value(d));
    }
    String a = value(binary.a());
    String b = value(binary.b());
    return dtype.isFloat() ? floats(op, dtype, a, b) : integers(op, dtype, a, b);
  }

  private String floats(BinaryOp op, DType dtype, String a, String b) {
    return switch (op) {
      case ADD, SUB, MUL, DIV -> dialect.arithmetic(op, dtype, a, b);
      case MIN -> helpers.call(Helper.MIN, dtype, a, b);
      case MAX -> helpers.call(Helper.MAX, dtype, a, b);
      case MOD -> dialect.floatRemainder(dtype, a, b);
      case FLOOR_DIV ->
          dialect.call(
              Intrinsic.FLOOR, dtype, List.of(dialect.arithmetic(BinaryOp.DIV, dtype, a, b)));
      case FLOOR_MOD -> helpers.call(Helper.FLOOR_REMAINDER, dtype, a, b);
      default -> throw new IllegalStateException("no arithmetic: " + op);
    };
  }

  private String integers(BinaryOp op, DType dtype, String a, String b) {
    return switch (op) {
      case ADD, SUB, MUL -> dialect.wrapping(op, dtype, a, b);
      case DIV -> helpers.call(Helper.DIVIDE, dtype, a, b);
      case MOD -> helpers.call(Helper.REMAINDER, dtype, a, b);
      case FLOOR_DIV -> helpers.call(Helper.FLOOR_DIVIDE, dtype, a, b);
      case FLOOR_MOD -> helpers.call(Helper.FLOOR_REMAINDER, dtype, a, b);
      case MIN -> helpers.call(Helper.MIN, dtype, a, b);
      case MAX -> helpers.call(Helper.MAX, dtype, a, b);
      default -> throw new IllegalStateException("no arithmetic: " + op);
    };
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
    return switch (call.op()) {
      case BITWISE_AND, BITWISE_OR, BITWISE_XOR, BITWISE_NOT ->
          dialect.bitwise(call.op(), dtype, args);
      case SHIFT_LEFT -> helpers.call(Helper.SHIFT_LEFT, dtype, args.get(0), args.get(1));
      case SHIFT_RIGHT -> helpers.call(Helper.SHIFT_RIGHT, dtype, args.get(0), args.get(1));
      case POW -> helpers.call(Helper.POWER, dtype, args.get(0), args.get(1));
      case ABS ->
          DTypes.isUnsigned(dtype)
              ? args.get(0)
              : helpers.call(Helper.ABSOLUTE, dtype, args.get(0), "0");
      default -> throw new IllegalStateException("no function of integers: " + call.op());
    };
  }
}
