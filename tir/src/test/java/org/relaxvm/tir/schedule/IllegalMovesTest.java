package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Moves, factors and kinds of loops that are refused. */
class IllegalMovesTest {
  private static final IntImm EIGHT = IntImm.of(8);

  private final Schedule chain = new Schedule(Kernels.chain());
  private final Schedule matmul = new Schedule(Kernels.matmul(EIGHT));
  private final Schedule activated = new Schedule(MovedBlocksTest.activated(EIGHT));

  private static void refused(ThrowingCallable primitive, String message) {
    assertThatThrownBy(primitive).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  private static Var loop(Schedule schedule, String block, int number) {
    return schedule.loops(block).get(number);
  }

  @Test
  void producersMoveIntoLoopsAroundAllTheirReaders() {
    refused(
        () -> chain.computeAt("C", loop(chain, "exp", 0)),
        "to compute the block C in the loop over i0 is not legal: C is a parameter of the kernel");
    refused(
        () -> chain.computeAt("sum", loop(chain, "C", 0)),
        "to compute the block sum in the loop over i0 is not legal: the block exp, which reads what"
            + " it writes, is not in that loop");
    refused(
        () -> chain.computeAt("root", loop(chain, "C", 0)),
        "to compute the block root in the loop over i0 is not legal: it is the block around all"
            + " others");
    chain.computeAt("exp", loop(chain, "C", 0));
    chain.computeAt("sum", loop(chain, "C", 0));
    refused(
        () -> chain.computeAt("exp", loop(chain, "C", 1)),
        "to compute the block exp in the loop over i1 is not legal: the block sum after it or in"
            + " the same loops writes sum, which it reads");
  }

  @Test
  void concurrentIterationsComputeElementsOfTheirOwn() {
    Schedule stencil = new Schedule(Kernels.stencil(DType.INT32));
    Var column = loop(stencil, "sums", 1);
    stencil.parallel(column);
    refused(
        () -> stencil.computeAt("twice", column),
        "to compute the block twice in the loop over i1 with iterations of the loop over i1 at once"
            + " is not legal: two iterations may run the block twice at the same point");
  }

  @Test
  void onlyWholeBlocksMove() {
    List<Var> parts = chain.split(loop(chain, "exp", 0), 4);
    chain.split(parts.get(1), 3);
    refused(
        () -> chain.computeAt("exp", loop(chain, "C", 0)),
        "to compute the block exp in the loop over i0 is not legal: the block exp runs on a"
            + " condition that says more than that its axes are in their domains");
  }

  @Test
  void partsOfBlocksStay() {
    chain.splitRemainder(loop(chain, "exp", 0), 5);
    refused(
        () -> chain.computeAt("exp", loop(chain, "C", 0)),
        "to compute the block exp in the loop over i0 is not legal: the block exp visits a part of"
            + " its domain, and another block the rest");
    refused(
        () -> chain.reverseComputeAt("C", loop(chain, "exp_rest", 0)),
        "to compute the block C after the iterations of the loop over i0_rest is not legal: the"
            + " block exp_rest visits a part of its domain, and another block the rest");
  }

  @Test
  void formulasMoveAfterWholeResults() {
    Var k = loop(activated, "C", 2);
    refused(
        () -> activated.reverseComputeAt("relu", k),
        "to compute the block relu after the iterations of the loop over k0 is not legal: the loop"
            + " over k0 moves along the reduction of the block C, which gives no result in one"
            + " iteration");
    refused(
        () -> activated.reverseComputeAt("C", loop(activated, "relu", 0)),
        "to compute the block C after the iterations of the loop over i0 is not legal: not all of"
            + " its axes are spatial");
    refused(
        () -> activated.reverseComputeAt("relu", loop(activated, "relu", 0)),
        "to compute the block relu after the iterations of the loop over i0 is not legal: both are"
            + " in the loop over i0");
    refused(
        () -> chain.reverseComputeAt("C", loop(chain, "sum", 0)),
        "to compute the block C after the iterations of the loop over i0 is not legal: the block"
            + " exp, which runs before it, writes exp, which it reads");
    refused(
        () -> chain.reverseComputeAt("sum", loop(chain, "C", 0)),
        "to compute the block sum after the iterations of the loop over i0 is not legal: it runs"
            + " before that loop");
    Schedule stencil = new Schedule(Kernels.stencil(DType.INT32));
    refused(
        () -> stencil.reverseComputeAt("sums", loop(stencil, "twice", 1)),
        "to compute the block sums after the iterations of the loop over i1 is not legal: the"
            + " indices of twice are not its axes, each of them once");
    List<Var> parts = activated.split(loop(activated, "C", 0), 4);
    activated.reorder(parts.reversed());
    refused(
        () -> activated.reverseComputeAt("relu", parts.get(1)),
        "to compute the block relu after the iterations of the loop over i0_1 is not legal: what"
            + " one iteration of the block C gives is not a range of each axis");
  }

  @Test
  void knownReductionsAreFactored() {
    refused(
        () -> matmul.rfactor(loop(matmul, "C", 0), 0),
        "to factor a reduction over the loop over i0 is not legal: it must move along the reduction"
            + " of one block, but does of none");
    refused(
        () -> matmul.rfactor(loop(matmul, "C", 2), 3),
        "to factor a reduction over the loop over k0 is not legal: the new axis must be one of 0 to"
            + " 2, but is 3");
    Schedule argmax = new Schedule(FactoredReductionsTest.argmax(EIGHT, false));
    List<Var> parts = argmax.split(loop(argmax, "index", 1), 4);
    refused(
        () -> argmax.rfactor(parts.get(1), 0),
        "to factor a reduction over the loop over k0_1 is not legal: the block index chooses the"
            + " first of values that are as good, so only the outermost loop of the reduction,"
            + " which is over k0_0, leaves them in order");
    Schedule last = new Schedule(FactoredReductionsTest.argmax(EIGHT, true));
    refused(
        () -> last.rfactor(loop(last, "index", 1), 0),
        "to factor a reduction over the loop over k0 is not legal: it is not known how to put"
            + " results of the block index together: it must update its outputs by +, *, min, max,"
            + " and, or, or choose the first best value by a comparison");
    Var k = loop(matmul, "C", 2);
    Var fused = matmul.fuse(loop(matmul, "C", 1), k);
    refused(
        () -> matmul.rfactor(fused, 0),
        "to factor a reduction over the loop over i1_k0_fused is not legal: it moves along other"
            + " axes of the block C too");
  }

  /** A block that stores at an axis with this value of the counter. */
  private static PrimFunc storing(Var counter, PrimExpr value, PrimExpr extent) {
    Buffer a = Buffer.of("A", DType.FLOAT32, List.of(EIGHT));
    return PrimFunc.of(
        "storing",
        List.of(a),
        Block.root(List.of(), For.serial(counter, extent, at("b", a, a, value, 0))));
  }

  private static Stmt at(String name, Buffer from, Buffer to, PrimExpr value, int offset) {
    Var v = Var.index("v");
    IterVar axis = new IterVar(v, new Range(IntImm.of(0), EIGHT), IterKind.SPATIAL);
    PrimExpr element =
        from == to ? new FloatImm(DType.FLOAT32, 1) : from.load(Exprs.sub(v, offset));
    Stmt store = new BufferStore(to, element, List.of(v));
    return BlockRealize.always(
        BlockRegions.block(name, List.of(axis), Optional.empty(), store), List.of(value));
  }

  @Test
  void concurrentIterationsVisitPointsOfTheirOwn() {
    Var i = Var.index("i");
    Schedule halves = new Schedule(storing(i, Exprs.floorDiv(i, 2), EIGHT));
    for (ThrowingCallable primitive :
        List.<ThrowingCallable>of(() -> halves.parallel(i), () -> halves.vectorize(i))) {
      assertThatThrownBy(primitive)
          .isInstanceOf(InvalidProgramException.class)
          .hasMessageEndingWith(
              " is not legal: two iterations may run the block b at the same point");
    }
    Schedule remainder = new Schedule(storing(i, Exprs.floorMod(i, 8), IntImm.of(16)));
    refused(
        () -> remainder.parallel(i),
        "to make the loop over i parallel is not legal: two iterations may run the block b at the"
            + " same point");
    Schedule backwards = new Schedule(storing(i, Exprs.sub(IntImm.of(7), i), EIGHT));
    backwards.parallel(i);
  }

  @Test
  void concurrentIterationsDoNotNeedEachOther() {
    Buffer a = Buffer.of("A", DType.FLOAT32, List.of(EIGHT));
    Buffer b = Buffer.of("B", DType.FLOAT32, List.of(EIGHT));
    for (int offset = 0; offset < 2; offset++) {
      Var i = Var.index("i");
      Stmt both = new Seq(List.of(at("first", a, a, i, 0), at("second", a, b, i, offset)));
      Schedule schedule =
          new Schedule(
              new PrimFunc(
                  "both",
                  PrimFunc.of("p", List.of(a, b), both).params(),
                  DType.VOID,
                  Block.root(List.of(), For.serial(i, EIGHT, both)),
                  Map.of()));
      if (offset == 0) {
        schedule.parallel(i);
      } else {
        refused(
            () -> schedule.parallel(i),
            "to make the loop over i parallel is not legal: a block in one of its iterations may"
                + " work on what another block in another iteration writes");
      }
    }
  }

  /** Stages one after the other: each block copies a buffer into the next one, {@code A} first. */
  private static Schedule stages(List<Buffer> buffers, Stmt... stages) {
    List<Buffer> inner = buffers.subList(1, buffers.size() - 1);
    Stmt body = Block.root(inner, new Seq(List.of(stages)));
    return new Schedule(
        PrimFunc.of("stages", List.of(buffers.getFirst(), buffers.getLast()), body));
  }

  private static Stmt copy(String name, Buffer from, Buffer to, Var counter, int offset) {
    return For.serial(counter, EIGHT, at(name, from, to, counter, offset));
  }

  private final Var i = Var.index("i");
  private final Var j = Var.index("j");
  private final Buffer a = buffer("A");
  private final Buffer b = buffer("B");
  private final Buffer c = buffer("C");

  private static Buffer buffer(String name) {
    return Buffer.of(name, DType.FLOAT32, List.of(EIGHT));
  }

  @Test
  void blocksUnderConditionsStay() {
    Stmt conditional =
        new IfThenElse(
            Exprs.lt(a.load(IntImm.of(0)), new FloatImm(DType.FLOAT32, 0)),
            copy("first", a, b, i, 0),
            Optional.empty());
    Schedule schedule = stages(List.of(a, b, c), conditional, copy("second", b, c, j, 0));
    refused(
        () -> schedule.computeAt("first", j),
        "to compute the block first in the loop over j is not legal: the block first is in one"
            + " branch of an if");
    refused(
        () -> schedule.reverseComputeAt("second", i),
        "to compute the block second after the iterations of the loop over i is not legal: the loop"
            + " is in one branch of an if");
  }

  @Test
  void blocksMoveToReadersAfterThem() {
    Schedule early =
        stages(List.of(a, b, c), copy("second", b, c, j, 0), copy("first", a, b, i, 0));
    refused(
        () -> early.computeAt("first", j),
        "to compute the block first in the loop over j is not legal: the block second, which reads"
            + " what it writes, runs before it");
    Buffer unread = buffer("U");
    Schedule unused =
        stages(List.of(a, unread, c), copy("first", a, unread, i, 0), copy("second", a, c, j, 0));
    refused(
        () -> unused.computeAt("first", j),
        "to compute the block first in the loop over j is not legal: no block reads what it"
            + " writes");
    refused(
        () -> unused.reverseComputeAt("second", i),
        "to compute the block second after the iterations of the loop over i is not legal: no block"
            + " in that loop writes what it reads");
  }

  @Test
  void blocksThatWorkOnTheSameBufferKeepTheirOrder() {
    Schedule twice =
        stages(
            List.of(a, b, c),
            copy("first", a, b, i, 0),
            copy("other", a, c, Var.index("o"), 0),
            copy("second", b, c, j, 0));
    refused(
        () -> twice.reverseComputeAt("second", i),
        "to compute the block second after the iterations of the loop over i is not legal: the"
            + " block other, which runs before it, works on C too");
    Stmt outside = new BufferStore(b, new FloatImm(DType.FLOAT32, 1), List.of(IntImm.of(0)));
    Schedule stored =
        stages(List.of(a, b, c), copy("first", a, b, i, 0), outside, copy("second", b, c, j, 0));
    refused(
        () -> stored.computeAt("first", j),
        "to compute the block first in the loop over j is not legal: B is used outside of blocks");
  }

  @Test
  void blocksOfOneBlockMove() {
    Stmt inner = copy("first", a, b, i, 0);
    Block outer =
        new Block(
            "outer", List.of(), List.of(), List.of(), List.of(), Optional.empty(), inner, Map.of());
    Schedule nested =
        stages(List.of(a, b, c), BlockRealize.always(outer, List.of()), copy("second", b, c, j, 0));
    refused(
        () -> nested.computeAt("first", j),
        "to compute the block first in the loop over j is not legal: it is inside of the block"
            + " outer");
    refused(
        () -> nested.reverseComputeAt("second", i),
        "to compute the block second after the iterations of the loop over i is not legal: the loop"
            + " is inside of the block outer");
  }

  @Test
  void namesOfFactoredBlocksAreNew() {
    Schedule once = new Schedule(Kernels.matmul(EIGHT));
    once.rfactor(loop(once, "C", 2), 0);
    refused(
        () -> once.rfactor(loop(once, "C", 2), 0),
        "to factor a reduction over the loop over k0_all is not legal: there is a block C_rf"
            + " already");
  }
}
