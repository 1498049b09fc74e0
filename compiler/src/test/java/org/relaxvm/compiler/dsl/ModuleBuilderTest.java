package org.relaxvm.compiler.dsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.dsl.NnOps.relu;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.reshape;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;

class ModuleBuilderTest {
  private static final Dim N = Dim.symbol("n");

  @Test
  void aModelComputesWhatItsOperatorsSay() {
    try (Tensor weight = Tensor.of(new float[] {1, 0, 0, -1}, Shape.of(2, 2));
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2))) {
      ModuleBuilder model = new ModuleBuilder();
      Expr input = model.input("x", DType.FLOAT32, N, Dim.of(2));
      Expr hidden = model.let("hidden", relu(matmul(input, constant(weight))));
      model.output("sum", add(hidden, hidden));
      IRModule module = model.module();
      Tensor sum = (Tensor) new RelaxEvaluator(module).run("main", x);
      assertThat(sum.toFloatArray()).containsExactly(2, 0, 6, 0);
    }
  }

  @Test
  void theProgramHasTheNamesAndSymbolicShapesOfInputsAndOutputs() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, N, Dim.of(4));
    Expr y = model.input("y", DType.FLOAT32, N, Dim.of(4));
    Program program =
        model
            .output("sum", add(x, y))
            .output("flat", reshape(x, model.extent(N), 2, model.extent(Dim.of(2))))
            .build();
    assertThat(program.metadata().inputs())
        .extracting(Object::toString)
        .containsExactly("x: float32[n, 4]", "y: float32[n, 4]");
    assertThat(program.metadata().outputs())
        .extracting(Object::toString)
        .containsExactly("sum: float32[n, 4]", "flat: float32[n, 2, 2]");
  }

  @Test
  void namesAreUniqueAndAModelHasAnOutput() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, N);
    assertThatThrownBy(() -> model.input("x", DType.INT64))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("there is an input 'x' already\n  the inputs are: x");
    assertThatThrownBy(model::build)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the model has no output\n  what to do: add one with output(name, value)");
    model.output("y", relu(x));
    assertThatThrownBy(() -> model.output("y", x))
        .hasMessage("there is an output 'y' already\n  the outputs are: y");
    assertThat(model.build().metadata().outputs()).hasSize(1);
    assertThatThrownBy(() -> model.output("z", x))
        .hasMessage(
            "nothing can be added to a model that is built\n"
                + "  what to do: add inputs and outputs before build() and module(), or use a new"
                + " ModuleBuilder");
  }

  @Test
  void operandsThatDoNotFitAreRefusedWhereTheyAreUsed() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, N, Dim.of(3));
    Expr y = model.input("y", DType.FLOAT32, Dim.of(4), Dim.of(2));
    assertThatThrownBy(() -> model.let("product", matmul(x, y)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("matmul")
        .hasMessageContaining("function main");
  }

  @Test
  void anInputIsAnOutputAndAScalarIsAnInput() {
    ModuleBuilder model = new ModuleBuilder();
    model.output("same", model.input("x", DType.FLOAT32));
    assertThat(model.build().metadata().outputs())
        .extracting(Object::toString)
        .containsExactly("same: float32[]");
  }
}
