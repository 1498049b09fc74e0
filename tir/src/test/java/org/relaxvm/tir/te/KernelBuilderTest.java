package org.relaxvm.tir.te;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.verify.Verifier;

class KernelBuilderTest {
  private final KernelBuilder kernel = new KernelBuilder("k");
  private final Var n = kernel.extent("n");
  private final TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(n, IntImm.of(4)));

  private static Block block(PrimFunc function, String name) {
    List<Block> found = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        if (block.name().equals(name)) {
          found.add(block);
        }
        super.visit(block);
      }
    }.visit(function);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static List<PrimExpr> axes(Block block) {
    return block.iterVars().stream().<PrimExpr>map(IterVar::var).toList();
  }

  private static List<Range> points(List<PrimExpr> indices) {
    return indices.stream().map(index -> new Range(index, IntImm.of(1))).toList();
  }

  @Test
  void annotationsKeepTheirOrder() {
    List<String> keys = List.of("h", "b", "library", "library.args", "a", "q", "c", "z");
    Map<String, Object> attrs = new LinkedHashMap<>();
    keys.forEach(key -> attrs.put(key, 1L));
    TensorExpr b = kernel.compute("B", a.shape(), a::at);
    kernel.annotate(b, attrs);

    assertThat(kernel.build(b).attrs().keySet()).containsExactlyElementsOf(keys);
  }

  @Test
  void parametersAreInputsAndScalarsThenOutputs() {
    Var k = kernel.scalar("k", DType.FLOAT32);
    TensorExpr hidden = kernel.compute("H", a.shape(), i -> Exprs.mul(a.at(i), k));
    TensorExpr b = kernel.compute("B", a.shape(), i -> Exprs.add(hidden.at(i), k));
    PrimFunc function = kernel.build(b);
    assertThat(function.params().stream().map(Param::name)).containsExactly("A", "k", "B");
    assertThat(block(function, Block.ROOT).allocBuffers().stream().map(Buffer::name))
        .containsExactly("H");
    Verifier.verify(function);
  }

  @Test
  void blocksSayWhatTheyReadAndWrite() {
    TensorExpr sums =
        kernel.reduce(
            "S",
            List.of(n),
            List.of(IntImm.of(4)),
            Reducer.SUM,
            (i, r) -> a.at(i.getFirst(), r.getFirst()));
    PrimFunc function = kernel.build(sums);
    Block block = block(function, "S");
    List<PrimExpr> axes = axes(block);
    assertThat(block.reads())
        .containsExactly(new BufferRegion(function.buffers().get(0), points(axes)));
    assertThat(block.writes())
        .containsExactly(new BufferRegion(function.buffers().get(1), points(axes.subList(0, 1))));
    assertThat(block.init()).isPresent();
    Verifier.verify(function);
  }

  @Test
  void reductionsOverWhatMayBeNothingStartOnTheirOwn() {
    TensorExpr sums =
        kernel.reduce("S", List.of(), List.of(n), Reducer.SUM, (i, r) -> a.at(r.get(0), n));
    PrimFunc function = kernel.build(sums);
    assertThat(block(function, "S_init").iterVars()).isEmpty();
    assertThat(block(function, "S").init()).isEmpty();
    assertThat(block(function, "S").reads()).hasSize(2);
    Verifier.verify(function);
  }

  @Test
  void whatIsLookedUpIsReadAsAWholeAxis() {
    TensorExpr positions = kernel.input("P", DType.INT64, List.of(n));
    TensorExpr taken = kernel.compute("T", a.shape(), i -> a.at(positions.at(i.get(0)), i.get(1)));
    PrimFunc function = kernel.build(taken);
    Block block = block(function, "T");
    List<PrimExpr> axes = axes(block);
    BufferRegion rows =
        new BufferRegion(
            function.buffers().get(0),
            List.of(new Range(IntImm.of(0), n), new Range(axes.get(1), IntImm.of(1))));
    BufferRegion indices = new BufferRegion(function.buffers().get(1), points(axes.subList(0, 1)));
    assertThat(block.reads()).containsExactly(indices, rows);
  }

  @Test
  void inlinedTensorsLeaveNoBlock() {
    TensorExpr twice = kernel.inlined("twice", a.shape(), i -> Exprs.add(a.at(i), a.at(i)));
    TensorExpr b = kernel.compute("B", a.shape(), i -> Exprs.mul(twice.at(i), twice.at(i)));
    PrimFunc function = kernel.build(b);
    assertThat(block(function, Block.ROOT).allocBuffers()).isEmpty();
    assertThat(block(function, "B").reads()).hasSize(1);
  }

  @Test
  void packedFunctionsMayTouchAllOfABuffer() {
    Buffer sorted = Buffer.of("sorted", DType.FLOAT32, a.shape());
    Buffer input = ((TensorExpr.Stored) a).buffer();
    List<TensorExpr> outputs =
        kernel.statements(
            "sort",
            List.of(sorted),
            new CallPacked(
                "sort", List.of(new PackedArg.OfBuffer(input), new PackedArg.OfBuffer(sorted))));
    PrimFunc function = kernel.build(outputs.getFirst());
    assertThat(block(function, "sort").writes())
        .containsExactly(AccessRegions.whole(input), AccessRegions.whole(sorted));
    Verifier.verify(function);
  }

  @Test
  void onlyComputedTensorsAreGivenOnce() {
    TensorExpr b = kernel.compute("B", a.shape(), a::at);
    TensorExpr inlined = kernel.inlined("I", a.shape(), a::at);
    for (TensorExpr[] outputs :
        List.of(new TensorExpr[] {a}, new TensorExpr[] {b, b}, new TensorExpr[] {inlined})) {
      TensorExpr wrong = outputs[outputs.length - 1];
      assertThatThrownBy(() -> kernel.build(outputs))
          .isInstanceOf(InvalidProgramException.class)
          .hasMessage(
              "the kernel k cannot give "
                  + wrong.name()
                  + ": it must be a tensor that the kernel computes, and be given once");
    }
  }

  @Test
  void reductionsHaveAsManyNamesAsValues() {
    assertThatThrownBy(
            () ->
                kernel.reduceAll(
                    List.of("x", "y"),
                    List.of(),
                    a.shape(),
                    Reducer.SUM,
                    (i, r) -> List.of(a.at(r))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the reduction of the kernel k has 2 names, 1 value and 1 value to start with: as"
                + " many of each expected");
  }

  @Test
  void reducersStartWithTheLimitsOfTheDtype() {
    assertThat(Reducer.lowest(DType.INT8)).isEqualTo(new IntImm(DType.INT8, -128));
    assertThat(Reducer.highest(DType.INT8)).isEqualTo(new IntImm(DType.INT8, 127));
    assertThat(Reducer.highest(DType.UINT8)).isEqualTo(new IntImm(DType.UINT8, 255));
    assertThat(Reducer.highest(DType.UINT64)).isEqualTo(new IntImm(DType.UINT64, -1));
    assertThat(Reducer.lowest(DType.INT64)).isEqualTo(new IntImm(DType.INT64, Long.MIN_VALUE));
    assertThat(Reducer.highest(DType.INT64)).isEqualTo(new IntImm(DType.INT64, Long.MAX_VALUE));
    assertThat(Reducer.lowest(DType.BOOL)).isEqualTo(IntImm.of(false));
    assertThat(Reducer.highest(DType.BOOL)).isEqualTo(IntImm.of(true));
  }
}
