package org.relaxvm.compiler.type.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

/** What calls of functions give: docs/spec/relax-ir.md, sections 8.4 and 8.5. */
class CallDerivationTest {
  private final Analyzer analyzer = new Analyzer();
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");
  private final Var k = Var.index("k");

  private static TensorType tensor(Object... dims) {
    return TensorType.of(DType.FLOAT32, dims);
  }

  private Type call(FuncType function, Type... args) {
    return CallDerivation.of("f", function, List.of(args), List.of(), analyzer);
  }

  private void refused(FuncType function, List<Type> args, String message) {
    assertThatThrownBy(() -> CallDerivation.of("f", function, args, List.of(), analyzer))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  @Test
  void replacesSymbolicVariablesByTheExtentsOfArguments() {
    FuncType f = FuncType.of(List.of(tensor(n), tensor(n, m)), tensor(Exprs.add(n, m)), true);
    assertThat(call(f, tensor(3), tensor(3, k))).isEqualTo(tensor(Exprs.add(k, 3)));
    assertThat(call(f, tensor(3), tensor(4, k))).isEqualTo(tensor(Exprs.add(k, 3)));
    refused(
        f,
        List.of(tensor(3), tensor(3)),
        """
        argument 1 of f: expected R.Tensor((n, m), dtype="float32"), but got \
        R.Tensor((3,), dtype="float32")\
        """);
  }

  @Test
  void wantsToKnowKindDTypeAndAxesOfArguments() {
    FuncType f = FuncType.of(List.of(tensor(n)), tensor(n), true);
    refused(
        f,
        List.of(AnyType.ANY),
        """
        argument 0 of f: expected R.Tensor((n,), dtype="float32"), but got R.Any; say what it is \
        with match_cast in front of the call\
        """);
    refused(
        f,
        List.of(TensorType.unknown()),
        """
        argument 0 of f: expected R.Tensor((n,), dtype="float32"), but got R.Tensor; say what it \
        is with match_cast in front of the call\
        """);
    refused(f, List.of(), "f takes 1 argument, but got 0");
  }

  @Test
  void dropsAShapeOfWhichAVariableIsNotKnown() {
    FuncType f =
        FuncType.of(
            List.of(tensor(n)),
            TupleType.of(tensor(n, k), ShapeType.of(List.of(k)), tensor(n)),
            true);
    assertThat(call(f, tensor(3)))
        .isEqualTo(
            TupleType.of(TensorType.ofRank(DType.FLOAT32, 2), ShapeType.ofRank(1), tensor(3)));
    assertThat(call(f, TensorType.ofRank(DType.FLOAT32, 1)))
        .isEqualTo(
            TupleType.of(
                TensorType.ofRank(DType.FLOAT32, 2),
                ShapeType.ofRank(1),
                TensorType.ofRank(DType.FLOAT32, 1)));
  }

  @Test
  void keepsDTypeAndDeviceOfAShapeThatIsDropped() {
    VDevice cpu = new VDevice("cpu", 0, "global");
    TensorType onCpu = tensor(k).withVDevice(Optional.of(cpu));
    assertThat(call(FuncType.of(List.of(), onCpu, true)))
        .isEqualTo(TensorType.ofRank(DType.FLOAT32, 1).withVDevice(Optional.of(cpu)));
  }

  @Test
  void comparesComputedExtentsAndDoesNotSolveThem() {
    FuncType f = FuncType.of(List.of(tensor(Exprs.add(n, 1))), tensor(n), true);
    assertThat(call(f, tensor(5))).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
    FuncType g = FuncType.of(List.of(tensor(n), tensor(Exprs.add(n, 1))), tensor(n), true);
    assertThat(call(g, tensor(4), tensor(5))).isEqualTo(tensor(4));
  }

  @Test
  void takesExtentsOfShapesAndTuples() {
    FuncType f =
        FuncType.of(
            List.of(TupleType.of(ShapeType.of(List.of(n, m)), tensor(k))), tensor(n, m, k), true);
    assertThat(call(f, TupleType.of(ShapeType.of(List.of(IntImm.of(2), k)), tensor(7))))
        .isEqualTo(tensor(2, k, 7));
  }

  @Test
  void replacesAVariableThatHoldsAShapeByTheShapeOfAnArgument() {
    RelaxVar s = new RelaxVar("s", ShapeType.ofRank(2));
    TensorType shaped = TensorType.of(Optional.of(DType.FLOAT32), s);
    FuncType f = FuncType.of(List.of(shaped), shaped, true);
    assertThat(call(f, tensor(k, 4))).isEqualTo(tensor(k, 4));
    assertThat(call(FuncType.of(List.of(), shaped, true)))
        .isEqualTo(TensorType.ofRank(DType.FLOAT32, 2));
  }

  @Test
  void learnsNothingFromParametersThatAreFunctions() {
    FuncType inner = FuncType.of(List.of(tensor(n)), tensor(n), true);
    FuncType f = FuncType.of(List.of(inner), tensor(n), true);
    FuncType arg = FuncType.of(List.of(tensor(4)), tensor(4), true);
    assertThat(call(f, arg)).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
    FuncType opaque = FuncType.of(List.of(FuncType.opaque(tensor(n), true)), tensor(n), true);
    assertThat(call(opaque, FuncType.opaque(tensor(4), true)))
        .isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
  }

  @Test
  void letsCallsOfPackedFunctionsSayWhatTheyGive() {
    List<Type> args = List.of(tensor(2));
    assertThat(CallDerivation.of("f", FuncType.packed(), args, List.of(), analyzer))
        .isEqualTo(AnyType.ANY);
    assertThat(CallDerivation.of("f", FuncType.packed(), args, List.of(TupleType.VOID), analyzer))
        .isEqualTo(TupleType.VOID);
    assertThat(
            CallDerivation.of(
                "f", FuncType.packed(), args, List.of(tensor(1), tensor(2)), analyzer))
        .isEqualTo(TupleType.of(tensor(1), tensor(2)));
    assertThat(
            CallDerivation.of(
                "f", FuncType.opaque(tensor(9), true), args, List.of(tensor(1)), analyzer))
        .isEqualTo(tensor(9));
  }
}
