package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/** Writes turned copies of tiles: calls of the vector code that turns them. */
final class TransposeEmitter {
  private static final ClassDesc TILES =
      ClassDesc.of("org.relaxvm.backendcpu.vector.movement.TileTranspose");

  private static final MethodTypeDesc RUN =
      Calls.type(
          ConstantDescs.CD_void,
          Calls.SEGMENT,
          ConstantDescs.CD_long,
          ConstantDescs.CD_long,
          Calls.SEGMENT,
          ConstantDescs.CD_long,
          ConstantDescs.CD_long,
          ConstantDescs.CD_long,
          ConstantDescs.CD_long,
          ConstantDescs.CD_int);

  private TransposeEmitter() {}

  static void emit(ScalarEmitter scalars, Node.Transpose transpose) {
    CodeBuilder code = scalars.code();
    emitMatrix(scalars, transpose.from(), transpose.fromPlace(), transpose.fromStep());
    emitMatrix(scalars, transpose.to(), transpose.toPlace(), transpose.toStep());
    scalars.emit(transpose.rows());
    scalars.emit(transpose.columns());
    code.loadConstant(transpose.from().dtype().elementByteSize());
    code.invokestatic(TILES, "run", RUN);
  }

  /** The memory, the place of the first element, and the distance of rows in bytes. */
  private static void emitMatrix(
      ScalarEmitter scalars, Buffer buffer, PrimExpr place, PrimExpr step) {
    scalars.emitPlace(buffer, place);
    scalars.emit(Exprs.mul(step, buffer.dtype().elementByteSize()));
  }
}
