package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ThreadAxis;
import org.relaxvm.tir.text.TirText;

class IllegalScheduleTest {
  private final Schedule matmul = new Schedule(Kernels.matmul(IntImm.of(8)));
  private final Schedule chain = new Schedule(Kernels.chain());
  private final Var i = matmul.loops("C").get(0);
  private final Var j = matmul.loops("C").get(1);
  private final Var k = matmul.loops("C").get(2);

  private static void refused(ThrowingCallable primitive, String message) {
    assertThatThrownBy(primitive).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void namesWhatThereIsNot() {
    refused(
        () -> chain.loops("D"),
        "the kernel chain has no block D\n  what there is: C, exp, root, sum");
    refused(() -> matmul.unroll(Var.index("x")), "the kernel matmul has no loop over x (any more)");
    matmul.split(i, 4);
    refused(() -> matmul.split(i, 4), "the kernel matmul has no loop over i0 (any more)");
  }

  @Test
  void splitsSerialLoopsByOneIterationOrMore() {
    refused(
        () -> matmul.split(i, 0),
        "to split the loop over i0 by 0 is not legal: the inner loop needs 1 iteration or more");
    matmul.parallel(i);
    refused(
        () -> matmul.split(i, 2),
        "to split the loop over i0 is not legal: it is parallel already: split it first");
  }

  @Test
  void fusesLoopsThatFollowEachOther() {
    refused(
        () -> matmul.fuse(i, k),
        "to fuse the loops over i0 and k0 is not legal: the second one is not all that is in the"
            + " first one");
    matmul.unroll(j);
    refused(
        () -> matmul.fuse(i, j),
        "to fuse the loops over i0 and i1 is not legal: both must be serial, but they are serial"
            + " and unroll");
    Schedule triangle = new Schedule(triangle());
    List<Var> loops = triangle.loops("b");
    refused(
        () -> triangle.fuse(loops.get(0), loops.get(1)),
        "to fuse the loops over i and j is not legal: the bounds of the second one depend on the"
            + " first one");
  }

  @Test
  void reordersLoopsOfOneNest() {
    refused(() -> matmul.reorder(List.of()), "to reorder no loops is not legal: name one or more");
    refused(
        () -> matmul.reorder(List.of(i, i)),
        "to reorder the loops over i0, i0 is not legal: one of them is named twice");
    List<Var> order = List.of(chain.loops("C").get(0), chain.loops("exp").get(0));
    refused(
        () -> chain.reorder(order),
        "to reorder the loops over i0, i0 is not legal: they are not nested with nothing but loops"
            + " between them");
    Schedule triangle = new Schedule(triangle());
    refused(
        () -> triangle.reorder(triangle.loops("b").reversed()),
        "to reorder the loops over j, i is not legal: the bounds of the loop over j depend on i,"
            + " which would be inside");
  }

  @Test
  void leavesTheFirstIterationOfAReductionFirst() {
    Var fused = matmul.fuse(j, k);
    List<Var> parts = matmul.split(fused, 4);
    refused(
        () -> matmul.reorder(parts.reversed()),
        "to reorder the loops over i1_k0_fused_1, i1_k0_fused_0 is not legal: the loop over"
            + " i1_k0_fused_1 moves along the reduction of the block C and other axes, so the"
            + " first iteration of the reduction might not come first");
  }

  @Test
  void runsOnlyIndependentIterationsAtOnce() {
    refused(
        () -> matmul.parallel(k),
        "to make the loop over k0 parallel is not legal: it moves along the axis v_k0 of the block"
            + " C, whose points update the same elements");
    refused(
        () -> matmul.bind(k, ThreadAxis.THREAD_X),
        "to make the loop over k0 thread_binding is not legal: it moves along the axis v_k0 of the"
            + " block C, whose points update the same elements");
    matmul.bind(i, ThreadAxis.BLOCK_X);
    refused(
        () -> matmul.bind(j, ThreadAxis.BLOCK_X),
        "to make the loop over i1 thread_binding is not legal: the loop over i0 around or inside it"
            + " is bound to blockIdx.x");
    matmul.vectorize(j);
    refused(
        () -> matmul.vectorize(i),
        "to make the loop over i0 vectorized is not legal: the loop over i1 around or inside it is"
            + " vectorized");
    Buffer a = Buffer.of("A", DType.FLOAT32, List.of(IntImm.of(4)));
    Var t = Var.index("t");
    BufferStore store = new BufferStore(a, new FloatImm(DType.FLOAT32, 1), List.of(t));
    Schedule plain =
        new Schedule(
            PrimFunc.of(
                "plain", List.of(a), Block.root(List.of(), For.serial(t, IntImm.of(4), store))));
    refused(
        () -> plain.vectorize(t),
        "to make the loop over t vectorized is not legal: it stores into A outside of a block");
  }

  @Test
  void inlinesFormulas() {
    refused(
        () -> matmul.inline("C"), "to inline the block C is not legal: it is more than one store");
    refused(
        () -> chain.inline("C"),
        "to inline the block C is not legal: C is a parameter of the kernel");
    chain.split(chain.loops("sum").get(0), 4);
    refused(
        () -> chain.inline("sum"),
        "to inline the block sum is not legal: it does not run at all points");
  }

  @Test
  void copiesWhatABlockReadsOrWrites() {
    Buffer a = matmul.function().buffers().get(0);
    Buffer c = matmul.function().buffers().get(2);
    refused(
        () -> matmul.cacheRead("C", c, MemoryScope.LOCAL, "c"),
        "to let the block C read a copy of C is not legal: it does not read that buffer");
    refused(
        () -> matmul.cacheWrite("C", a, MemoryScope.LOCAL, "a"),
        "to let the block C write a copy of A is not legal: it does not write that buffer");
    refused(
        () -> matmul.cacheRead("C", a, MemoryScope.LOCAL, "C"),
        "to let the block C read a copy of A is not legal: there is a block C already");
    Schedule decomposed = new Schedule(matmul.function());
    decomposed.decomposeReduction("C", j);
    refused(
        () -> decomposed.cacheWrite("C_init", c, MemoryScope.LOCAL, "c"),
        "to let the block C_init write a copy of C is not legal: the block C in the same loops"
            + " works on C too");
    refused(
        () -> decomposed.cacheWrite("C", c, MemoryScope.LOCAL, "c"),
        "to let the block C write a copy of C is not legal: it reads that buffer too");
    matmul.split(i, 4);
    refused(
        () -> matmul.cacheWrite("C", c, MemoryScope.LOCAL, "c"),
        "to let the block C write a copy of C is not legal: it may leave elements of it as they"
            + " are");
  }

  @Test
  void startsReductionsInFrontOfAllTheirLoops() {
    List<Var> inner = matmul.split(k, 4);
    refused(
        () -> matmul.decomposeReduction("C", inner.get(1)),
        "to start the block C in front of the loop over k0_1 is not legal: the loop over k0_0"
            + " around it moves along the reduction too");
    refused(
        () -> chain.decomposeReduction("C", chain.loops("C").getFirst()),
        "to start the block C in front of the loop over i0 is not legal: nothing starts the block");
    refused(
        () -> chain.decomposeReduction("C", chain.loops("exp").getFirst()),
        "to start the block C in front of the loop over i0 is not legal: that loop is not around"
            + " the block");
    assertThat(matmul.decomposeReduction("C", j)).isEqualTo("C_init");
    refused(
        () -> matmul.decomposeReduction("C", j),
        "to start the block C is not legal: there is a block C_init already");
  }

  /** A loop whose extent is the counter of the one around it. */
  private static PrimFunc triangle() {
    Buffer a = Buffer.of("A", DType.FLOAT32, List.of(IntImm.of(4), IntImm.of(4)));
    Var i = Var.index("i");
    Var j = Var.index("j");
    return PrimFunc.of(
        "triangle",
        List.of(a),
        Block.root(
            List.of(),
            For.serial(
                i,
                IntImm.of(4),
                For.serial(j, Exprs.add(i, 1), Blocks.store("b", a, List.of(i, j))))));
  }

  @Test
  void blocksInsideOfOthersGetNoMemory() {
    PrimFunc sums =
        TirText.parse(
                """
                # relaxvm tir 1
                @T.prim_func(private=True)
                def sums(X: T.Buffer((n,), "int32"), Y: T.Buffer((n,), "int32")):
                    n = T.int64()
                    with T.block("root"):
                        with T.block("Y"):
                            T.reads(X[0:n])
                            T.writes(Y[0:n])
                            for i0 in range(n):
                                with T.block("line"):
                                    v_i0 = T.axis.spatial(n, i0)
                                    T.reads(X[v_i0])
                                    T.writes(Y[v_i0])
                                    Y[v_i0] = X[v_i0]
                """,
                "sums")
            .getFirst();
    Schedule schedule = new Schedule(sums);
    Buffer x = sums.buffers().getFirst();
    assertThatThrownBy(() -> schedule.cacheRead("line", x, MemoryScope.SHARED, "copy"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "to let the block line read a copy of X is not legal: it is inside of the block Y");
    // The blocks inside say that they read the copy.
    schedule.cacheRead("Y", x, MemoryScope.SHARED, "copy");
    SameResults.require(sums, schedule.function());
  }
}
