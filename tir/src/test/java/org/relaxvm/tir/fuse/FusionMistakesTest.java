package org.relaxvm.tir.fuse;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.tir.fuse.KernelFusionTest.F32;
import static org.relaxvm.tir.fuse.KernelFusionTest.add;
import static org.relaxvm.tir.fuse.KernelFusionTest.matmul;
import static org.relaxvm.tir.fuse.KernelFusionTest.relu;
import static org.relaxvm.tir.fuse.KernelFusionTest.shape;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class FusionMistakesTest {
  private final Var n = Var.index("n");
  private final Var i = Var.index("i");
  private final KernelFusion fusion = new KernelFusion("fused");

  private ThrowingCallable call(PrimFunc callee, List<PrimExpr> shape, Buffer... tensors) {
    return () ->
        fusion.call(callee, List.of(tensors), List.of(), List.of(CallOutput.fresh(F32, shape)));
  }

  private static void refuses(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void anotherExtentThanTheKernelHas() {
    Buffer x = fusion.input("x", F32, shape(5));
    refuses(
        call(relu(shape(4)), shape(5), x),
        "the kernel relu cannot be put into fused: extent 0 of A is 4, but got 5");
  }

  @Test
  void oneSymbolForTwoExtents() {
    Buffer x = fusion.input("x", F32, shape(4));
    Buffer y = fusion.input("y", F32, shape(5));
    refuses(
        call(add(shape(i), shape(i)), shape(4), x, y),
        "the kernel add cannot be put into fused: extent 0 of B is i, which is 4 here, but got 5");
    Buffer longer = fusion.input("z", F32, shape(Exprs.add(n, 1)));
    Buffer symbolic = fusion.input("w", F32, shape(n));
    refuses(
        call(add(shape(i), shape(i)), shape(n), symbolic, longer),
        "the kernel add cannot be put into fused:"
            + " extent 0 of B is i, which is n here, but got (n + 1)");
  }

  @Test
  void anotherExtentOfTheResult() {
    Buffer x = fusion.input("x", F32, shape(4));
    refuses(
        call(relu(shape(i)), shape(3), x),
        "the kernel relu cannot be put into fused:"
            + " extent 0 of T_relu is i, which is 4 here, but got 3");
  }

  @Test
  void constantsThatDifferWithinAnExtent() {
    Buffer x = fusion.input("x", F32, shape(Exprs.mul(n, 3)));
    refuses(
        call(relu(shape(Exprs.mul(i, 2))), shape(Exprs.mul(n, 3)), x),
        "the kernel relu cannot be put into fused: extent 0 of A is (i * 2), but got (n * 3)");
  }

  @Test
  void anExtentOfWhichASymbolCannotBeFound() {
    Buffer x = fusion.input("x", F32, shape(6));
    refuses(
        call(relu(shape(Exprs.mul(i, 2))), shape(6), x),
        "the kernel relu cannot be put into fused: extent 0 of A is (i * 2),"
            + " and the value of i cannot be found from 6\n"
            + "  what to do: pass it as a scalar, or have it as an extent alone");
  }

  @Test
  void anotherNumberOfAxes() {
    Buffer x = fusion.input("x", F32, shape(4, 4));
    refuses(
        call(relu(shape(i)), shape(4), x),
        "the kernel relu cannot be put into fused: A has 1 axis, but got 2");
  }

  @Test
  void anotherDType() {
    Buffer x = fusion.input("x", DType.FLOAT16, shape(4));
    refuses(
        call(relu(shape(i)), shape(4), x),
        "the kernel relu cannot be put into fused: A holds float32, but got float16");
  }

  @Test
  void aScalarOfAnotherDType() {
    KernelBuilder k = new KernelBuilder("scale");
    TensorExpr a = k.input("A", F32, shape(i));
    Var by = k.scalar("by", F32);
    PrimFunc scale = k.build(k.compute("B", a.shape(), at -> Exprs.mul(a.at(at), by)));
    Buffer x = fusion.input("x", F32, shape(n));
    refuses(
        () -> fusion.call(scale, List.of(x), List.of(n), List.of(CallOutput.fresh(F32, shape(n)))),
        "the kernel scale cannot be put into fused: the scalar by is float32, but got int64");
  }

  @Test
  void anotherNumberOfArguments() {
    Buffer x = fusion.input("x", F32, shape(4));
    refuses(
        call(add(shape(i), shape(i)), shape(4), x),
        "the kernel add cannot be put into fused: it has 3 buffers and 0 scalars,"
            + " but got 1 tensor, 1 output and 0 scalars");
  }

  @Test
  void aTensorOfNowhere() {
    refuses(
        call(relu(shape(i)), shape(4), Buffer.of("other", F32, shape(4))),
        "the kernel relu cannot be put into fused:"
            + " its argument other is neither an input nor a result of an earlier call");
  }

  @Test
  void anInPlaceResultOfNoArgument() {
    Buffer x = fusion.input("x", F32, shape(4));
    refuses(
        () -> fusion.call(relu(shape(i)), List.of(x), List.of(), List.of(CallOutput.inPlace(1))),
        "the kernel relu cannot be put into fused:"
            + " an output aliases tensor 1, but the call has 1 tensor");
  }

  @Test
  void aKernelWithoutARootBlock() {
    Buffer a = Buffer.of("A", F32, shape());
    PrimFunc plain =
        PrimFunc.of("plain", List.of(a), new BufferStore(a, a.load(List.of()), List.of()));
    Buffer x = fusion.input("x", F32, shape());
    refuses(
        () -> fusion.call(plain, List.of(x), List.of(), List.of(CallOutput.inPlace(0))),
        "the kernel plain cannot be put into fused:"
            + " its body must be a block root without axes, and it must return nothing");
  }

  @Test
  void outputsThatAreNone() {
    Buffer x = fusion.input("x", F32, shape(4));
    refuses(
        () -> fusion.build(List.of(x), List.of()),
        "the kernel fused cannot give x: it is an input");
    refuses(
        () -> fusion.build(List.of(Buffer.of("other", F32, shape())), List.of()),
        "the kernel fused cannot give other: it is no tensor of this kernel");
    Buffer y =
        fusion
            .call(relu(shape(i)), List.of(x), List.of(), List.of(CallOutput.fresh(F32, shape(4))))
            .getFirst();
    refuses(
        () -> fusion.build(List.of(y, y), List.of()),
        "the kernel fused cannot give T_relu_intermediate: it is an output already");
  }

  @Test
  void innerExtentsOfAMatmulThatDiffer() {
    Buffer x = fusion.input("x", F32, shape(2, 3));
    Buffer w = fusion.input("w", F32, shape(4, 5));
    PrimFunc matmul = matmul(i, Var.index("j"), Var.index("k"));
    refuses(
        call(matmul, shape(2, 5), x, w),
        "the kernel matmul cannot be put into fused:"
            + " extent 0 of B is j, which is 3 here, but got 4");
  }
}
