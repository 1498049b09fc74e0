package org.relaxvm.backendcpu.codegen.emit;

import java.lang.constant.ClassDesc;
import org.relaxvm.api.DType;

/** What the lanes of a vector are. */
enum LaneKind {
  FLOAT("FloatVector"),
  DOUBLE("DoubleVector"),
  INT("IntVector"),
  LONG("LongVector"),
  /** Booleans, over lanes of ints. */
  MASK("VectorMask");

  private final ClassDesc desc;

  LaneKind(String type) {
    this.desc = ClassDesc.of("jdk.incubator.vector." + type);
  }

  ClassDesc desc() {
    return desc;
  }

  static LaneKind of(DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return MASK;
    }
    if (dtype.isFloat()) {
      return dtype.bits() == 64 ? DOUBLE : FLOAT;
    }
    return dtype.bits() == 64 ? LONG : INT;
  }
}
