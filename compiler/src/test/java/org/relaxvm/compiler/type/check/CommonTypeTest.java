package org.relaxvm.compiler.type.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
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
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

/** What types have in common: docs/spec/relax-ir.md, section 8.3. */
class CommonTypeTest {
  private final Analyzer analyzer = new Analyzer();
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  private void common(Type a, Type b, Type expected) {
    assertThat(CommonType.of(a, b, analyzer)).isEqualTo(expected);
    assertThat(CommonType.of(b, a, analyzer)).isEqualTo(expected);
  }

  private static TensorType tensor(Object... dims) {
    return TensorType.of(DType.FLOAT32, dims);
  }

  @Test
  void anythingAndKindsThatDifferGiveAnything() {
    common(AnyType.ANY, tensor(2), AnyType.ANY);
    common(tensor(2), ShapeType.ofRank(1), AnyType.ANY);
    common(new PrimType(DType.INT64), new PrimType(DType.BOOL), AnyType.ANY);
    common(new PrimType(DType.INT64), new PrimType(DType.INT64), new PrimType(DType.INT64));
  }

  @Test
  void theFirstIsGivenWhenBothAreTheSame() {
    Type first = tensor(n, 2);
    assertThat(CommonType.of(first, tensor(n, 2), analyzer)).isSameAs(first);
    Type product = tensor(Exprs.mul(n, m));
    assertThat(CommonType.of(product, tensor(Exprs.mul(m, n)), analyzer)).isEqualTo(product);
  }

  @Test
  void shapesKeepExtentsThatAreTheSameElseTheNumberOfAxes() {
    common(ShapeExpr.of(n, 2).type(), ShapeExpr.of(n, 3).type(), ShapeType.ofRank(2));
    common(ShapeExpr.of(n, 2).type(), ShapeExpr.of(n).type(), ShapeType.unknown());
    common(ShapeExpr.of(n, 2).type(), ShapeType.unknown(), ShapeType.unknown());
  }

  @Test
  void tensorsKeepWhatBothHave() {
    common(tensor(n, 2), tensor(m, 2), TensorType.ofRank(DType.FLOAT32, 2));
    common(tensor(n), tensor(n, 2), TensorType.ofRank(DType.FLOAT32, -1));
    common(
        tensor(n, 2),
        TensorType.of(DType.INT32, n, 2),
        TensorType.of(Optional.empty(), List.of(n, IntImm.of(2))));
    VDevice cpu = new VDevice("cpu", 0, "global");
    common(tensor(2).withVDevice(Optional.of(cpu)), tensor(2), tensor(2));
  }

  @Test
  void tuplesOfOneLengthAreTakenFieldByField() {
    common(
        TupleType.of(tensor(n), tensor(2)),
        TupleType.of(tensor(m), tensor(2)),
        TupleType.of(TensorType.ofRank(DType.FLOAT32, 1), tensor(2)));
    common(TupleType.of(tensor(n)), TupleType.of(tensor(n), tensor(n)), AnyType.ANY);
  }

  @Test
  void functionsArePureWhenBothAre() {
    FuncType pure = FuncType.of(List.of(tensor(n)), tensor(n), true);
    FuncType impure = FuncType.of(List.of(tensor(n)), tensor(n), false);
    common(pure, impure, impure);
    FuncType renamed = FuncType.of(List.of(tensor(m)), tensor(m), true);
    assertThat(CommonType.of(pure, renamed, analyzer)).isSameAs(pure);
    common(
        FuncType.of(List.of(tensor(2)), tensor(2), true),
        FuncType.of(List.of(tensor(3)), tensor(2), true),
        FuncType.of(List.of(TensorType.ofRank(DType.FLOAT32, 1)), tensor(2), true));
    common(
        FuncType.of(List.of(tensor(2)), tensor(2), true),
        FuncType.of(List.of(), tensor(3), true),
        FuncType.opaque(TensorType.ofRank(DType.FLOAT32, 1), true));
    common(
        FuncType.opaque(tensor(2), true), FuncType.packed(), FuncType.opaque(AnyType.ANY, false));
    common(
        FuncType.opaque(tensor(2), true),
        FuncType.of(List.of(), tensor(3), true),
        FuncType.opaque(TensorType.ofRank(DType.FLOAT32, 1), true));
    common(FuncType.packed(), FuncType.packed(), FuncType.packed());
  }
}
