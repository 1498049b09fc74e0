package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;

/**
 * What a scalar is on the JVM. Integers of up to 32 bits with a sign and of up to 16 without are
 * ints in the range of their dtype, booleans 0 or 1; {@code uint32} is a long in its range, {@code
 * uint64} the same 64 bits. Floats of 8 and 16 bits are floats that are numbers of their dtype.
 */
enum JvmKind {
  INT(TypeKind.INT, ConstantDescs.CD_int),
  LONG(TypeKind.LONG, ConstantDescs.CD_long),
  FLOAT(TypeKind.FLOAT, ConstantDescs.CD_float),
  DOUBLE(TypeKind.DOUBLE, ConstantDescs.CD_double);

  private final TypeKind type;
  private final ClassDesc desc;

  JvmKind(TypeKind type, ClassDesc desc) {
    this.type = type;
    this.desc = desc;
  }

  TypeKind type() {
    return type;
  }

  ClassDesc desc() {
    return desc;
  }

  static JvmKind of(DType dtype) {
    if (dtype.isFloat()) {
      return dtype.bits() == 64 ? DOUBLE : FLOAT;
    }
    boolean wide = dtype.bits() == 64 || (dtype.bits() == 32 && DTypes.isUnsigned(dtype));
    return wide ? LONG : INT;
  }

  /** The name of a dtype in names of methods, such as {@code Float32} or {@code Float8E5m2}. */
  static String title(DType dtype) {
    StringBuilder title = new StringBuilder();
    for (String part : dtype.toString().split("_")) {
      title.append(Character.toUpperCase(part.charAt(0))).append(part, 1, part.length());
    }
    return title.toString();
  }
}
