package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.layout.IndexMap;
import org.relaxvm.tir.op.layout.LayoutOps;
import org.relaxvm.tir.te.TensorExpr;

/** Index maps bring each element to its position, and the value for holes to all others. */
class LayoutTransformTest {
  private static final double PAD = -7;
  private static final List<Long> EXTENTS = List.of(0L, 1L, 2L, 3L, 4L, 5L, 8L, 11L, 14L, 16L);

  /** A map of two axes in both forms; {@code m} is the extent of the second one. */
  private enum Sample {
    TRANSPOSED {
      @Override
      List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m) {
        return List.of(j, i);
      }

      @Override
      long[] position(long i, long j, long m) {
        return new long[] {j, i};
      }
    },
    FLAT {
      @Override
      List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m) {
        return List.of(Exprs.add(j, Exprs.mul(m, i)));
      }

      @Override
      long[] position(long i, long j, long m) {
        return new long[] {i * m + j};
      }
    },
    TILES {
      @Override
      List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m) {
        PrimExpr inside = Exprs.add(Exprs.mul(Exprs.floorMod(i, 2), 4), Exprs.floorMod(j, 4));
        return List.of(Exprs.floorDiv(i, 2), Exprs.floorDiv(j, 4), inside);
      }

      @Override
      long[] position(long i, long j, long m) {
        return new long[] {i / 2, j / 4, i % 2 * 4 + j % 4};
      }
    },
    NESTED {
      @Override
      List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m) {
        PrimExpr middle = Exprs.floorMod(Exprs.floorDiv(j, 2), 4);
        PrimExpr low = Exprs.floorMod(Exprs.floorMod(j, 8), 2);
        return List.of(low, Exprs.floorDiv(Exprs.floorDiv(j, 2), 4), i, middle);
      }

      @Override
      long[] position(long i, long j, long m) {
        return new long[] {j % 2, j / 8, i, j / 2 % 4};
      }
    },
    /** The quotient of a sum with whole parts below and above the divisor. */
    DIVIDED_SUM {
      @Override
      List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m) {
        PrimExpr sum = Exprs.add(Exprs.mul(i, 8), Exprs.floorMod(j, 8));
        return List.of(Exprs.floorDiv(sum, 4), Exprs.floorMod(sum, 4), Exprs.floorDiv(j, 8));
      }

      @Override
      long[] position(long i, long j, long m) {
        return new long[] {(i * 8 + j % 8) / 4, (i * 8 + j % 8) % 4, j / 8};
      }
    },
    GAPS {
      @Override
      List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m) {
        PrimExpr line = Exprs.add(Exprs.mul(Exprs.floorDiv(j, 3), 10), Exprs.floorMod(j, 3));
        return List.of(Exprs.mul(i, 3), IntImm.of(0), line);
      }

      @Override
      long[] position(long i, long j, long m) {
        return new long[] {i * 3, 0, j / 3 * 10 + j % 3};
      }
    };

    abstract List<PrimExpr> position(PrimExpr i, PrimExpr j, PrimExpr m);

    abstract long[] position(long i, long j, long m);
  }

  @ParameterizedTest
  @EnumSource
  void elementsOfKnownShapesGoWhereTheMapSays(Sample sample) {
    for (long n : EXTENTS) {
      for (long m : EXTENTS) {
        FormulaKernel kernel = new FormulaKernel();
        TensorExpr x = kernel.input("X", DType.FLOAT64, n, m);
        TensorExpr y = transformed(kernel, x, sample);
        long[] shape = y.shape().stream().mapToLong(extent -> ((IntImm) extent).value()).toArray();
        check(kernel, y, sample, n, m, shape);
        if (n > 0 && m > 0) {
          long[] wanted = new long[shape.length];
          forEach(n, m, sample, (i, j, at) -> enlarge(wanted, at));
          if (sample == Sample.GAPS) {
            // The parts of a position count as if they took their largest values together.
            wanted[2] = (m - 1) / 3 * 10 + Math.min(m, 3);
          }
          assertThat(shape).as("%s of [%d, %d]", sample, n, m).isEqualTo(wanted);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void elementsOfSymbolicShapesGoWhereTheMapSays(Sample sample) {
    for (long n : EXTENTS) {
      for (long m : EXTENTS) {
        FormulaKernel kernel = new FormulaKernel();
        Var rows = kernel.k.extent("n");
        Var columns = kernel.k.extent("m");
        TensorExpr x = kernel.k.input("X", DType.FLOAT64, List.of(rows, columns));
        TensorExpr y = transformed(kernel, x, sample);
        long[] shape = Extents.shape(y.shape(), Map.of("n", n, "m", m)).toArray();
        check(kernel, y, sample, n, m, shape);
      }
    }
  }

  private static TensorExpr transformed(FormulaKernel kernel, TensorExpr x, Sample sample) {
    PrimExpr columns = x.shape().get(1);
    IndexMap map = IndexMap.of(2, i -> sample.position(i.get(0), i.get(1), columns));
    return LayoutOps.layoutTransform(kernel.k, "Y", x, map, IntImm.of((long) PAD));
  }

  private static void check(
      FormulaKernel kernel, TensorExpr y, Sample sample, long n, long m, long[] shape) {
    Shape wantedShape = Shape.of(shape);
    double[] wanted = new double[(int) wantedShape.elementCount()];
    Arrays.fill(wanted, PAD);
    double[] elements = new double[(int) (n * m)];
    forEach(
        n,
        m,
        sample,
        (i, j, at) -> {
          int position = 0;
          for (int axis = 0; axis < at.length; axis++) {
            position = position * (int) shape[axis] + (int) at[axis];
          }
          elements[(int) (i * m + j)] = i * m + j + 1;
          wanted[position] = i * m + j + 1;
        });
    double[] got = kernel.run(y, DType.FLOAT64, wantedShape, Tensor.of(elements, Shape.of(n, m)));
    assertThat(got).as("%s of [%d, %d]", sample, n, m).containsExactly(wanted);
  }

  private interface Element {
    void at(long i, long j, long[] position);
  }

  private static void forEach(long n, long m, Sample sample, Element element) {
    for (long i = 0; i < n; i++) {
      for (long j = 0; j < m; j++) {
        element.at(i, j, sample.position(i, j, m));
      }
    }
  }

  private static void enlarge(long[] shape, long[] position) {
    for (int axis = 0; axis < shape.length; axis++) {
      shape[axis] = Math.max(shape[axis], position[axis] + 1);
    }
  }
}
