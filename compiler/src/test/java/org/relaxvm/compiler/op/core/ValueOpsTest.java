package org.relaxvm.compiler.op.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.core.Rules.FOUR;
import static org.relaxvm.compiler.op.core.Rules.call;
import static org.relaxvm.compiler.op.core.Rules.var;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

/** Shapes as values, printing and assertions: docs/spec/relax-ir.md, section 6.2. */
class ValueOpsTest {
  private final Rules rules = new Rules();
  private final Var n = Var.index("n");

  private static Call of(OpDef op, Type arg) {
    return call(op, List.of(var(arg)));
  }

  @Test
  void nullIsAnything() {
    rules.gives(ValueOps.nullValue(), AnyType.ANY);
  }

  @Test
  void printingAndAssertionsGiveNothing() {
    StringImm format = new StringImm("{}");
    rules.gives(call(ValueOps.PRINT, List.of(format, var(FOUR), var(FOUR))), TupleType.VOID);
    assertThat(ValueOps.PRINT.packedName()).contains("relax.run.print");
    assertThat(ValueOps.ASSERT.packedName()).contains("relax.run.assert_op");
    for (Type condition :
        List.of(
            new PrimType(DType.BOOL),
            TensorType.of(DType.BOOL),
            TensorType.unknown(),
            AnyType.ANY)) {
      rules.gives(call(ValueOps.ASSERT, List.of(var(condition), format)), TupleType.VOID);
    }
    rules.refuses(
        of(ValueOps.ASSERT, FOUR),
        "assert_op: the argument condition must be a boolean, but is R.Tensor((4,),"
            + " dtype=\"float32\")");
    rules.refuses(
        of(ValueOps.ASSERT, new PrimType(DType.INT64)),
        "assert_op: the argument condition must be a boolean, but is R.Prim(\"int64\")");
  }

  @Test
  void theShapeOfATensorIsAsKnownAsItsType() {
    rules.gives(
        ValueOps.shapeOf(var(TensorType.of(DType.FLOAT32, n, 4))),
        ShapeType.of(List.of(n, IntImm.of(4))));
    rules.gives(ValueOps.shapeOf(var(TensorType.of(DType.FLOAT32))), ShapeType.of(List.of()));
    rules.gives(ValueOps.shapeOf(var(TensorType.ofRank(DType.FLOAT32, 2))), ShapeType.ofRank(2));
    rules.gives(ValueOps.shapeOf(var(TensorType.unknown())), ShapeType.unknown());
    rules.refuses(
        ValueOps.shapeOf(var(ShapeType.unknown())),
        "shape_of: the argument x must be a tensor, but is R.Shape");
  }

  @Test
  void aTensorOfIntegersWithOneAxisBecomesAShape() {
    rules.gives(of(ValueOps.TENSOR_TO_SHAPE, TensorType.of(DType.INT64, 3)), ShapeType.ofRank(3));
    rules.gives(of(ValueOps.TENSOR_TO_SHAPE, TensorType.of(DType.INT64, n)), ShapeType.unknown());
    rules.gives(
        of(ValueOps.TENSOR_TO_SHAPE, TensorType.ofRank(DType.INT64, 1)), ShapeType.unknown());
    rules.gives(of(ValueOps.TENSOR_TO_SHAPE, TensorType.unknown()), ShapeType.unknown());
    String expected =
        "tensor_to_shape: the argument x must be a tensor of integers with one axis, but is ";
    rules.refuses(
        of(ValueOps.TENSOR_TO_SHAPE, FOUR), expected + "R.Tensor((4,), dtype=\"float32\")");
    rules.refuses(
        of(ValueOps.TENSOR_TO_SHAPE, TensorType.of(DType.INT64)),
        expected + "R.Tensor((), dtype=\"int64\")");
  }

  @Test
  void aShapeBecomesATensorOfInt64() {
    rules.gives(
        call(ValueOps.SHAPE_TO_TENSOR, List.of(ShapeExpr.of(n, 4))), TensorType.of(DType.INT64, 2));
    rules.gives(
        of(ValueOps.SHAPE_TO_TENSOR, ShapeType.unknown()), TensorType.ofRank(DType.INT64, 1));
    rules.refuses(
        of(ValueOps.SHAPE_TO_TENSOR, FOUR),
        "shape_to_tensor: the argument shape must be a shape, but is R.Tensor((4,),"
            + " dtype=\"float32\")");
  }

  @Test
  void theSizeOfATensorIsAnInt64TensorWithoutAxes() {
    rules.gives(of(ValueOps.SIZE, TensorType.unknown()), TensorType.of(DType.INT64));
    rules.refuses(
        of(ValueOps.SIZE, AnyType.ANY), "size: the argument x must be a tensor, but is R.Any");
  }

  @Test
  void aTensorIsPutOnAVirtualDevice() {
    for (OpDef op : List.of(ValueOps.TO_VDEVICE, ValueOps.HINT_ON_DEVICE)) {
      List<Expr> x = List.of(var(FOUR));
      rules.gives(
          call(op, x, Attrs.of("dst_vdevice", "cuda:1:shared")),
          FOUR.withVDevice(Optional.of(new VDevice("cuda", 1, "shared"))));
      rules.gives(
          call(op, x, Attrs.of("dst_vdevice", "cpu")),
          FOUR.withVDevice(Optional.of(new VDevice("cpu", 0, "global"))));
      rules.refuses(
          call(op, x, Attrs.of("dst_vdevice", "cuda:first")),
          op.name() + ": dst_vdevice must be like cuda:0:global, but is cuda:first");
      rules.refuses(call(op, x), op.name() + ": the attribute dst_vdevice must be given: a text");
    }
  }

  @Test
  void theseHaveEffects() {
    assertThat(ValueOps.all().stream().filter(op -> !op.isPure()).map(OpDef::name))
        .containsExactly("print", "assert_op");
  }
}
