package org.relaxvm.compiler.type.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.type.check.Fit.IMPOSSIBLE;
import static org.relaxvm.compiler.type.check.Fit.NEEDS_SHAPE_CHECK;
import static org.relaxvm.compiler.type.check.Fit.NEEDS_TYPE_CHECK;
import static org.relaxvm.compiler.type.check.Fit.PASS;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;

/** The rows of the table of docs/spec/relax-ir.md, section 8.2, both directions. */
class BaseCheckTest {
  private static final Type F32 = TensorType.ofRank(DType.FLOAT32, 2);
  private final Analyzer analyzer = new Analyzer();
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  /** How a type fits where the other is expected, and the other way round. */
  private void fits(Type base, Type derived, Fit forth, Fit back) {
    BaseCheck check = new BaseCheck(analyzer);
    assertThat(check.check(base, derived)).as("%s as %s", derived, base).isEqualTo(forth);
    assertThat(check.check(derived, base)).as("%s as %s", base, derived).isEqualTo(back);
    assertThat(BaseCheck.isBaseOf(base, derived, analyzer)).isEqualTo(forth == PASS);
  }

  private static Type shape(Object... dims) {
    return ShapeExpr.of(dims).type();
  }

  private static TensorType tensor(Object... dims) {
    return TensorType.of(DType.FLOAT32, dims);
  }

  @Test
  void theWorseOfTwoCounts() {
    assertThat(PASS.and(NEEDS_SHAPE_CHECK)).isEqualTo(NEEDS_SHAPE_CHECK);
    assertThat(NEEDS_SHAPE_CHECK.and(NEEDS_TYPE_CHECK)).isEqualTo(NEEDS_TYPE_CHECK);
    assertThat(IMPOSSIBLE.and(NEEDS_TYPE_CHECK)).isEqualTo(IMPOSSIBLE);
  }

  @Test
  void anythingIsABaseOfAll() {
    fits(AnyType.ANY, AnyType.ANY, PASS, PASS);
    for (Type type :
        List.of(
            new PrimType(DType.INT64),
            ShapeType.unknown(),
            F32,
            TupleType.VOID,
            FuncType.packed())) {
      fits(AnyType.ANY, type, PASS, NEEDS_TYPE_CHECK);
    }
  }

  @Test
  void scalarsAreOfOneDType() {
    fits(new PrimType(DType.INT64), new PrimType(DType.INT64), PASS, PASS);
    fits(new PrimType(DType.INT64), new PrimType(DType.INT32), IMPOSSIBLE, IMPOSSIBLE);
  }

  @Test
  void kindsDoNotMix() {
    List<Type> kinds =
        List.of(
            new PrimType(DType.INT64), ShapeType.unknown(), F32, TupleType.VOID, FuncType.packed());
    for (Type a : kinds) {
      for (Type b : kinds) {
        if (!a.equals(b)) {
          fits(a, b, IMPOSSIBLE, IMPOSSIBLE);
        }
      }
    }
  }

  @Test
  void shapesAreComparedByAxesAndThenByExtents() {
    fits(ShapeType.unknown(), ShapeType.ofRank(2), PASS, NEEDS_TYPE_CHECK);
    fits(ShapeType.unknown(), shape(2, 3), PASS, NEEDS_TYPE_CHECK);
    fits(ShapeType.ofRank(2), ShapeType.ofRank(3), IMPOSSIBLE, IMPOSSIBLE);
    fits(ShapeType.ofRank(2), shape(2, 3), PASS, NEEDS_SHAPE_CHECK);
    fits(ShapeType.ofRank(2), shape(2, 3, 4), IMPOSSIBLE, IMPOSSIBLE);
    fits(shape(2, 3), shape(2, 3), PASS, PASS);
    fits(shape(2, 3), shape(2, 4), IMPOSSIBLE, IMPOSSIBLE);
    fits(shape(n, 3), shape(m, 3), NEEDS_SHAPE_CHECK, NEEDS_SHAPE_CHECK);
    fits(shape(n, 3), shape(m, 4), IMPOSSIBLE, IMPOSSIBLE);
    fits(shape(Exprs.mul(n, m)), shape(Exprs.mul(m, n)), PASS, PASS);
    fits(shape(n), shape(4), NEEDS_SHAPE_CHECK, NEEDS_SHAPE_CHECK);
  }

  @Test
  void aShapeWithoutAxesIsAKnownOne() {
    fits(shape(), ShapeType.ofRank(0), NEEDS_SHAPE_CHECK, PASS);
    fits(shape(), shape(), PASS, PASS);
    assertThat(TensorType.of(DType.FLOAT32).shape()).isPresent();
    fits(TensorType.ofRank(DType.FLOAT32, 0), tensor(), PASS, NEEDS_SHAPE_CHECK);
  }

  @Test
  void tensorsAreComparedByDTypeAxesDeviceAndExtents() {
    fits(TensorType.unknown(), F32, PASS, NEEDS_TYPE_CHECK);
    fits(TensorType.ofRank(Optional.empty(), 2), F32, PASS, NEEDS_TYPE_CHECK);
    fits(F32, TensorType.ofRank(DType.INT32, 2), IMPOSSIBLE, IMPOSSIBLE);
    fits(TensorType.ofRank(DType.FLOAT32, -1), F32, PASS, NEEDS_TYPE_CHECK);
    fits(F32, TensorType.ofRank(DType.FLOAT32, 3), IMPOSSIBLE, IMPOSSIBLE);
    fits(F32, tensor(2, 3), PASS, NEEDS_SHAPE_CHECK);
    fits(tensor(n, 3), tensor(n, 3), PASS, PASS);
    fits(tensor(n, 3), tensor(m, 3), NEEDS_SHAPE_CHECK, NEEDS_SHAPE_CHECK);
    fits(tensor(2, 3), tensor(2, 4), IMPOSSIBLE, IMPOSSIBLE);
    fits(tensor(2, 3), TensorType.ofRank(Optional.empty(), 2), NEEDS_TYPE_CHECK, PASS);
  }

  @Test
  void devicesOfTensorsAreTheSameOrAreToBeChecked() {
    TensorType here = tensor(2).withVDevice(Optional.of(new VDevice("cpu", 0, "global")));
    TensorType there = tensor(2).withVDevice(Optional.of(new VDevice("cuda", 0, "global")));
    fits(here, here, PASS, PASS);
    fits(here, there, IMPOSSIBLE, IMPOSSIBLE);
    fits(here, tensor(2), NEEDS_TYPE_CHECK, PASS);
  }

  @Test
  void aShapeThatIsAVariableIsKnownToBeItselfOnly() {
    RelaxVar s = new RelaxVar("s", ShapeType.ofRank(2));
    TensorType shaped = TensorType.of(Optional.of(DType.FLOAT32), s);
    RelaxVar other = new RelaxVar("s", ShapeType.ofRank(2));
    fits(shaped, shaped, PASS, PASS);
    fits(
        shaped,
        TensorType.of(Optional.of(DType.FLOAT32), other),
        NEEDS_SHAPE_CHECK,
        NEEDS_SHAPE_CHECK);
    fits(shaped, tensor(2, 3), NEEDS_SHAPE_CHECK, NEEDS_SHAPE_CHECK);
    fits(F32, shaped, PASS, NEEDS_SHAPE_CHECK);
  }

  @Test
  void tuplesAreComparedFieldByField() {
    fits(TupleType.of(F32, F32), TupleType.of(F32), IMPOSSIBLE, IMPOSSIBLE);
    fits(
        TupleType.of(F32, ShapeType.unknown()),
        TupleType.of(tensor(2, 3), ShapeType.ofRank(1)),
        PASS,
        NEEDS_TYPE_CHECK);
  }

  @Test
  void functionsAreComparedByPurityParametersAndResult() {
    FuncType pure = FuncType.of(List.of(tensor(n)), tensor(n), true);
    FuncType impure = FuncType.of(List.of(tensor(n)), tensor(n), false);
    fits(pure, impure, IMPOSSIBLE, PASS);
    fits(pure, FuncType.of(List.of(tensor(m)), tensor(m), true), PASS, PASS);
    fits(FuncType.packed(), FuncType.packed(), PASS, PASS);
    fits(FuncType.packed(), impure, NEEDS_SHAPE_CHECK, NEEDS_SHAPE_CHECK);
    fits(
        FuncType.opaque(F32, false), FuncType.opaque(tensor(2, 3), false), PASS, NEEDS_SHAPE_CHECK);
    fits(
        FuncType.opaque(F32, true),
        FuncType.of(List.of(), tensor(2, 3), true),
        PASS,
        NEEDS_SHAPE_CHECK);
    fits(
        FuncType.of(List.of(tensor(2)), F32, true),
        FuncType.of(List.of(AnyType.ANY), F32, true),
        NEEDS_SHAPE_CHECK,
        PASS);
    fits(
        FuncType.of(List.of(tensor(2)), F32, true),
        FuncType.of(List.of(), F32, true),
        IMPOSSIBLE,
        IMPOSSIBLE);
  }
}
