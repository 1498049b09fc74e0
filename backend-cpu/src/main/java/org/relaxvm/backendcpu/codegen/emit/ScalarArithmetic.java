package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Intrinsic;

/** Instructions for operations on scalars that are on the stack. */
final class ScalarArithmetic {
  private static final ClassDesc LONG = ClassDesc.of("java.lang.Long");

  private ScalarArithmetic() {}

  /** An operation on two numbers of a dtype that gives one of it. */
  static void emit(CodeBuilder code, BinaryOp op, DType dtype) {
    switch (JvmKind.of(dtype)) {
      case INT -> {
        ints(code, op);
        ScalarCasts.wrapInt(code, dtype);
      }
      case LONG -> {
        longs(code, op, dtype.equals(DType.UINT64));
        if (dtype.bits() < 64) {
          ScalarCasts.wrapLong(code, dtype);
        }
      }
      case FLOAT -> floats(code, op, dtype);
      case DOUBLE -> doubles(code, op);
    }
  }

  private static void ints(CodeBuilder code, BinaryOp op) {
    switch (op) {
      case ADD -> code.iadd();
      case SUB -> code.isub();
      case MUL -> code.imul();
      case DIV -> code.idiv();
      case MOD -> code.irem();
      case FLOOR_DIV -> math(code, "floorDiv", ConstantDescs.CD_int);
      case FLOOR_MOD -> math(code, "floorMod", ConstantDescs.CD_int);
      case MIN -> math(code, "min", ConstantDescs.CD_int);
      case MAX -> math(code, "max", ConstantDescs.CD_int);
      default -> throw new IllegalStateException("no arithmetic: " + op);
    }
  }

  private static void longs(CodeBuilder code, BinaryOp op, boolean unsigned) {
    ClassDesc number = ConstantDescs.CD_long;
    switch (op) {
      case ADD -> code.ladd();
      case SUB -> code.lsub();
      case MUL -> code.lmul();
      case DIV, FLOOR_DIV -> {
        if (unsigned) {
          code.invokestatic(LONG, "divideUnsigned", Calls.type(number, number, number));
        } else if (op == BinaryOp.DIV) {
          code.ldiv();
        } else {
          math(code, "floorDiv", number);
        }
      }
      case MOD, FLOOR_MOD -> {
        if (unsigned) {
          code.invokestatic(LONG, "remainderUnsigned", Calls.type(number, number, number));
        } else if (op == BinaryOp.MOD) {
          code.lrem();
        } else {
          math(code, "floorMod", number);
        }
      }
      case MIN, MAX -> {
        String name = op == BinaryOp.MIN ? "min" : "max";
        if (unsigned) {
          code.invokestatic(Calls.OPS, name + "Unsigned", Calls.type(number, number, number));
        } else {
          math(code, name, number);
        }
      }
      default -> throw new IllegalStateException("no arithmetic: " + op);
    }
  }

  private static void floats(CodeBuilder code, BinaryOp op, DType dtype) {
    ClassDesc number = ConstantDescs.CD_float;
    switch (op) {
      case ADD -> code.fadd();
      case SUB -> code.fsub();
      case MUL -> code.fmul();
      case DIV -> code.fdiv();
      case MOD -> code.frem();
      case MIN -> math(code, "min", number);
      case MAX -> math(code, "max", number);
      case FLOOR_DIV, FLOOR_MOD -> {
        // Both as doubles: the first one lies below.
        int second = code.allocateLocal(java.lang.classfile.TypeKind.FLOAT);
        code.fstore(second).f2d().fload(second).f2d();
        doubles(code, op);
        ScalarCasts.fromDouble(code, dtype);
        return;
      }
      default -> throw new IllegalStateException("no arithmetic: " + op);
    }
    if (dtype.bits() == 16) {
      ScalarCasts.round(code, dtype, JvmKind.FLOAT);
    }
  }

  private static void doubles(CodeBuilder code, BinaryOp op) {
    ClassDesc number = ConstantDescs.CD_double;
    switch (op) {
      case ADD -> code.dadd();
      case SUB -> code.dsub();
      case MUL -> code.dmul();
      case DIV -> code.ddiv();
      case MOD -> code.drem();
      case MIN -> math(code, "min", number);
      case MAX -> math(code, "max", number);
      case FLOOR_DIV ->
          code.invokestatic(Calls.OPS, "floorDiv", Calls.type(number, number, number));
      case FLOOR_MOD ->
          code.invokestatic(Calls.OPS, "floorMod", Calls.type(number, number, number));
      default -> throw new IllegalStateException("no arithmetic: " + op);
    }
  }

  private static void math(CodeBuilder code, String name, ClassDesc number) {
    code.invokestatic(Calls.MATH, name, Calls.type(number, number, number));
  }

  /** Whether a function of one float is one that the JIT compiler knows. */
  static boolean emitsDirectly(Intrinsic op) {
    return switch (op) {
      case SQRT, RSQRT, ABS, CEIL, FLOOR, NEARBYINT -> true;
      default -> false;
    };
  }

  /** Such a function of a float on the stack. */
  static void emitDirect(CodeBuilder code, Intrinsic op, DType dtype) {
    if (op == Intrinsic.ABS) {
      ClassDesc number = JvmKind.of(dtype).desc();
      code.invokestatic(Calls.MATH, "abs", Calls.type(number, number));
      return;
    }
    String name =
        switch (op) {
          case SQRT, RSQRT -> "sqrt";
          case CEIL -> "ceil";
          case FLOOR -> "floor";
          default -> "rint";
        };
    ScalarCasts.toDouble(code, dtype);
    code.invokestatic(
        Calls.MATH, name, Calls.type(ConstantDescs.CD_double, ConstantDescs.CD_double));
    if (op == Intrinsic.RSQRT) {
      code.dconst_1().dup2_x2().pop2().ddiv();
    }
    ScalarCasts.fromDouble(code, dtype);
  }

  /** A function of integers whose arguments are on the stack. */
  static void emitInteger(CodeBuilder code, Intrinsic op, DType dtype, boolean unsigned) {
    boolean wide = JvmKind.of(dtype) == JvmKind.LONG;
    switch (op) {
      case BITWISE_AND -> {
        if (wide) {
          code.land();
        } else {
          code.iand();
        }
      }
      case BITWISE_OR -> {
        if (wide) {
          code.lor();
        } else {
          code.ior();
        }
      }
      case BITWISE_XOR -> {
        if (wide) {
          code.lxor();
        } else {
          code.ixor();
        }
      }
      case BITWISE_NOT -> {
        if (wide) {
          code.loadConstant(-1L);
          code.lxor();
          ScalarCasts.wrapLong(code, dtype);
        } else {
          code.iconst_m1().ixor();
          ScalarCasts.wrapInt(code, dtype);
        }
      }
      case ABS -> {
        if (!unsigned) {
          ClassDesc number = JvmKind.of(dtype).desc();
          code.invokestatic(Calls.MATH, "abs", Calls.type(number, number));
          wrap(code, dtype, wide);
        }
      }
      case POW -> longFunction(code, unsigned ? "powUnsigned" : "pow", dtype, false);
      case SHIFT_LEFT -> longFunction(code, "shiftLeft", dtype, true);
      case SHIFT_RIGHT ->
          longFunction(code, unsigned ? "shiftRightUnsigned" : "shiftRight", dtype, true);
      default -> throw new IllegalStateException("no function of integers: " + op);
    }
  }

  private static void wrap(CodeBuilder code, DType dtype, boolean wide) {
    if (wide) {
      ScalarCasts.wrapLong(code, dtype);
    } else {
      ScalarCasts.wrapInt(code, dtype);
    }
  }

  /** A function of two longs, for integers of any width. */
  private static void longFunction(CodeBuilder code, String name, DType dtype, boolean bits) {
    if (JvmKind.of(dtype) == JvmKind.INT) {
      int second = code.allocateLocal(java.lang.classfile.TypeKind.INT);
      code.istore(second).i2l().iload(second).i2l();
    }
    ClassDesc number = ConstantDescs.CD_long;
    if (bits) {
      code.loadConstant(dtype.bits());
      code.invokestatic(Calls.OPS, name, Calls.type(number, number, number, ConstantDescs.CD_int));
    } else {
      code.invokestatic(Calls.OPS, name, Calls.type(number, number, number));
    }
    ScalarCasts.wrapLong(code, dtype);
  }
}
