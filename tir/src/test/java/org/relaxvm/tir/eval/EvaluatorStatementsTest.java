package org.relaxvm.tir.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.tir.eval.Ir.at;
import static org.relaxvm.tir.eval.Ir.floats;
import static org.relaxvm.tir.eval.Ir.kernel;
import static org.relaxvm.tir.eval.Ir.longs;
import static org.relaxvm.tir.eval.Ir.number;
import static org.relaxvm.tir.eval.Ir.seq;
import static org.relaxvm.tir.eval.Ir.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Each kind of statement by itself. */
class EvaluatorStatementsTest {
  private final Var i = Var.index("i");
  private final Var j = Var.index("j");
  private final Buffer y = longs("Y", at(4));
  private final Tensor out = Tensor.of(new long[] {-9, -9, -9, -9}, Shape.of(4));

  @Test
  void returnsAScalarAfterWritingAShape() {
    Buffer h = longs("H", at(2));
    PrimFunc next =
        kernel(
            DType.INT32,
            seq(
                store(h, Exprs.add(h.load(at(0)), 1), at(1)),
                new Return(new IntImm(DType.INT32, 0)),
                store(h, at(-1), at(1))),
            new Param.OfBuffer(h));
    Tensor heap = Tensor.of(new long[] {41, 0}, Shape.of(2));
    assertThat(new Evaluator().run(next, List.of(heap))).contains(0L);
    assertThat(heap.toLongArray()).containsExactly(41, 42);
  }

  @Test
  void scalarsComeAndGoAsBoxes() {
    assertThat(echo(DType.INT8, -128L)).contains(-128L);
    assertThat(echo(DType.UINT8, 255L)).contains(255L);
    assertThat(echo(DType.UINT64, -1L)).contains(-1L);
    assertThat(echo(DType.BOOL, true)).contains(true);
    assertThat(echo(DType.FLOAT64, 0.1)).contains(0.1);
    assertThat(echo(DType.FLOAT32, 0.1)).contains((double) 0.1f);
    assertThat(echo(DType.FLOAT16, 0.1)).contains(0.0999755859375);
    assertThat(echo(DType.BFLOAT16, 0.1)).contains(0.10009765625);
  }

  @Test
  void constantsAreRoundedToTheirDtype() {
    PrimFunc tenth = kernel(DType.BFLOAT16, new Return(new FloatImm(DType.BFLOAT16, 0.1)));
    assertThat(new Evaluator().run(tenth, List.of())).contains(0.10009765625);
  }

  @Test
  void returnEndsLoopsAndBlocks() {
    Stmt find =
        For.serial(
            i,
            at(4),
            Block.root(
                List.of(),
                new IfThenElse(
                    Exprs.eq(y.load(i), at(7)), new Return(i), Optional.of(store(y, at(0), i)))));
    PrimFunc function = kernel(DType.INT64, seq(find, new Return(at(-1))), new Param.OfBuffer(y));
    Tensor values = Tensor.of(new long[] {5, 7, 7, 5}, Shape.of(4));
    assertThat(new Evaluator().run(function, List.of(values))).contains(1L);
    assertThat(values.toLongArray()).containsExactly(0, 7, 7, 5);
    assertThat(new Evaluator().run(function, List.of(out))).contains(-1L);
  }

  @Test
  void letsNestAndEnd() {
    Var a = Var.index("a");
    Var b = Var.index("b");
    Stmt inner = new Let(b, Exprs.mul(a, a), store(y, Exprs.add(a, b), i));
    run(For.serial(i, at(4), new Let(a, Exprs.add(i, 1), inner)));
    assertThat(out.toLongArray()).containsExactly(2, 6, 12, 20);
  }

  @Test
  void loopsStartAnywhereAndMayBeEmpty() {
    run(
        seq(
            new For(i, at(1), at(2), ForKind.SERIAL, Optional.empty(), store(y, i, i), Map.of()),
            For.serial(j, at(0), store(y, at(5), at(0))),
            For.serial(j, at(-3), store(y, at(5), at(0))),
            new Seq(List.of())));
    assertThat(out.toLongArray()).containsExactly(-9, 1, 2, -9);
  }

  @Test
  void loopsCountInTheirDtype() {
    Var k = new Var("k", DType.UINT8);
    For loop =
        new For(
            k,
            new IntImm(DType.UINT8, 254),
            new IntImm(DType.UINT8, 3),
            ForKind.UNROLLED,
            Optional.empty(),
            store(
                y,
                Exprs.cast(DType.INT64, k),
                Exprs.cast(DType.INT64, Exprs.binary(BinaryOp.ADD, k, IntImm.of(2)))),
            Map.of());
    run(loop);
    assertThat(out.toLongArray()).containsExactly(254, 255, 0, -9);
  }

  @Test
  void concurrentLoopsRunBackwardsOnDemand() {
    for (ForKind kind : ForKind.values()) {
      Optional<ThreadAxis> thread =
          kind == ForKind.THREAD_BINDING ? Optional.of(ThreadAxis.THREAD_X) : Optional.empty();
      PrimFunc last =
          kernel(new For(i, at(0), at(4), kind, thread, store(y, i, at(0)), Map.of()), y);
      new Evaluator().run(last, List.of(out));
      assertThat(out.toLongArray()[0]).isEqualTo(3);
      new Evaluator(name -> Optional.empty(), true).run(last, List.of(out));
      assertThat(out.toLongArray()[0]).as(kind.text()).isEqualTo(kind.isConcurrent() ? 0 : 3);
    }
  }

  @Test
  void onlyTheTakenBranchIsEvaluated() {
    PrimExpr condition = Exprs.lt(i, at(2));
    run(
        For.serial(
            i,
            at(4),
            seq(
                new IfThenElse(
                    condition,
                    store(y, Exprs.floorDiv(at(10), Exprs.sub(at(2), i)), i),
                    Optional.of(store(y, Exprs.floorDiv(at(-10), Exprs.sub(i, 1)), i))),
                new IfThenElse(Exprs.eq(i, at(3)), store(y, at(0), i), Optional.empty()))));
    assertThat(out.toLongArray()).containsExactly(5, 10, -10, 0);
  }

  @Test
  void notSelectAndCastGiveTheirValues() {
    PrimExpr odd = Exprs.eq(Exprs.floorMod(i, 2), at(1));
    PrimExpr value = Exprs.select(Exprs.not(odd), at(10), at(20));
    PrimExpr truth = Exprs.cast(DType.INT64, Exprs.cast(DType.BOOL, i));
    run(For.serial(i, at(4), store(y, Exprs.add(value, truth), i)));
    assertThat(out.toLongArray()).containsExactly(10, 21, 11, 21);
  }

  @Test
  void functionsOfOneAndTwoAreCalled() {
    PrimExpr shifted = Exprs.call(Intrinsic.SHIFT_LEFT, at(1), i);
    PrimExpr value = Exprs.call(Intrinsic.BITWISE_NOT, shifted);
    run(For.serial(i, at(4), store(y, value, i)));
    assertThat(out.toLongArray()).containsExactly(-2, -3, -5, -9);
  }

  @Test
  void predicatesCutPointsOutsideOfTheDomain() {
    IterVar axis = new IterVar(Var.index("v"), new Range(at(0), at(4)), IterKind.SPATIAL);
    Block block =
        new Block(
            "b",
            List.of(axis),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            store(y, axis.var(), axis.var()),
            Map.of());
    PrimExpr point = Exprs.add(Exprs.mul(i, 3), j);
    Stmt body = new BlockRealize(List.of(point), Exprs.lt(point, at(4)), block);
    run(For.serial(i, at(2), For.serial(j, at(3), body)));
    assertThat(out.toLongArray()).containsExactly(0, 1, 2, 3);
  }

  @Test
  void initRunsWhereAllReducedAxesAreAtTheirStart() {
    Var v = Var.index("v");
    Var r = Var.index("r");
    Block block =
        new Block(
            "b",
            List.of(
                new IterVar(v, new Range(at(0), at(4)), IterKind.SPATIAL),
                new IterVar(r, new Range(at(2), at(3)), IterKind.REDUCE)),
            List.of(),
            List.of(),
            List.of(),
            Optional.of(store(y, at(100), v)),
            store(y, Exprs.add(y.load(v), r), v),
            Map.of());
    Stmt body = BlockRealize.always(block, List.of(i, Exprs.add(j, 2)));
    run(For.serial(i, at(4), For.serial(j, at(3), body)));
    assertThat(out.toLongArray()).containsExactly(109, 109, 109, 109);
  }

  @Test
  void buffersOfBlocksMayHaveStridesAnOffsetAndAnExtentOfTheirLoop() {
    Buffer t =
        new Buffer(
            "T",
            DType.INT64,
            List.of(Exprs.add(i, 1), at(2)),
            List.of(at(2), at(3)),
            at(5),
            MemoryScope.LOCAL);
    Stmt inside = seq(store(t, at(7), i, at(1)), store(y, t.load(i, at(1)), i));
    run(For.serial(i, at(4), Block.root(List.of(t), inside)));
    assertThat(out.toLongArray()).containsExactly(7, 7, 7, 7);
  }

  @Test
  void packedFunctionsGetTensorsScalarsAndTexts() {
    List<String> calls = new ArrayList<>();
    PackedFunc fill =
        PackedFunc.of(
            args -> {
              Tensor tensor = (Tensor) args[0];
              calls.add(tensor + " " + args[1] + " " + args[2] + " " + args[3] + " " + args[4]);
              tensor.fill(((Long) args[1]).doubleValue());
              return 3L;
            });
    Buffer t = longs("T", at(4));
    Stmt call =
        new CallPacked(
            "fill",
            List.of(
                new PackedArg.OfBuffer(t),
                new PackedArg.OfScalar(Exprs.add(i, 5)),
                new PackedArg.OfScalar(number(0.5)),
                new PackedArg.OfScalar(Exprs.lt(i, at(2))),
                new PackedArg.OfText("why")));
    Stmt body = seq(call, store(y, t.load(i), i));
    PrimFunc function = kernel(For.serial(i, at(2), Block.root(List.of(t), body)), y);
    Evaluator evaluator =
        new Evaluator(name -> name.equals("fill") ? Optional.of(fill) : Optional.empty(), false);
    evaluator.run(function, List.of(out));
    assertThat(out.toLongArray()).containsExactly(5, 6, -9, -9);
    assertThat(calls)
        .containsExactly("int64[4] on cpu:0 5 0.5 true why", "int64[4] on cpu:0 6 0.5 true why");
  }

  @Test
  void packedFunctionsSeeThatMemoryWasNeverWritten() {
    List<String> seen = new ArrayList<>();
    PackedFunc look =
        PackedFunc.of(
            args -> {
              seen.add(((Tensor) args[0]).toDisplayString(9));
              return null;
            });
    Evaluator evaluator = new Evaluator(name -> Optional.of(look), false);
    for (DType dtype :
        List.of(DType.FLOAT16, DType.FLOAT64, DType.BOOL, DType.INT8, DType.UINT8, DType.INT64)) {
      Buffer t = Buffer.of("T", dtype, List.of(at(2)));
      Stmt call = new CallPacked("look", List.of(new PackedArg.OfBuffer(t)));
      evaluator.run(kernel(Block.root(List.of(t), call)), List.of());
    }
    assertThat(seen)
        .containsExactly(
            "[NaN, NaN]",
            "[NaN, NaN]",
            "[true, true]",
            "[-128, -128]",
            "[128, 128]",
            "[-9223372036854775808, -9223372036854775808]");
  }

  @Test
  void emptyBuffersOfBlocksAreLegal() {
    Var n = Var.index("n");
    Buffer x = floats("X", n);
    Buffer t = floats("T", n, at(Long.MAX_VALUE));
    PrimFunc function = kernel(Block.root(List.of(t), new Seq(List.of())), x);
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(0));
    assertThat(new Evaluator().run(function, List.of(none))).isEmpty();
  }

  private void run(Stmt body) {
    assertThat(new Evaluator().run(kernel(body, y), List.of(out))).isEmpty();
  }

  private static Optional<Object> echo(DType dtype, Object value) {
    Var x = new Var("x", dtype);
    PrimFunc echo = kernel(dtype, new Return(x), new Param.OfScalar(x));
    return new Evaluator().run(echo, List.of(value));
  }
}
