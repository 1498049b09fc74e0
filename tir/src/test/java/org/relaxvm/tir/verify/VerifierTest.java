package org.relaxvm.tir.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

class VerifierTest {
  private static final PrimExpr ONE = new FloatImm(DType.FLOAT32, 1);
  private static final IntImm FOUR = IntImm.of(4);

  private final Var n = Var.index("n");
  private final Var i = Var.index("i");
  private final Buffer a = Buffer.of("A", DType.FLOAT32, List.of(n));

  private BufferStore store(PrimExpr index) {
    return new BufferStore(a, ONE, List.of(index));
  }

  private PrimFunc kernel(Stmt body) {
    return PrimFunc.of("k", List.of(a), body);
  }

  private static void refused(PrimFunc function, String problem) {
    assertThatThrownBy(() -> Verifier.verify(function))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the kernel " + function.name() + " is not valid: " + problem);
  }

  private static PrimFunc giving(DType dtype, Stmt body) {
    return new PrimFunc("f", List.of(), dtype, body, Map.of());
  }

  @Test
  void acceptsWhatKeepsTheRules() {
    Verifier.verify(kernel(For.serial(i, n, store(i))));
    Verifier.verify(kernel(new Seq(List.of())));
    Verifier.verify(giving(DType.INT64, new Return(FOUR)));
    // An extent that a later parameter defines.
    Buffer b = Buffer.of("B", DType.FLOAT32, List.of(Exprs.add(n, 1)));
    Verifier.verify(PrimFunc.of("later", List.of(b, a), new Seq(List.of())));
    // A number after the buffer whose extent it is.
    List<Param> trailing = List.of(new Param.OfBuffer(a), new Param.OfScalar(n));
    Verifier.verify(new PrimFunc("t", trailing, DType.VOID, new Seq(List.of()), Map.of()));
    Stmt either = new IfThenElse(Exprs.lt(n, FOUR), new Return(n), Optional.of(new Return(FOUR)));
    Verifier.verify(
        new PrimFunc("f", List.of(new Param.OfScalar(n)), DType.INT64, either, Map.of()));
  }

  @Test
  void whatCannotRunMayBeOutOfBounds() {
    Buffer four = Buffer.of("A", DType.FLOAT32, List.of(FOUR));
    Stmt outside = new BufferStore(four, ONE, List.of(Exprs.add(i, 8)));
    Stmt never = new IfThenElse(Exprs.lt(Exprs.add(i, 4), FOUR), outside, Optional.empty());
    Verifier.verify(PrimFunc.of("k", List.of(four), For.serial(i, FOUR, never)));
    Stmt always = new IfThenElse(Exprs.lt(i, FOUR), outside, Optional.empty());
    refused(
        PrimFunc.of("k", List.of(four), For.serial(i, FOUR, always)),
        "it writes the buffer A out of bounds: the index of axis 0 lies in [8, 11], the extent in"
            + " [4, 4]");
  }

  @Test
  void variablesAreUsedWhereTheyAreDefined() {
    refused(
        kernel(store(i)),
        "the variable i is used where it is not defined\n  what is defined there: n");
    refused(
        kernel(new Seq(List.of(For.serial(i, n, store(i)), store(i)))),
        "the variable i is used where it is not defined\n  what is defined there: n");
    refused(
        giving(DType.INT64, new Return(i)),
        "the variable i is used where it is not defined\n  what is defined there: nothing");
    refused(
        PrimFunc.of(
            "k",
            List.of(Buffer.of("B", DType.FLOAT32, List.of(Exprs.add(n, 1)))),
            new Seq(List.of())),
        "the variable n is used where it is not defined\n  what is defined there: nothing");
  }

  @Test
  void variablesAndBuffersAreDefinedOnce() {
    refused(
        kernel(For.serial(i, n, For.serial(i, n, store(i)))),
        "the counter i is a variable that is defined already");
    refused(
        kernel(new Seq(List.of(For.serial(i, n, store(i)), new Let(i, FOUR, store(i))))),
        "the variable i is a variable that is defined already");
    refused(kernel(Block.root(List.of(a), store(FOUR))), "the buffer A is defined twice");
  }

  @Test
  void buffersAreUsedWhereTheyAreDefined() {
    Buffer b = Buffer.of("B", DType.FLOAT32, List.of(FOUR));
    BufferStore outside = new BufferStore(b, ONE, List.of(FOUR));
    refused(
        kernel(new Seq(List.of(Block.root(List.of(b), store(FOUR)), outside))),
        "the buffer B is used where it is not defined\n  what is defined there: A");
  }

  @Test
  void blocksUseTheirAxes() {
    Block block =
        new Block(
            "b", List.of(), List.of(), List.of(), List.of(), Optional.empty(), store(i), Map.of());
    refused(
        kernel(For.serial(i, n, BlockRealize.always(block, List.of()))),
        "a block uses the counter i of a loop around it\n  what to do: give the block an axis with"
            + " that value");
    Stmt twice =
        new Seq(List.of(Block.root(List.of(), store(FOUR)), Block.root(List.of(), store(FOUR))));
    refused(kernel(twice), "there are two blocks root");
  }

  private PrimFunc saying(List<BufferRegion> reads, List<BufferRegion> writes, Stmt body) {
    Block block =
        new Block("b", List.of(), reads, writes, List.of(), Optional.empty(), body, Map.of());
    return kernel(BlockRealize.always(block, List.of()));
  }

  private BufferRegion region(PrimExpr min, long extent) {
    return new BufferRegion(a, List.of(new Range(min, IntImm.of(extent))));
  }

  @Test
  void blocksSayWhatTheyReadAndWrite() {
    Stmt fill = For.serial(i, n, store(i));
    Verifier.verify(saying(List.of(), List.of(AccessRegions.whole(a)), fill));
    Verifier.verify(saying(List.of(), List.of(region(IntImm.of(0), 2)), fill));
    Verifier.verify(saying(List.of(), List.of(), fill));
    refused(
        saying(List.of(AccessRegions.whole(a)), List.of(), fill),
        "the block b does not say that it may write A\n  what it says that it may write: nothing");
    Stmt copy = new BufferStore(a, a.load(FOUR), List.of(IntImm.of(0)));
    refused(
        saying(List.of(), List.of(AccessRegions.whole(a)), copy),
        "the block b does not say that it may read A\n  what it says that it may read: nothing");
    refused(
        saying(
            List.of(region(IntImm.of(0), 4), region(IntImm.of(5), 1)),
            List.of(AccessRegions.whole(a)),
            copy),
        "the block b does not say that it may read A where it does: all of the regions that it"
            + " names are elsewhere");
    Stmt call = new CallPacked("f", List.of(new PackedArg.OfBuffer(a)));
    Verifier.verify(saying(List.of(), List.of(AccessRegions.whole(a)), call));
    Buffer b = Buffer.of("B", DType.FLOAT32, List.of(FOUR));
    Stmt own = new Seq(List.of(new BufferStore(b, ONE, List.of(IntImm.of(0))), call));
    PrimFunc unsaid = saying(List.of(), List.of(AccessRegions.whole(b)), own);
    refused(
        new PrimFunc(
            "k",
            List.of(new Param.OfBuffer(a), new Param.OfBuffer(b)),
            DType.VOID,
            unsaid.body(),
            Map.of()),
        "the block b does not say that it may read or write A\n  what it says that it may read or"
            + " write: B");
  }

  @Test
  void resultsAreReturnedAtTheEnd() {
    refused(giving(DType.INT64, new Seq(List.of())), "it gives int64, but may end without return");
    refused(giving(DType.INT64, new Return(IntImm.of(true))), "it gives int64, but returns bool");
    refused(giving(DType.VOID, new Return(FOUR)), "it gives nothing, but returns int64");
    refused(
        giving(DType.INT64, new Seq(List.of(new Return(FOUR), new Return(FOUR)))),
        "there are statements after return");
    refused(giving(DType.INT64, For.serial(i, FOUR, new Return(i))), "it returns within a loop");
  }

  @Test
  void threadsAndVectorsAreBoundOnce() {
    Var j = Var.index("j");
    refused(
        kernel(bound(i, bound(j, store(i)))),
        "the loop over j is bound to threadIdx.x, as is a loop around it");
    refused(
        kernel(For.of(ForKind.VECTORIZED, i, n, For.of(ForKind.VECTORIZED, j, n, store(i)))),
        "the loop over j is vectorized, as is a loop around it");
    refused(
        kernel(For.of(ForKind.VECTORIZED, i, n, new CallPacked("f", List.of()))),
        "it calls f in lanes of vectors, which cannot call");
  }

  @Test
  void indicesAreNotSurelyOutside() {
    refused(
        kernel(For.serial(i, n, store(Exprs.add(i, n)))),
        "it writes the buffer A out of bounds: the index of axis 0 lies in [1, inf], the extent in"
            + " [1, inf]");
    Buffer b = Buffer.of("B", DType.FLOAT32, List.of(FOUR));
    Stmt copy = new BufferStore(a, b.load(Exprs.sub(i, 5)), List.of(i));
    refused(
        PrimFunc.of("k", List.of(a, b), For.serial(i, FOUR, copy)),
        "it reads the buffer B out of bounds: the index of axis 0 lies in [-5, -2], the extent in"
            + " [4, 4]");
  }

  @Test
  void whatNeverRunsIsNotOutside() {
    Buffer none = Buffer.of("N", DType.FLOAT32, List.of(IntImm.of(0)));
    Stmt body = new BufferStore(none, ONE, List.of(Exprs.add(i, 5)));
    PrimFunc empty = PrimFunc.of("k", List.of(none), For.serial(i, IntImm.of(0), body));
    Verifier.verify(empty);
    assertThat(Verifier.unprovenAccesses(empty)).isEmpty();
  }

  @Test
  void whatNeverRunsAsNoIndexMeetsAllConditionsIsNotOutside() {
    Buffer single = Buffer.of("A", DType.FLOAT32, List.of(IntImm.of(1)));
    Var j = Var.index("j");
    PrimExpr odd = Exprs.sub(Exprs.add(Exprs.mul(i, 2), Exprs.mul(j, 2)), 3);
    PrimExpr inside = Exprs.and(Exprs.le(IntImm.of(0), odd), Exprs.lt(odd, IntImm.of(1)));
    Stmt store =
        new IfThenElse(inside, new BufferStore(single, ONE, List.of(odd)), Optional.empty());
    Stmt loops = For.serial(i, IntImm.of(3), For.serial(j, IntImm.of(2), store));
    Verifier.verify(PrimFunc.of("k", List.of(single), loops));
  }

  @Test
  void indicesThatAreSurelyInsideNeedNoCheck() {
    assertThat(Verifier.unprovenAccesses(kernel(For.serial(i, n, store(i))))).isEmpty();
    assertThat(Verifier.unprovenAccesses(kernel(For.serial(i, n, store(Exprs.floorDiv(i, 2))))))
        .isEmpty();
    PrimExpr guarded =
        Exprs.ifThenElse(
            Exprs.lt(Exprs.add(i, 1), n), a.load(Exprs.add(i, 1)), new FloatImm(DType.FLOAT32, 0));
    Stmt shift = new BufferStore(a, guarded, List.of(i));
    assertThat(Verifier.unprovenAccesses(kernel(For.serial(i, n, shift)))).isEmpty();
    Access outside = new Access(a, List.of(Exprs.add(i, 1)), 0, true);
    assertThat(Verifier.unprovenAccesses(kernel(For.serial(i, n, store(Exprs.add(i, 1))))))
        .containsExactly(outside);
    Stmt inside =
        new IfThenElse(Exprs.lt(Exprs.add(i, 1), n), store(Exprs.add(i, 1)), Optional.empty());
    assertThat(Verifier.unprovenAccesses(kernel(For.serial(i, n, inside)))).isEmpty();
  }

  private List<For> unprovenLoops(ForKind kind, PrimExpr extent, Stmt body) {
    return Verifier.unprovenLoops(kernel(For.of(kind, i, extent, body)));
  }

  @Test
  void concurrentIterationsDoNotAllWriteOneElement() {
    refused(
        kernel(For.of(ForKind.PARALLEL, i, FOUR, store(IntImm.of(0)))),
        "all iterations of the loop over i, which run at the same time, write the same element of"
            + " A");
  }

  @Test
  void oneOfTheIterationsMayWriteOneElement() {
    Stmt first = new IfThenElse(Exprs.lt(i, IntImm.of(1)), store(i), Optional.empty());
    Verifier.verify(kernel(For.of(ForKind.PARALLEL, i, FOUR, first)));
  }

  @Test
  void iterationsAreIndependentWhereTheyWriteElementsOfTheirOwn() {
    Var j = Var.index("j");
    assertThat(unprovenLoops(ForKind.PARALLEL, n, store(i))).isEmpty();
    // Each iteration has four elements.
    PrimExpr own = Exprs.add(Exprs.mul(i, 4), j);
    assertThat(unprovenLoops(ForKind.PARALLEL, n, For.serial(j, FOUR, store(own)))).isEmpty();
    PrimExpr shared = Exprs.add(Exprs.mul(i, 3), j);
    assertThat(unprovenLoops(ForKind.PARALLEL, n, For.serial(j, FOUR, store(shared)))).hasSize(1);
    assertThat(unprovenLoops(ForKind.PARALLEL, n, store(Exprs.floorDiv(i, 2)))).hasSize(1);
    assertThat(unprovenLoops(ForKind.SERIAL, n, store(Exprs.floorDiv(i, 2)))).isEmpty();
    // What one iteration reads, another one writes.
    Stmt shift = new BufferStore(a, a.load(Exprs.add(i, 1)), List.of(i));
    assertThat(unprovenLoops(ForKind.VECTORIZED, n, shift)).hasSize(1);
    Stmt same = new BufferStore(a, a.load(i), List.of(i));
    assertThat(unprovenLoops(ForKind.VECTORIZED, n, same)).isEmpty();
    Stmt call = new CallPacked("f", List.of(new PackedArg.OfBuffer(a)));
    assertThat(unprovenLoops(ForKind.PARALLEL, n, call)).hasSize(1);
  }

  @Test
  void fusedLoopsAreIndependentToo() {
    Buffer square = Buffer.of("S", DType.FLOAT32, List.of(n, Var.index("m")));
    PrimExpr m = square.shape().get(1);
    List<PrimExpr> index = List.of(Exprs.floorDiv(i, m), Exprs.floorMod(i, m));
    PrimFunc fused =
        PrimFunc.of(
            "fused",
            List.of(square),
            For.of(ForKind.PARALLEL, i, Exprs.mul(n, m), new BufferStore(square, ONE, index)));
    assertThat(Verifier.unprovenLoops(fused)).isEmpty();
  }

  @Test
  void memoryOfAnIterationIsItsOwn() {
    Buffer own = Buffer.of("own", DType.FLOAT32, List.of(FOUR));
    Stmt body = Block.root(List.of(own), new BufferStore(own, ONE, List.of(IntImm.of(0))));
    assertThat(unprovenLoops(ForKind.PARALLEL, n, body)).isEmpty();
  }

  private For bound(Var counter, Stmt body) {
    return new For(
        counter,
        IntImm.of(0),
        n,
        ForKind.THREAD_BINDING,
        Optional.of(ThreadAxis.THREAD_X),
        body,
        Map.of());
  }
}
