package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

class BordersTest {
  private static List<PrimExpr> widths(PrimExpr... widths) {
    return List.of(widths);
  }

  private static IntImm imm(long value) {
    return IntImm.of(value);
  }

  @Test
  void derivesTheType() {
    PrimExpr p = symbol("p");
    PrimExpr n = symbol("n");
    assertThat(
            textOf(
                Borders.pad(
                    floats("x", n, 4), widths(imm(2), imm(-3)), widths(imm(1), imm(0)), "reflect")))
        .isEqualTo("R.Tensor((n + 3, 1), dtype=\"float32\")");
    assertThat(textOf(Borders.pad(floats("x", 4), widths(p), widths(imm(1)), floats("v"))))
        .isEqualTo("R.Tensor((max(p + 5, 0),), dtype=\"float32\")");
    assertThat(textOf(Borders.pad(floats("x", 4), widths(imm(-3)), widths(imm(-3)), floats("v"))))
        .isEqualTo("R.Tensor((0,), dtype=\"float32\")");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    assertThat(messageOf(Borders.pad(floats("x", 4), widths(imm(1)), widths(imm(1)), "edge")))
        .isEqualTo(
            "nn.pad_by: mode must be \"constant\", \"reflect\", \"replicate\" or \"circular\", but"
                + " is \"edge\"");
    assertThat(messageOf(Borders.pad(floats("x", 4), widths(), widths(imm(1)), "reflect")))
        .isEqualTo("nn.pad_by: expected a width before each of the 1 axes, but got 0");
    Tuple one = new Tuple(List.of(PrimValue.of(1)));
    assertThat(messageOf(Call.of(Borders.PAD_BY, List.of(floats("x", 4), one, one), Attrs.NONE)))
        .isEqualTo("nn.pad_by: a value is needed with mode \"constant\", and with no other mode");
    assertThat(
            messageOf(
                Borders.pad(
                    floats("x", 4), widths(imm(1)), widths(imm(1)), tensor("v", DType.INT32))))
        .isEqualTo(
            "nn.pad_by: expected one dtype, but data is float32 and value is int32; use astype");
  }

  @Test
  void widthsThatTheProgramKnowsAreScalarsOfTheKernel() {
    PrimExpr n = symbol("n");
    Call call = Borders.pad(floats("x", n), widths(Exprs.sub(n, 4)), widths(imm(1)), floats("v"));
    Tensor x = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    Tensor value = Tensor.of(new float[] {9}, Shape.of());
    assertThat(Execution.text(call, x, value)).isEqualTo("float32 [3] [2.0, 3.0, 9.0]");
    Call mirrored = Borders.pad(floats("x", 3), widths(imm(4)), widths(imm(-1)), "reflect");
    assertThat(compute(mirrored, x).getFirst().toFloatArray()).containsExactly(1, 2, 1, 2, 1, 2);
  }
}
