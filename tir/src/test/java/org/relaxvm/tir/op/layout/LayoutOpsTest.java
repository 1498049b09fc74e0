package org.relaxvm.tir.op.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class LayoutOpsTest {
  private final KernelBuilder k = new KernelBuilder("k");
  private final PrimExpr n = k.extent("n");

  private TensorExpr transformed(
      List<PrimExpr> shape, Function<List<PrimExpr>, List<PrimExpr>> finalIndices) {
    TensorExpr x = k.input("X", DType.FLOAT32, shape);
    return LayoutOps.layoutTransform(k, "Y", x, IndexMap.of(shape.size(), finalIndices), null);
  }

  private void refuses(
      List<PrimExpr> shape, Function<List<PrimExpr>, List<PrimExpr>> finalIndices, String message) {
    assertThatThrownBy(() -> transformed(shape, finalIndices))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("layout_transform: " + message);
  }

  private static List<PrimExpr> blocked(List<PrimExpr> i) {
    return List.of(Exprs.floorDiv(i.get(0), 4), Exprs.floorMod(i.get(0), 4));
  }

  @Test
  void extentsThatADivisorDividesNeedNoPad() {
    assertThat(transformed(List.of(Exprs.mul(n, 8)), LayoutOpsTest::blocked).shape())
        .hasSize(2)
        .last()
        .isEqualTo(IntImm.of(4));
    assertThat(transformed(List.of(IntImm.of(12)), LayoutOpsTest::blocked).shape())
        .isEqualTo(List.of(IntImm.of(3), IntImm.of(4)));
  }

  @Test
  void extentsOfShortAxesAreNotRoundedUp() {
    assertThat(transformed(List.of(IntImm.of(3)), LayoutOpsTest::blocked).shape())
        .isEqualTo(List.of(IntImm.of(1), IntImm.of(3)));
  }

  @Test
  void holesNeedAPad() {
    String message =
        "expected a value for positions without an element of X, which there are or may be, but got"
            + " none";
    refuses(List.of(n), LayoutOpsTest::blocked, message);
    refuses(List.of(IntImm.of(14)), LayoutOpsTest::blocked, message);
    refuses(List.of(n), i -> List.of(Exprs.mul(i.get(0), 2)), message);
    refuses(List.of(IntImm.of(0)), i -> List.of(IntImm.of(0)), message);
  }

  @Test
  void partsMustBeKnownToStayApart() {
    String overlap =
        "the parts of the position along axis 0 overlap, or it is not known that they do not";
    refuses(List.of(n, n), i -> List.of(Exprs.add(i.get(0), i.get(1))), overlap);
    refuses(
        List.of(n, IntImm.of(5)),
        i -> List.of(Exprs.add(Exprs.mul(i.get(0), 4), i.get(1))),
        overlap);
    refuses(
        List.of(n),
        i -> List.of(i.get(0), i.get(0)),
        "the index along axis 0 cannot be told from a position: parts overlap or miss");
    refuses(
        List.of(n),
        i -> List.of(Exprs.floorDiv(i.get(0), 4)),
        "the index along axis 0 cannot be told from a position: parts overlap or miss");
    refuses(
        List.of(n),
        i -> List.of(Exprs.floorMod(i.get(0), 4)),
        "the index along axis 0 cannot be told from a position: its upper part is missing");
    refuses(
        List.of(n, IntImm.of(2)),
        i -> List.of(i.get(0)),
        "the index along axis 1 cannot be told from a position: its upper part is missing");
    refuses(
        List.of(n, IntImm.of(2)),
        i -> List.of(Exprs.add(Exprs.mul(i.get(0), 5), Exprs.mul(i.get(1), 2))),
        "the weight 5 is no multiple of 2");
  }

  @Test
  void onlySumsOfPartsHaveAnInverse() {
    String problem =
        "expected sums of parts of indices, such as i // 4 * 8 + i % 4, but the position along axis"
            + " 0 has ";
    refuses(List.of(n), i -> List.of(IntImm.of(3)), problem + "3");
    refuses(List.of(n), i -> List.of(Exprs.mul(i.get(0), -1)), problem + "-1");
    refuses(List.of(n), i -> List.of(Exprs.add(i.get(0), n)), problem + "n");
    refuses(
        List.of(IntImm.of(6)),
        i -> List.of(Exprs.floorDiv(Exprs.mul(i.get(0), 3), 2)),
        problem + "3");
    refuses(
        List.of(IntImm.of(3), IntImm.of(4)),
        i -> List.of(Exprs.floorDiv(Exprs.add(i.get(0), i.get(1)), 4)),
        "the position along axis 0 divides a sum by 4, but its parts below are up to 5");
    assertThatThrownBy(
            () ->
                LayoutOps.layoutTransform(
                    k,
                    "Y",
                    k.input("X", DType.BOOL, List.of(n)),
                    IndexMap.of(2, List::reversed),
                    null))
        .hasMessage("layout_transform: expected X of rank 2, but its rank is 1");
  }
}
