package org.relaxvm.compiler.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.SourceNodes;
import org.relaxvm.vmcore.program.Program;

/** Names of the nodes of an imported model, from bindings to instructions. */
class SourceNodesTest {
  private final BlockBuilder builder = new BlockBuilder();
  private final RelaxVar x = new RelaxVar("x", TensorType.of(DType.FLOAT32, 4, 4));
  private final RelaxVar w = new RelaxVar("w", TensorType.of(DType.FLOAT32, 4, 4));

  SourceNodesTest() {
    builder.beginFunction("main", List.of(x, w));
    builder.beginBlock(false);
  }

  private Expr node(String name, Expr value) {
    builder.setSourceNodes(List.of(name));
    return builder.emit(value);
  }

  private IRModule module(Expr result) {
    builder.setSourceNodes(List.of());
    builder.endBlock();
    List<RelaxVar> params = List.of(x, w);
    Attrs attrs = Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "main");
    builder.put(
        new GlobalVar("main"), builder.endFunction(params, result, Optional.empty(), true, attrs));
    return builder.module();
  }

  private Expr twoLayers() {
    Expr first = node("/0/relu", NnOps.relu(node("/0/matmul", Ops.matmul(x, w))));
    return node("/1/relu", NnOps.relu(node("/1/matmul", Ops.matmul(first, w))));
  }

  /** The nodes of each call of a function, in order. */
  private static List<String> nodesOfCalls(Program program, String function) {
    Executable executable = program.executable();
    List<String> calls = new ArrayList<>();
    for (SourceNodes.Range range : program.metadata().sourceNodes().ranges()) {
      SourceNodes only = new SourceNodes(List.of(range));
      if (!only.ofCalls(executable, function).isEmpty()) {
        calls.add(SourceNodes.text(range.nodes()));
      }
    }
    return calls;
  }

  @Test
  void aFusedKernelHasTheNodesOfItsPartsAtEachCall() {
    Program program = Compiler.compile(module(twoLayers()));
    assertThat(nodesOfCalls(program, "fused_matmul_relu"))
        .containsExactly("/0/matmul, /0/relu", "/1/matmul, /1/relu");
  }

  @Test
  void aCompositeHasTheNodesOfItsParts() {
    Expr sigmoid = node("/sigmoid", Ops.sigmoid(x));
    Program program = Compiler.compile(module(node("/mul", Ops.multiply(x, sigmoid))));
    assertThat(nodesOfCalls(program, "silu")).containsExactly("/sigmoid, /mul");
  }

  @Test
  void theTextOfAModuleShowsThemAndMeansTheSame() {
    IRModule module = module(twoLayers());
    String text = RelaxText.print(module);
    assertThat(text).contains("= R.matmul(x, w)  # /0/matmul\n", "= R.nn.relu(gv2)  # /1/relu\n");
    assertThat(RelaxText.print(RelaxText.parse(text, "test.relax", StandardOps.registry())))
        .isEqualTo(text.replaceAll("  # .*", ""));
  }

  @Test
  void lineEndsInNamesStayOutOfTheText() {
    IRModule module = module(node("a\nb\r\nc", Ops.add(x, w)));
    assertThat(RelaxText.print(module)).contains("  # a b c\n");
    assertThat(
            RelaxText.parse(RelaxText.print(module), "test.relax", StandardOps.registry())
                .functions())
        .hasSize(1);
  }

  @Test
  void anErrorNamesTheNode() {
    builder.setSourceNodes(List.of("/bad"));
    Expr wrong = Ops.reshape(x, 3);
    assertThatThrownBy(() -> builder.emit(wrong))
        .isInstanceOfSatisfying(
            InvalidProgramException.class,
            error ->
                assertThat(error.locations())
                    .singleElement()
                    .asString()
                    .startsWith("function main, node /bad, "));
  }

  @Test
  void aProgramThatIsNotImportedHasNone() {
    Program program = Compiler.compile(module(builder.emit(Ops.add(x, w))));
    assertThat(program.metadata().sourceNodes()).isEqualTo(SourceNodes.NONE);
  }
}
