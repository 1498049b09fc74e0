package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.Programs.assertEqual;
import static org.relaxvm.compiler.Programs.lines;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

class LowerAllocTensorTest {
  private static final Var N = Var.index("n");
  private static final Var M = Var.index("m");

  private static Call alloc(Expr shape, DType dtype) {
    return Call.of(
        MemoryOps.BUILTIN_ALLOC_TENSOR,
        shape,
        new DataTypeImm(dtype),
        PrimValue.of(0),
        new StringImm("global"));
  }

  private static IRModule run(IRModule module) {
    return Lowering.run(new LowerAllocTensor(), module);
  }

  private static String storageOf(DType dtype, Object... dims) {
    IRModule program =
        main(
            List.of(),
            f -> {
              f.param("x", TensorType.of(DType.FLOAT32, N, M));
              return f.emit(alloc(ShapeExpr.of(dims), dtype));
            });
    return lines(main(run(program))).getFirst();
  }

  @Test
  void aTensorGetsStorageOfItsOwn() {
    IRModule program =
        main(List.of(), f -> f.emit("x", alloc(ShapeExpr.of(16, 32), DType.FLOAT32)));
    IRModule expected =
        main(
            List.of(),
            f -> {
              RelaxVar storage =
                  f.emit(
                      "storage", MemoryOps.allocStorage(IntImm.of(2048), 0, "global", DType.UINT8));
              return f.emit(
                  "x", MemoryOps.allocTensor(storage, 0, ShapeExpr.of(16, 32), DType.FLOAT32, 0));
            });
    assertEqual(run(program), expected);
  }

  @Test
  void symbolicBytesAreAProductFromLeftToRight() {
    assertThat(storageOf(DType.FLOAT32, N, 10, M))
        .isEqualTo(
            "storage = R.memory.alloc_storage(R.shape([4 * n * 10 * m]), R.prim_value(0),"
                + " R.str(\"global\"), R.dtype(\"uint8\"))");
  }

  @Test
  void booleansAreBytesAndScalarsOneElement() {
    assertThat(storageOf(DType.BOOL, 3)).contains("R.shape([3])");
    assertThat(storageOf(DType.FLOAT64)).contains("R.shape([8])");
  }

  @Test
  void elementsSmallerThanBytesShareThem() {
    DType int4 = DType.parse("int4");
    assertThat(storageOf(int4, 3)).contains("R.shape([2])");
    assertThat(storageOf(int4, N)).contains("R.shape([(4 * n + 7) // 8])");
  }

  @Test
  void aShapeInAVariableIsLookedUp() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar shape = f.emit("s", ShapeExpr.of(2, 3));
              return f.emit("x", alloc(shape, DType.FLOAT32));
            });
    assertThat(lines(main(run(program))))
        .containsExactly(
            "s = R.shape([2, 3])",
            "storage = R.memory.alloc_storage(R.shape([24]), R.prim_value(0), R.str(\"global\"),"
                + " R.dtype(\"uint8\"))",
            "x = R.memory.alloc_tensor(storage, R.prim_value(0), s, R.dtype(\"float32\"),"
                + " R.prim_value(0))",
            "return x");
  }

  @Test
  void anUnknownShapeIsRefused() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar shape = f.param("s", ShapeType.ofRank(2));
              return f.emit("x", alloc(shape, DType.FLOAT32));
            });
    assertThatThrownBy(() -> run(program))
        .hasMessage(
            "the extents of the tensor that R.builtin.alloc_tensor(s, R.dtype(\"float32\"),"
                + " R.prim_value(0), R.str(\"global\")) makes are not known, so that its size is"
                + " not either; expected a shape with known extents, but it is R.Shape(ndim=2)\n"
                + "  at function main, x = R.builtin.alloc_tensor(s, R.dtype(\"float32\"),"
                + " R.prim_value(0), R.str(\"global\"))");
  }
}
