package org.relaxvm.compiler.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.Seq;

class IRModuleTest {
  private static final GlobalVar F = new GlobalVar("f");
  private static final GlobalVar K = new GlobalVar("k");

  private final RelaxFunction function =
      new RelaxFunction(
          List.of(), SeqExpr.of(List.of(), Tuple.EMPTY), AnyType.ANY, true, Attrs.NONE);
  private final KernelFunction kernel =
      new KernelFunction(PrimFunc.of("k", List.of(), new Seq(List.of())));
  private final IRModule module = IRModule.EMPTY.with(F, function).with(K, kernel);

  private static void refused(ThrowingCallable step, String message) {
    assertThatThrownBy(step).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void givesFunctionsByNameAndKind() {
    assertThat(module.requireFunction(F)).isSameAs(function);
    assertThat(module.requireKernel(K)).isEqualTo(kernel);
    assertThat(module.relaxFunctions()).containsOnlyKeys(F);
    assertThat(module.kernels()).containsOnlyKeys(K);
  }

  @Test
  void refusesNamesThatAreNotThereOrOfAnotherKind() {
    refused(
        () -> module.requireFunction(new GlobalVar("g")),
        "the module has no function g; it has f, k");
    refused(() -> IRModule.EMPTY.requireKernel(K), "the module has no function k; it has none");
    refused(
        () -> module.requireFunction(K),
        "the function k of the module is no function over tensors");
    refused(() -> module.requireKernel(F), "the function f of the module is no kernel");
  }

  @Test
  void refusesAKernelUnderAnotherName() {
    refused(
        () -> IRModule.EMPTY.with(F, kernel),
        "the kernel k cannot be the function f of a module; expected the same name");
  }

  @Test
  void anItemIsOneOfATuple() {
    RelaxVar pair = new RelaxVar("pair", TupleType.of(AnyType.ANY));
    assertThat(new TupleGetItem(pair, 0).type()).isEqualTo(AnyType.ANY);
    refused(
        () -> new TupleGetItem(pair, 1), "there is no value 1 in pair, which is R.Tuple(R.Any)");
    refused(
        () -> new TupleGetItem(pair, -1), "there is no value -1 in pair, which is R.Tuple(R.Any)");
    RelaxVar tensor = new RelaxVar("x", TensorType.unknown());
    refused(
        () -> new TupleGetItem(tensor, 0), "only a tuple has values by number, but x is R.Tensor");
  }

  @Test
  void theTextOfAnExpressionIsShort() {
    Expr nested = new RelaxVar("x", AnyType.ANY);
    for (int i = 0; i < 100; i++) {
      nested = Call.packed("f", List.of(nested, nested), List.of());
    }
    String pair = "R.call_packed(\"f\", ..., ...)";
    String four = "R.call_packed(\"f\", " + pair + ", " + pair + ")";
    String eight = "R.call_packed(\"f\", " + four + ", " + four + ")";
    assertThat(nested).hasToString("R.call_packed(\"f\", " + eight + ", " + eight + ")");
  }
}
