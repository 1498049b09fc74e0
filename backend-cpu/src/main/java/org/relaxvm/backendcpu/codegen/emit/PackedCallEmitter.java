package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.PackedArg;

/** Writes calls of functions by name: their arguments go into an array. */
final class PackedCallEmitter {
  private PackedCallEmitter() {}

  static void emit(ClassPlan plan, ScalarEmitter scalars, int frame, Node.Invoke invoke) {
    CodeBuilder code = scalars.code();
    code.aload(frame).loadConstant(plan.function(invoke.name()));
    array(code, invoke.args().size());
    for (int i = 0; i < invoke.args().size(); i++) {
      code.dup().loadConstant(i);
      switch (invoke.args().get(i)) {
        case PackedArg.OfText(String text) -> code.loadConstant(text);
        case PackedArg.OfScalar(PrimExpr value) -> box(code, scalars, value);
        case PackedArg.OfBuffer(Buffer buffer) -> tensor(plan, scalars, frame, buffer);
        case PackedArg.OfHandle _, PackedArg.OfItem _, PackedArg.OfNull _ ->
            throw new IllegalStateException("a kernel has no handles and lists");
      }
      code.aastore();
    }
    code.invokestatic(
        Calls.PACKED,
        "call",
        Calls.type(
            ConstantDescs.CD_void,
            Calls.FRAME,
            ConstantDescs.CD_int,
            ConstantDescs.CD_Object.arrayType()));
  }

  private static void array(CodeBuilder code, int length) {
    code.loadConstant(length);
    code.anewarray(ConstantDescs.CD_Object);
  }

  private static void box(CodeBuilder code, ScalarEmitter scalars, PrimExpr value) {
    scalars.emit(value);
    DType dtype = value.dtype();
    String type;
    ClassDesc primitive;
    if (dtype.equals(DType.BOOL)) {
      type = "Boolean";
      primitive = ConstantDescs.CD_boolean;
    } else if (dtype.isFloat()) {
      ScalarCasts.toDouble(code, dtype);
      type = "Double";
      primitive = ConstantDescs.CD_double;
    } else {
      ScalarCasts.toLong(code, dtype);
      type = "Long";
      primitive = ConstantDescs.CD_long;
    }
    ClassDesc boxed = ClassDesc.of("java.lang." + type);
    code.invokestatic(boxed, "valueOf", Calls.type(boxed, primitive));
  }

  private static void tensor(ClassPlan plan, ScalarEmitter scalars, int frame, Buffer buffer) {
    CodeBuilder code = scalars.code();
    code.aload(frame).loadConstant(plan.number(buffer));
    code.loadConstant(buffer.dtype().toString());
    @Nullable List<PrimExpr> shape = plan.shapeOrNull(buffer);
    List<PrimExpr> dims = shape == null ? List.of() : shape;
    code.loadConstant(dims.size());
    code.newarray(java.lang.classfile.TypeKind.LONG);
    for (int i = 0; i < dims.size(); i++) {
      code.dup().loadConstant(i);
      scalars.emit(dims.get(i));
      code.lastore();
    }
    code.invokestatic(
        Calls.PACKED,
        "tensor",
        Calls.type(
            ConstantDescs.CD_Object,
            Calls.FRAME,
            ConstantDescs.CD_int,
            ConstantDescs.CD_String,
            ConstantDescs.CD_long.arrayType()));
  }
}
