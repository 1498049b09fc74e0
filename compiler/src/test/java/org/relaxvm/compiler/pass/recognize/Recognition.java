package org.relaxvm.compiler.pass.recognize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.scalar;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.text.RelaxText;

/** Modules before and after composites are recognised. */
final class Recognition {
  private Recognition() {}

  static IRModule recognized(IRModule module) {
    IRModule now = new RecognizeComposites().run(module, PassContext.DEFAULT);
    return new DeadCodeElimination().run(now, PassContext.DEFAULT);
  }

  /** The operators of a module, in order. */
  static List<String> operators(IRModule module) {
    return RelaxText.print(module)
        .lines()
        .filter(line -> line.contains("= R."))
        .map(line -> line.replaceAll(".*= R\\.([a-z_.]+)\\(.*", "$1"))
        .filter(name -> !name.contains("="))
        .toList();
  }

  static Tensor random(long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[(int) shape.elementCount()];
    Random random = new Random(Arrays.hashCode(dims));
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(values, shape);
  }

  /** The module computes the same as before, up to rounding. */
  static void assertSame(IRModule before, IRModule after, Tensor... inputs) {
    float[] want =
        ((Tensor) new RelaxEvaluator(before).run("main", (Object[]) inputs)).toFloatArray();
    float[] got =
        ((Tensor) new RelaxEvaluator(after).run("main", (Object[]) inputs)).toFloatArray();
    assertThat(got).hasSameSizeAs(want);
    for (int i = 0; i < want.length; i++) {
      assertThat(got[i]).isCloseTo(want[i], within(1e-5f * Math.max(1, Math.abs(want[i]))));
    }
  }

  /** A scalar of float32. */
  static Expr number(double value) {
    return scalar(DType.FLOAT32, value);
  }

  /** A constant without axes. */
  static Expr one(double value) {
    return constant(Tensor.of(new float[] {(float) value}, Shape.of()));
  }
}
