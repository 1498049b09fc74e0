package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.TensorIntrinsic;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Nests of loops that stand for operations of devices. */
class TensorizeTest {
  private static final IntImm FOUR = IntImm.of(4);

  private final PrimFunc matmul = matmul();
  private final Schedule schedule = new Schedule(matmul);
  private List<Var> outer = List.of();
  private List<Var> inner = List.of();

  private static PrimFunc matmul() {
    KernelBuilder kernel = new KernelBuilder("matmul");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(n, IntImm.of(12), IntImm.of(8)));
    TensorExpr b = kernel.input("B", DType.FLOAT32, List.of(IntImm.of(8), IntImm.of(4)));
    TensorExpr c =
        kernel.reduce(
            "C",
            List.of(n, IntImm.of(12), IntImm.of(4)),
            List.of(IntImm.of(8)),
            Reducer.SUM,
            (i, r) -> Exprs.mul(a.at(i.get(0), i.get(1), r.get(0)), b.at(r.get(0), i.get(2))));
    return kernel.build(c);
  }

  @BeforeEach
  void tile() {
    List<Var> loops = schedule.loops("C");
    List<Var> rows = schedule.split(loops.get(1), 4);
    List<Var> depth = schedule.split(loops.get(3), 4);
    schedule.reorder(List.of(rows.get(0), depth.get(0), rows.get(1), loops.get(2), depth.get(1)));
    outer = List.of(loops.get(0), rows.get(0), depth.get(0));
    inner = List.of(rows.get(1), loops.get(2), depth.get(1));
  }

  private static Buffer tile(String name, PrimExpr... strides) {
    return new Buffer(
        name,
        DType.FLOAT32,
        List.of(FOUR, FOUR),
        List.of(strides),
        Var.index(name + "_at"),
        MemoryScope.GLOBAL);
  }

  private static Buffer strided(String name) {
    return tile(name, Var.index(name + "_step"), IntImm.of(1));
  }

  /** {@code Z += X * Y} of 4 x 4 matrices. */
  private static PrimFunc matmul(Buffer x, Buffer y, Buffer z) {
    Var i = Var.index("i");
    Var j = Var.index("j");
    Var k = Var.index("k");
    PrimExpr sum = Exprs.add(z.load(i, j), Exprs.mul(x.load(i, k), y.load(k, j)));
    Stmt body = new BufferStore(z, sum, List.of(i, j));
    for (Var counter : List.of(k, j, i)) {
      body = For.serial(counter, FOUR, body);
    }
    return PrimFunc.of("product", List.of(x, y, z), body);
  }

  /** The same with a block, as tensor expressions have it. */
  private static TensorIntrinsic mma() {
    PrimFunc plain = matmul(strided("X"), strided("Y"), strided("Z"));
    return new TensorIntrinsic("mma", inBlock(plain));
  }

  private static PrimFunc inBlock(PrimFunc plain) {
    List<For> loops = new ArrayList<>();
    Stmt stmt = plain.body();
    while (stmt instanceof For loop) {
      loops.add(loop);
      stmt = loop.body();
    }
    Stmt body = Blocks.around("tile", stmt, loops);
    for (For loop : loops.reversed()) {
      body = For.serial(loop.loopVar(), loop.extent(), body);
    }
    return plain.withBody(Block.root(List.of(), body));
  }

  private Block block(String name) {
    return StmtPath.find(
            schedule.function().body(),
            stmt -> stmt instanceof BlockRealize realize && realize.block().name().equals(name))
        .orElseThrow()
        .block();
  }

  @Test
  void aNestStandsForAnIntrinsic() {
    schedule.decomposeReduction("C", outer.get(2));
    assertThat(schedule.tensorize(inner.get(0), mma())).isEqualTo("C_tensorized");
    Block block = block("C_tensorized");
    assertThat(block.annotations()).isEqualTo(Map.of("tensorize", "mma"));
    assertThat(TensorIntrinsic.of(block)).contains("mma");
    assertThat(mma().inputs().stream().map(Buffer::name)).containsExactly("X", "Y", "Z");
    assertThat(mma().outputs().stream().map(Buffer::name)).containsExactly("Z");
    assertThat(block.reads().stream().map(region -> region.buffer().name()))
        .containsExactly("A", "B", "C");
    Var v0 = block.iterVars().get(0).var();
    Var v1 = block.iterVars().get(1).var();
    Range one = new Range(v0, IntImm.of(1));
    assertThat(block.writes())
        .containsExactly(
            new BufferRegion(
                matmul.buffers().get(2),
                List.of(one, new Range(Exprs.mul(v1, 4), FOUR), new Range(IntImm.of(0), FOUR))));
    SameResults.require(matmul, schedule.function());
    // What is outside of the nest can still be arranged.
    schedule.parallel(outer.get(0));
    schedule.split(outer.get(1), 2);
    SameResults.require(matmul, schedule.function());
  }

  @Test
  void descriptionsWithoutBlocksMatchToo() {
    schedule.decomposeReduction("C", outer.get(2));
    PrimFunc rows = matmul(strided("X"), tile("Y"), tile("Z"));
    schedule.tensorize(inner.get(0), new TensorIntrinsic("rows", rows));
    SameResults.require(matmul, schedule.function());
  }

  private void refused(TensorIntrinsic intrinsic, String why) {
    refused(
        () -> schedule.tensorize(inner.get(0), intrinsic),
        "to tensorize the loop over i1_1 by " + intrinsic.name() + " is not legal: " + why);
  }

  private static void refused(ThrowingCallable primitive, String message) {
    assertThatThrownBy(primitive).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void reductionsStartWhereTheIntrinsicStartsThem() {
    refused(
        mma(),
        "the block C does not start its reduction where the description does\n  what to do: start"
            + " it in a block of its own (decomposeReduction)");
  }

  @Test
  void onlyWhatTheDescriptionSaysStandsForIt() {
    schedule.decomposeReduction("C", outer.get(2));
    refused(
        new TensorIntrinsic("rows", matmul(tile("X"), tile("Y"), tile("Z"))),
        "the stride of axis 1 of A is not that of axis 0 of X in the description");
    refused(
        new TensorIntrinsic("transposed", matmul(strided("X"), strided("Y"), transposed("Z"))),
        "the stride of axis 1 of C is not that of axis 0 of Z in the description");
    Buffer shared = Buffer.of("X", DType.FLOAT32, List.of(FOUR, FOUR), MemoryScope.SHARED);
    refused(
        new TensorIntrinsic("shared", matmul(shared, tile("Y"), tile("Z"))),
        "A, which would be X of the description, lies in memory global instead of shared");
    Buffer begin = Buffer.of("Y", DType.FLOAT32, List.of(FOUR, FOUR));
    refused(
        new TensorIntrinsic("begin", matmul(strided("X"), begin, strided("Z"))),
        "B does not begin where Y of the description does");
    refused(
        () -> schedule.tensorize(inner.get(1), mma()),
        "to tensorize the loop over i2 by mma is not legal: it has a store into C where the"
            + " description has the loop over k");
    refused(fill(1), "it has the loop over k0_1 where the description has a store into Z");
    schedule.unroll(inner.get(1));
    refused(mma(), "the loop over i2 is unroll, but that over j of the description serial");
  }

  private static Buffer transposed(String name) {
    return tile(name, IntImm.of(1), Var.index(name + "_step"));
  }

  private static TensorIntrinsic fill(double value) {
    Buffer z = strided("Z");
    Var i = Var.index("i");
    Var j = Var.index("j");
    Stmt store = new BufferStore(z, new FloatImm(DType.FLOAT32, value), List.of(i, j));
    return new TensorIntrinsic(
        "fill", PrimFunc.of("fill", List.of(z), For.serial(i, FOUR, For.serial(j, FOUR, store))));
  }

  @Test
  void otherValuesAndBoundsAreOtherOperations() {
    schedule.decomposeReduction("C", outer.get(2));
    List<Var> init = schedule.loops("C_init");
    refused(
        () -> schedule.tensorize(init.get(2), fill(1)),
        "to tensorize the loop over i1_1_init by fill is not legal: what it stores into C is not"
            + " what the description stores into Z");
    assertThat(schedule.tensorize(init.get(2), fill(0))).isEqualTo("C_init_tensorized");
    SameResults.require(matmul, schedule.function());
    List<Var> parts = schedule.split(inner.get(2), 2);
    refused(mma(), "the loop over k0_1_0 has not the bounds of the loop over k of the description");
    assertThat(parts).hasSize(2);
  }

  @Test
  void whatStandsForAnIntrinsicStaysAsItIs() {
    schedule.decomposeReduction("C", outer.get(2));
    schedule.tensorize(inner.get(0), mma());
    String closed =
        "to change what is in the block C_tensorized is not legal: the block stands for the"
            + " intrinsic mma";
    refused(() -> schedule.unroll(inner.get(2)), closed);
    refused(() -> schedule.loops("C"), closed);
    refused(
        () -> schedule.cacheRead("C_tensorized", matmul.buffers().get(0), MemoryScope.LOCAL, "a"),
        "to let the block C_tensorized read a copy of A is not legal: the block stands for the"
            + " intrinsic mma");
  }

  @Test
  void parametersAreBuffersThatAreUsed() {
    Var x = new Var("x", DType.FLOAT32);
    PrimFunc scalar =
        new PrimFunc("s", List.of(new Param.OfScalar(x)), DType.VOID, new Seq(List.of()), Map.of());
    refused(
        () -> new TensorIntrinsic("s", scalar),
        "the tensor intrinsic s cannot have the parameter x: it is a scalar, but must be a buffer");
    PrimFunc unused = PrimFunc.of("u", List.of(tile("X")), new Seq(List.of()));
    refused(
        () -> new TensorIntrinsic("u", unused),
        "the tensor intrinsic u cannot have the parameter X: it is neither read nor written");
  }
}
