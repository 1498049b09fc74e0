package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Writes calls of vector code that works on blocks of elements: turns tiles, applies functions. */
final class BlockEmitter {
  private static final ClassDesc TILES =
      ClassDesc.of("org.relaxvm.backendcpu.vector.movement.TileTranspose");

  private static final ClassDesc FUNCTIONS =
      ClassDesc.of("org.relaxvm.backendcpu.vector.block.FunctionBlocks");
  private static final ClassDesc UNARY_OP = ClassDesc.of("org.relaxvm.backendcpu.element.UnaryOp");

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

  private BlockEmitter() {}

  static void emit(ScalarEmitter scalars, Node.Transpose transpose) {
    CodeBuilder code = scalars.code();
    emitMatrix(scalars, transpose.from(), transpose.fromPlace(), transpose.fromStep());
    emitMatrix(scalars, transpose.to(), transpose.toPlace(), transpose.toStep());
    scalars.emit(transpose.rows());
    scalars.emit(transpose.columns());
    code.loadConstant(transpose.from().dtype().elementByteSize());
    code.invokestatic(TILES, "run", RUN);
  }

  static void emit(ScalarEmitter scalars, Node.Apply apply) {
    CodeBuilder code = scalars.code();
    List<ClassDesc> types = new ArrayList<>();
    if (apply.args().size() == 1) {
      UnaryOp op = UnaryOp.valueOf(apply.op().name());
      code.getstatic(UNARY_OP, op.name(), UNARY_OP);
      types.add(UNARY_OP);
    }
    for (Buffer arg : apply.args()) {
      scalars.emitPlace(arg, IntImm.of(0));
      types.addAll(List.of(Calls.SEGMENT, ConstantDescs.CD_long));
    }
    scalars.emit(apply.count());
    types.add(ConstantDescs.CD_long);
    code.invokestatic(
        FUNCTIONS,
        apply.args().getFirst().dtype().toString(),
        MethodTypeDesc.of(ConstantDescs.CD_void, types));
  }

  /** The memory, the place of the first element, and the distance of rows in bytes. */
  private static void emitMatrix(
      ScalarEmitter scalars, Buffer buffer, PrimExpr place, PrimExpr step) {
    scalars.emitPlace(buffer, place);
    scalars.emit(Exprs.mul(step, buffer.dtype().elementByteSize()));
  }
}
