package org.relaxvm.backendsupport.gpu.vendorgemm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.EpilogueFunction;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.fuse.CallOutput;
import org.relaxvm.tir.fuse.KernelFusion;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Fused kernels of operators are GEMMs with an epilogue. */
class HintedGemmTest {
  private final KernelFusion fusion = new KernelFusion("fused");
  private final Var n = Var.index("n");
  private final List<PrimExpr> shape = List.of(n, IntImm.of(9));
  private DType dtype = DType.FLOAT32;

  /** An operator of one tensor. */
  private interface Operator {
    TensorExpr of(KernelBuilder k, String name, TensorExpr x);
  }

  private Buffer matmul() {
    List<PrimExpr> left = List.of(n, IntImm.of(4));
    List<PrimExpr> right = List.of(IntImm.of(4), IntImm.of(9));
    KernelBuilder k = new KernelBuilder("matmul");
    TensorExpr a = k.input("A", dtype, left);
    TensorExpr b = k.input("B", dtype, right);
    PrimFunc kernel = k.build(LinearOps.matmul(k, "matmul", a, b, null));
    return call(kernel, fusion.input("a", dtype, left), fusion.input("b", dtype, right));
  }

  private Buffer add(Buffer x, Buffer y) {
    KernelBuilder k = new KernelBuilder("add");
    TensorExpr a = k.input("A", dtype, x.shape());
    TensorExpr b = k.input("B", dtype, y.shape());
    return call(k.build(BinaryOps.add(k, "T_add", a, b)), x, y);
  }

  private Buffer bias(long... dims) {
    return fusion.input("bias", dtype, LongStream.of(dims).<PrimExpr>mapToObj(IntImm::of).toList());
  }

  private Buffer each(Operator operator, Buffer x) {
    KernelBuilder k = new KernelBuilder("each");
    return call(k.build(operator.of(k, "T_each", k.input("A", dtype, shape))), x);
  }

  private Buffer call(PrimFunc kernel, Buffer... inputs) {
    return fusion
        .call(kernel, List.of(inputs), List.of(), List.of(CallOutput.fresh(dtype, shape)))
        .getFirst();
  }

  private Optional<HintedGemm> of(Buffer result) {
    return HintedGemm.of(KernelAnalysis.of(fusion.build(List.of(result), List.of())));
  }

  private HintedGemm gemm(int bias, EpilogueFunction function) {
    return new HintedGemm(dtype, 0, false, 1, false, bias, function, bias < 0 ? 2 : 3);
  }

  @Test
  void aPlainGemmIsOne() {
    assertThat(of(matmul())).contains(gemm(-1, EpilogueFunction.NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"float32", "float16", "float64"})
  void aBiasBelongsToIt(String name) {
    dtype = DType.parse(name);
    assertThat(of(add(matmul(), bias(9)))).contains(gemm(2, EpilogueFunction.NONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"float32", "bfloat16", "float64"})
  void aBiasOfOneRowAndAFunctionBelongToIt(String name) {
    dtype = DType.parse(name);
    assertThat(of(each(ActivationOps::relu, add(matmul(), bias(1, 9)))))
        .contains(gemm(2, EpilogueFunction.RELU));
  }

  @ParameterizedTest
  @ValueSource(strings = {"float32", "float16", "bfloat16"})
  void geluByTanhBelongsToIt(String name) {
    dtype = DType.parse(name);
    assertThat(of(each(ActivationOps::geluTanh, add(matmul(), bias(9)))))
        .contains(gemm(2, EpilogueFunction.GELU_TANH));
  }

  @Test
  void otherFunctionsAreToldApart() {
    assertThat(of(each(ActivationOps::gelu, matmul()))).contains(gemm(-1, EpilogueFunction.GELU));
  }

  @Test
  void geluByTanhOfSomethingElseIsNone() {
    Buffer gemm = matmul();
    assertThat(of(add(each(ActivationOps::geluTanh, gemm), gemm))).isEmpty();
  }

  @Test
  void aResidualIsTooMuch() {
    assertThat(of(add(matmul(), fusion.input("r", dtype, shape)))).isEmpty();
  }

  @Test
  void aBiasForEachRowIsTooMuch() {
    List<PrimExpr> column = List.of(n, IntImm.of(1));
    assertThat(of(add(matmul(), fusion.input("r", dtype, column)))).isEmpty();
  }
}
