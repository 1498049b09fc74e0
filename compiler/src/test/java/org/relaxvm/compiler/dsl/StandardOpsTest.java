package org.relaxvm.compiler.dsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.dsl.NnOps.relu;
import static org.relaxvm.compiler.dsl.NnOps.softmax;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.linear;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.reshape;
import static org.relaxvm.compiler.dsl.Ops.scalar;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.is;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.tir.expr.Var;

class StandardOpsTest {
  private final Var n = Var.index("n");

  @Test
  void knowEachOperatorByItsName() {
    OpRegistry registry = StandardOps.registry();
    for (String name :
        List.of("call_tir", "add", "nn.relu", "ones", "reshape", "take", "matmul", "nn.conv2d")) {
      assertThat(registry.find(name)).get().extracting(OpDef::name).isEqualTo(name);
    }
    assertThat(registry.find("relu")).isEmpty();
    assertThat(registry.all()).hasSameSizeAs(Set.copyOf(StandardOps.all()));
  }

  @Test
  void haveKernelsOrFunctionsForAllButTheOperatorsThatThePassesKnow() {
    assertThat(
            StandardOps.all().stream()
                .filter(op -> op.legalizer().isEmpty() && op.packedName().isEmpty())
                .map(OpDef::name)
                .filter(name -> !name.contains("."))
                .toList())
        .containsExactlyInAnyOrder(
            "call_tir",
            "call_tir_with_grad",
            "call_tir_inplace",
            "call_dps_packed",
            "call_pure_packed",
            "call_inplace_packed",
            "call_builtin_with_ctx",
            "call_py_func",
            "make_closure",
            "invoke_closure",
            "invoke_pure_closure",
            "null_value",
            "shape_of",
            "tensor_to_shape",
            "to_vdevice");
  }

  @Test
  void readLikeTheModelThatTheyBuild() {
    RelaxVar x = floats(n, 2);
    RelaxVar w = floats(2, 2);
    RelaxVar b = floats(2);
    Expr model = relu(add(matmul(reshape(x, -1, 2), w), b));
    is(model, "R.Tensor((n, 2), dtype=\"float32\")");
    is(softmax(linear(x, w, b), -1), "R.Tensor((n, 2), dtype=\"float32\")");
    Tensor data = Tensor.of(new float[] {1, -2}, Shape.of(1, 2));
    Tensor unit = Tensor.of(new float[] {1, 0, 0, 1}, Shape.of(2, 2));
    Tensor half = Tensor.of(new float[] {0.5f, 0.5f}, Shape.of(2));
    assertThat(Execution.text(model, data, unit, half)).isEqualTo("float32 [1, 2] [1.5, 0.0]");
    assertThat(Execution.text(multiply(x, scalar(DType.FLOAT32, 3)), data))
        .isEqualTo("float32 [1, 2] [3.0, -6.0]");
  }
}
