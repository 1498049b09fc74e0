package org.relaxvm.backendcpu.codegen.emit;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.MemorySegment;

/** The classes that generated code calls. */
final class Calls {
  private static final String CODEGEN = "org.relaxvm.backendcpu.codegen.";
  private static final String VECTOR = "org.relaxvm.backendcpu.vector.";

  static final ClassDesc CODE = ClassDesc.of(CODEGEN + "KernelCode");
  static final ClassDesc FRAME = ClassDesc.of(CODEGEN + "KernelFrame");
  static final ClassDesc ACCESS = ClassDesc.of(CODEGEN + "ScalarAccess");
  static final ClassDesc OPS = ClassDesc.of(CODEGEN + "ScalarOps");
  static final ClassDesc FAILURES = ClassDesc.of("org.relaxvm.backendcpu.invocation.Failures");
  static final ClassDesc PACKED = ClassDesc.of(CODEGEN + "PackedCalls");
  static final ClassDesc HIDDEN_STEP = ClassDesc.of(CODEGEN + "HiddenStep");
  static final ClassDesc PROCESS = ClassDesc.of(VECTOR + "ProcessMemory");
  static final ClassDesc NATIVE = ClassDesc.of(VECTOR + "NativeMemory");
  static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();
  static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  static final ClassDesc FLOAT_FUNCTIONS = ClassDesc.of("org.relaxvm.tir.scalar.FloatFunctions");
  static final ClassDesc INTRINSIC = ClassDesc.of("org.relaxvm.tir.expr.Intrinsic");

  static final MethodTypeDesc RUN = MethodTypeDesc.of(ConstantDescs.CD_void, FRAME);
  static final MethodTypeDesc PART =
      MethodTypeDesc.of(ConstantDescs.CD_void, FRAME, ConstantDescs.CD_long, ConstantDescs.CD_long);

  private Calls() {}

  static MethodTypeDesc type(ClassDesc result, ClassDesc... args) {
    return MethodTypeDesc.of(result, args);
  }
}
