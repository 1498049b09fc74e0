package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ConstantDescs;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;

/** Instructions that turn a scalar on the stack into one of another dtype. */
final class ScalarCasts {
  private ScalarCasts() {}

  /** As {@link org.relaxvm.tir.expr.Cast} says. */
  static void emit(CodeBuilder code, DType from, DType to) {
    if (from.equals(to)) {
      return;
    }
    if (to.equals(DType.BOOL)) {
      truth(code, from);
    } else if (from.isFloat()) {
      if (to.isFloat()) {
        toDouble(code, from);
        fromDouble(code, to);
      } else {
        floatToInteger(code, from, to);
      }
    } else if (to.isFloat()) {
      integerToFloat(code, from, to);
    } else {
      toLong(code, from);
      wrapLong(code, to);
    }
  }

  /** Anything of a float as a double. */
  static void toDouble(CodeBuilder code, DType from) {
    if (JvmKind.of(from) == JvmKind.FLOAT) {
      code.f2d();
    }
  }

  /** A double rounded to a dtype. */
  static void fromDouble(CodeBuilder code, DType to) {
    if (to.equals(DType.FLOAT32)) {
      code.d2f();
    } else if (!to.equals(DType.FLOAT64)) {
      round(code, to, JvmKind.DOUBLE);
    }
  }

  /** A float or double rounded to a float of 8 or 16 bits. */
  static void round(CodeBuilder code, DType to, JvmKind from) {
    code.invokestatic(
        Calls.OPS, "round" + JvmKind.title(to), Calls.type(ConstantDescs.CD_float, from.desc()));
  }

  /** An integer as a long. */
  static void toLong(CodeBuilder code, DType from) {
    if (JvmKind.of(from) == JvmKind.INT) {
      code.i2l();
    }
  }

  /** The integer of a dtype with the same low bits as a long. */
  static void wrapLong(CodeBuilder code, DType to) {
    if (to.bits() == 64) {
      return;
    }
    if (to.equals(DType.UINT32)) {
      code.loadConstant(0xffff_ffffL);
      code.land();
      return;
    }
    code.l2i();
    wrapInt(code, to);
  }

  /** The integer of a dtype with the same low bits as an int. */
  static void wrapInt(CodeBuilder code, DType to) {
    switch (to.bits()) {
      case 8 -> {
        if (DTypes.isUnsigned(to)) {
          code.loadConstant(0xff);
          code.iand();
        } else {
          code.i2b();
        }
      }
      case 16 -> {
        if (DTypes.isUnsigned(to)) {
          code.i2c();
        } else {
          code.i2s();
        }
      }
      default -> {}
    }
  }

  private static void truth(CodeBuilder code, DType from) {
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    switch (JvmKind.of(from)) {
      case INT -> {}
      case LONG -> code.lconst_0().lcmp();
      case FLOAT -> code.fconst_0().fcmpl();
      case DOUBLE -> code.dconst_0().dcmpl();
    }
    code.ifeq(otherwise);
    code.iconst_1();
    code.goto_(end);
    code.labelBinding(otherwise);
    code.iconst_0();
    code.labelBinding(end);
  }

  private static void floatToInteger(CodeBuilder code, DType from, DType to) {
    boolean single = JvmKind.of(from) == JvmKind.FLOAT;
    if (to.equals(DType.INT32)) {
      if (single) {
        code.f2i();
      } else {
        code.d2i();
      }
      return;
    }
    if (to.equals(DType.INT64)) {
      if (single) {
        code.f2l();
      } else {
        code.d2l();
      }
      return;
    }
    toDouble(code, from);
    if (to.equals(DType.UINT64)) {
      code.invokestatic(
          Calls.OPS, "toUint64", Calls.type(ConstantDescs.CD_long, ConstantDescs.CD_double));
      return;
    }
    code.loadConstant(to.bits());
    boolean unsigned = DTypes.isUnsigned(to);
    code.invokestatic(
        Calls.OPS,
        unsigned ? "toUnsigned" : "toSigned",
        Calls.type(
            unsigned ? ConstantDescs.CD_long : ConstantDescs.CD_int,
            ConstantDescs.CD_double,
            ConstantDescs.CD_int));
    if (unsigned && JvmKind.of(to) == JvmKind.INT) {
      code.l2i();
    }
  }

  private static void integerToFloat(CodeBuilder code, DType from, DType to) {
    if (to.isFloat8()) {
      // What a double does not hold is far too large for it anyway.
      integerToFloat(code, from, DType.FLOAT64);
      round(code, to, JvmKind.DOUBLE);
      return;
    }
    if (from.equals(DType.UINT64)) {
      String name =
          to.equals(DType.FLOAT64)
              ? "uint64ToDouble"
              : to.equals(DType.FLOAT32) ? "uint64ToFloat" : "uint64To" + JvmKind.title(to);
      code.invokestatic(Calls.OPS, name, Calls.type(JvmKind.of(to).desc(), ConstantDescs.CD_long));
      return;
    }
    JvmKind kind = JvmKind.of(from);
    if (to.bits() == 16) {
      if (kind == JvmKind.LONG) {
        code.invokestatic(
            Calls.OPS,
            "int64To" + JvmKind.title(to),
            Calls.type(ConstantDescs.CD_float, ConstantDescs.CD_long));
      } else {
        code.i2d();
        round(code, to, JvmKind.DOUBLE);
      }
      return;
    }
    boolean single = to.equals(DType.FLOAT32);
    if (kind == JvmKind.LONG) {
      if (single) {
        code.l2f();
      } else {
        code.l2d();
      }
    } else if (single) {
      code.i2f();
    } else {
      code.i2d();
    }
  }
}
