package org.relaxvm.compiler.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.TypeEquality;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;

/** When programs are the same: docs/spec/relax-ir.md, sections 2.2 and 5.4. */
class StructuralEqualityTest {
  private static Call f(Expr... args) {
    return Call.packed("f", List.of(args), List.of()).withType(AnyType.ANY);
  }

  private static RelaxVar any(String name) {
    return new RelaxVar(name, AnyType.ANY);
  }

  private static RelaxFunction function(List<RelaxVar> params, Expr body, Binding... bindings) {
    BindingBlock block = new BindingBlock(List.of(bindings), false);
    Type result = body.type();
    return new RelaxFunction(
        params, new SeqExpr(List.of(block), body, Optional.of(result)), result, false, Attrs.NONE);
  }

  /** The first parameter goes to f twice, under names of one's own. */
  private static RelaxFunction twice(String a, String b) {
    RelaxVar x = any(a);
    RelaxVar y = any(b);
    RelaxVar first = any("first");
    RelaxVar second = any("second");
    return function(
        List.of(x, y), second, new VarBinding(first, f(x)), new VarBinding(second, f(first, y)));
  }

  @Test
  void aVariableIsEqualToItselfOnly() {
    RelaxVar x = any("x");
    assertThat(Tuple.of(x)).isEqualTo(Tuple.of(x)).isNotEqualTo(Tuple.of(any("x")));
    assertThat(f(x)).isEqualTo(f(x)).isNotEqualTo(f(any("x")));
    Var n = Var.index("n");
    assertThat(ShapeExpr.of(n))
        .isEqualTo(ShapeExpr.of(n))
        .isNotEqualTo(ShapeExpr.of(Var.index("n")));
  }

  @Test
  void namesOfVariablesDoNotCount() {
    assertThat(StructuralEquality.areEqual((Expr) twice("x", "y"), twice("a", "b"))).isTrue();
    assertThat(StructuralEquality.areEqual((ModuleFunction) twice("x", "y"), twice("a", "b")))
        .isTrue();
  }

  @Test
  void usesOfVariablesCount() {
    RelaxVar x = any("x");
    RelaxVar y = any("y");
    RelaxVar r = any("r");
    RelaxVar a = any("a");
    RelaxVar b = any("b");
    RelaxVar s = any("s");
    RelaxFunction same = function(List.of(x, y), r, new VarBinding(r, f(x, x)));
    RelaxFunction other = function(List.of(a, b), s, new VarBinding(s, f(a, b)));
    assertThat(StructuralEquality.areEqual((Expr) same, other)).isFalse();
    assertThat(StructuralEquality.areEqual((Expr) other, same)).isFalse();
  }

  @Test
  void globalVariablesAreEqualByName() {
    assertThat(StructuralEquality.areEqual(new GlobalVar("f"), new GlobalVar("f"))).isTrue();
    assertThat(StructuralEquality.areEqual(new GlobalVar("f"), new GlobalVar("g"))).isFalse();
  }

  @Test
  void constantsAreEqualByTheirData() {
    Shape two = Shape.of(2);
    Constant a = new Constant(Tensor.of(new float[] {1, 2}, two));
    Constant b = new Constant(Tensor.of(new float[] {1, 2}, two));
    Constant c = new Constant(Tensor.of(new float[] {1, 3}, two));
    Constant d = new Constant(Tensor.of(new float[] {1, 2}, Shape.of(2, 1)));
    assertThat(StructuralEquality.areEqual(a, b)).isTrue();
    assertThat(StructuralEquality.areEqual(a, c)).isFalse();
    assertThat(StructuralEquality.areEqual(a, d)).isFalse();
  }

  @Test
  void symbolicVariablesOfParametersAreBoundInAnyOrder() {
    assertThat(StructuralEquality.areEqual((Expr) windowed(), windowed())).isTrue();
    Var n = Var.index("n");
    Var m = Var.index("m");
    RelaxVar x = new RelaxVar("x", TensorType.of(DType.FLOAT32, n, n));
    RelaxVar y = new RelaxVar("y", TensorType.of(DType.FLOAT32, n, m));
    assertThat(StructuralEquality.areEqual((Expr) function(List.of(x), x), function(List.of(y), y)))
        .isFalse();
  }

  private static RelaxFunction windowed() {
    Var n = Var.index("n");
    RelaxVar wide = new RelaxVar("wide", TensorType.of(DType.FLOAT32, Exprs.add(n, 1)));
    RelaxVar x = new RelaxVar("x", TensorType.of(DType.FLOAT32, n));
    return function(List.of(wide, x), x);
  }

  @Test
  void matchCastsBindSymbolicVariables() {
    assertThat(StructuralEquality.areEqual((Expr) cast(), cast())).isTrue();
  }

  private static RelaxFunction cast() {
    Var n = Var.index("n");
    RelaxVar x = any("x");
    RelaxVar y = new RelaxVar("y", TensorType.of(DType.FLOAT32, n));
    RelaxVar s = new RelaxVar("s", ShapeType.of(List.of(n)));
    return function(
        List.of(x), x, new MatchCast(y, x, y.type()), new VarBinding(s, ShapeExpr.of(n)));
  }

  @Test
  void localFunctionsSeeTheirOwnVariable() {
    assertThat(StructuralEquality.areEqual((Expr) recursive(true), recursive(true))).isTrue();
    assertThat(StructuralEquality.areEqual((Expr) recursive(true), recursive(false))).isFalse();
  }

  private static RelaxFunction recursive(boolean own) {
    RelaxVar x = any("x");
    RelaxVar a = any("a");
    RelaxVar r = any("r");
    FuncType type = FuncType.of(List.of(AnyType.ANY), AnyType.ANY, false);
    RelaxVar loop = new RelaxVar("loop", type);
    Call call = Call.of(own ? loop : x, a).withType(AnyType.ANY);
    RelaxFunction local = function(List.of(a), r, new VarBinding(r, call));
    return function(List.of(x), x, new VarBinding(loop, local));
  }

  @Test
  void kindsOfVariablesBlocksAttributesAndTypeArgumentsCount() {
    RelaxVar x = any("x");
    BindingBlock plain = new BindingBlock(List.of(new VarBinding(any("y"), f(x))), false);
    BindingBlock dataflow = new BindingBlock(plain.bindings(), true);
    BindingBlock local =
        new BindingBlock(List.of(new VarBinding(new DataflowVar("y", AnyType.ANY), f(x))), true);
    assertThat(equal(x, plain, dataflow)).isFalse();
    assertThat(equal(x, dataflow, local)).isFalse();
    assertThat(equal(x, dataflow, dataflow)).isTrue();
    assertThat(
            StructuralEquality.areEqual(
                Call.packed("f", List.of(x), List.of()),
                Call.packed("f", List.of(x), List.of(TupleType.VOID))))
        .isFalse();
    assertThat(
            StructuralEquality.areEqual(
                (Expr) function(List.of(), PrimValue.of(1)),
                function(List.of(), PrimValue.of(1)).withAttrs(Attrs.of("Primitive", 1))))
        .isFalse();
  }

  private static boolean equal(RelaxVar x, BindingBlock a, BindingBlock b) {
    return StructuralEquality.areEqual(SeqExpr.of(List.of(a), x), SeqExpr.of(List.of(b), x));
  }

  @Test
  void modulesAreEqualInAnyOrderOfTheirFunctions() {
    GlobalVar f = new GlobalVar("f");
    GlobalVar g = new GlobalVar("g");
    IRModule a = IRModule.EMPTY.with(f, twice("a", "b")).with(g, cast());
    IRModule b = IRModule.EMPTY.with(g, cast()).with(f, twice("c", "d"));
    assertThat(StructuralEquality.areEqual(a, b)).isTrue();
    assertThat(StructuralEquality.areEqual(a, b.with(f, cast()))).isFalse();
    assertThat(StructuralEquality.areEqual(a, b.withAttrs(Attrs.of("note", 1)))).isFalse();
  }

  @Test
  void functionTypesHaveSymbolicVariablesOfTheirOwn() {
    assertThat(TypeEquality.exact().same(identity(), identity())).isTrue();
    Var n = Var.index("n");
    Var m = Var.index("m");
    assertThat(
            TypeEquality.exact()
                .same(TensorType.of(DType.FLOAT32, n), TensorType.of(DType.FLOAT32, m)))
        .isFalse();
  }

  private static FuncType identity() {
    TensorType type = TensorType.of(DType.FLOAT32, Var.index("n"));
    return FuncType.of(List.of(type), type, true);
  }
}
