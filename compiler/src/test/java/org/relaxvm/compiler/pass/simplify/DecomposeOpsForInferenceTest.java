package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.main;
import static org.relaxvm.compiler.op.OpCalls.module;
import static org.relaxvm.compiler.op.OpCalls.ofRank;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.values;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.nn.Dropout;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;

class DecomposeOpsForInferenceTest {
  private static IRModule decomposed(Call call) {
    return new DecomposeOpsForInference().run(module(call), PassContext.DEFAULT);
  }

  private static Call batchNorm(RelaxVar x, RelaxVar c) {
    return Norms.batchNorm(x, c, c, c, c, 0.25);
  }

  private static List<String> texts(IRModule module) {
    return values(module).stream().map(Expr::toString).toList();
  }

  @Test
  void writesTheFormulaOfBatchNorm() {
    RelaxVar x = floats("x", symbol("n"), 4, 5, 5);
    RelaxVar c = floats("c", 4);
    IRModule module = decomposed(batchNorm(x, c));
    assertThat(texts(module))
        .containsExactly(
            "R.expand_dims(c, axis=[0, 2, 3])",
            "R.subtract(x, lv)",
            "R.add(c, R.prim_value(T.float32(0.25)))",
            "R.sqrt(lv2)",
            "R.expand_dims(lv3, axis=[0, 2, 3])",
            "R.divide(lv1, lv4)",
            "R.expand_dims(c, axis=[0, 2, 3])",
            "R.multiply(lv5, lv6)",
            "R.expand_dims(c, axis=[0, 2, 3])",
            "R.add(lv7, lv8)",
            "(lv9, c, c)");
    assertThat(main(module).resultType())
        .hasToString(
            "R.Tuple(R.Tensor((n, 4, 5, 5), dtype=\"float32\"), R.Tensor((4,),"
                + " dtype=\"float32\"), R.Tensor((4,), dtype=\"float32\"))");
  }

  @Test
  void leavesOutWhatDoesNotCount() {
    Call call = batchNorm(floats("x", 3), floats("c", 3));
    Call plain =
        Call.of(
            Norms.BATCH_NORM,
            call.args(),
            call.attrs().with("axis", -1).with("center", false).with("scale", false));
    assertThat(texts(decomposed(plain)))
        .containsExactly(
            "R.subtract(x, c)",
            "R.add(c, R.prim_value(T.float32(0.25)))",
            "R.sqrt(lv1)",
            "R.divide(lv, lv2)",
            "(lv3, c, c)");
  }

  @Test
  void computesNarrowFloatsInFloat32() {
    RelaxVar x = tensor("x", DType.FLOAT16, 2, 3);
    IRModule module = decomposed(batchNorm(x, tensor("c", DType.FLOAT16, 3)));
    assertThat(texts(module)).contains("R.astype(x, dtype=float32)");
    assertThat(texts(module).get(values(module).size() - 2)).endsWith("dtype=float16)");
  }

  @Test
  void computesWhatTheOperatorDoes() {
    Call call = batchNorm(floats("x", 2, 2), floats("c", 2));
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2));
    Tensor c = Tensor.of(new float[] {0.5f, 2}, Shape.of(2));
    float[] expected = compute(call, x, c).getFirst().toFloatArray();
    IRModule legal = new LegalizeOps().run(decomposed(call), PassContext.DEFAULT);
    assertThat(compute(legal, x, c).getFirst().toFloatArray())
        .containsExactly(expected, within(1e-6f));
  }

  @Test
  void leavesTrainingAndWhatIsNotKnown() {
    RelaxVar x = floats("x", 2, 4);
    RelaxVar c = floats("c", 4);
    assertThat(texts(decomposed(Norms.batchNormTraining(x, c, c, c, c, 0.25, 0.1))))
        .singleElement()
        .asString()
        .startsWith("R.nn.batch_norm(");
    assertThat(texts(decomposed(batchNorm(ofRank("x", DType.FLOAT32, 2), c))))
        .singleElement()
        .asString()
        .startsWith("R.nn.batch_norm(");
    assertThat(texts(decomposed(batchNorm(floats("x", 2, symbol("c")), floats("c", symbol("d"))))))
        .singleElement()
        .asString()
        .startsWith("R.nn.batch_norm(");
  }

  @Test
  void dropoutIsItsInputBesideOnes() {
    IRModule module = decomposed(Dropout.dropout(floats("x", 2), 0.5));
    assertThat(texts(module)).containsExactly("R.ones_like(x)", "(x, lv)");
  }

  @Test
  void readsFieldsDirectly() {
    RelaxVar x = floats("x", 2);
    BlockBuilder builder = new BlockBuilder();
    builder.function(
        "main",
        f -> {
          RelaxVar param = f.param("x", x.type());
          return f.dataflow(() -> new TupleGetItem(Dropout.dropout(param, 0.5), 0));
        });
    IRModule module = new DecomposeOpsForInference().run(builder.module(), PassContext.DEFAULT);
    assertThat(texts(module)).containsExactly("R.ones_like(x)", "(x, lv1)", "x");
  }

  @Test
  void hasItsName() {
    assertThat(new DecomposeOpsForInference().name()).isEqualTo("DecomposeOpsForInference");
  }
}
