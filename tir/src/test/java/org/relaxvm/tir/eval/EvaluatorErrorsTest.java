package org.relaxvm.tir.eval;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.tir.eval.Ir.at;
import static org.relaxvm.tir.eval.Ir.block;
import static org.relaxvm.tir.eval.Ir.kernel;
import static org.relaxvm.tir.eval.Ir.longs;
import static org.relaxvm.tir.eval.Ir.seq;
import static org.relaxvm.tir.eval.Ir.store;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** What goes wrong inside of kernels, with the whole messages. */
class EvaluatorErrorsTest {
  private final Var n = Var.index("n");
  private final Var i = Var.index("i");
  private final Var j = Var.index("j");
  private final Buffer y = longs("Y", n, at(2));
  private Tensor out = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(3, 2));

  @Test
  void anIndexOutsideOfItsBufferNamesEverything() {
    Stmt writes = store(y, at(1), i, Exprs.add(j, 1));
    assertFails(
        For.serial(i, n, For.serial(j, at(2), writes)),
        ErrorKind.INDEX,
        "a write of the buffer Y at [0, 2]: the index 2 of axis 1 is outside of its extent 2; the"
            + " shape is [3, 2]\n  at kernel f, n = 3, i = 0, j = 1");
    Stmt reads =
        block("b", List.of(n), v -> store(y, y.load(Exprs.sub(v.get(0), 1), at(0)), at(0), at(0)));
    assertFails(
        reads,
        ErrorKind.INDEX,
        "a read of the buffer Y at [-1, 0]: the index -1 of axis 0 is outside of its extent 3; the"
            + " shape is [3, 2]\n  at kernel f, n = 3, i0 = 0, block b, v0 = 0");
  }

  @Test
  void leftLoopsAndLetsAreNoLongerNamed() {
    Var k = new Var("k", DType.FLOAT32);
    Stmt before = For.serial(i, at(2), store(y, i, i, at(0)));
    Stmt let = new Let(k, new FloatImm(DType.FLOAT32, 0.5), store(y, at(0), at(3), at(0)));
    assertFails(
        seq(before, let),
        ErrorKind.INDEX,
        "a write of the buffer Y at [3, 0]: the index 3 of axis 0 is outside of its extent 3; the"
            + " shape is [3, 2]\n  at kernel f, n = 3, k = 0.5");
  }

  @Test
  void anIntegerDividedByZeroNamesItsLocation() {
    PrimExpr quotient = Exprs.binary(BinaryOp.DIV, at(6), Exprs.sub(at(1), i));
    assertFails(
        For.serial(i, n, store(y, quotient, i, at(0))),
        ErrorKind.VALUE,
        "an integer is divided by 0 (/)\n  at kernel f, n = 3, i = 1");
  }

  @Test
  void aReadOfMemoryThatWasNeverWrittenIsAnError() {
    Buffer t = longs("T", at(4));
    Stmt body = seq(store(t, at(1), at(2)), store(y, t.load(at(3)), at(0), at(0)));
    assertFails(
        Block.root(List.of(t), body),
        ErrorKind.VALUE,
        "a read of the buffer T at [3], which was never written; its shape is [4]"
            + "\n  at kernel f, n = 3, block root");
  }

  @Test
  void memoryOfABlockIsNewEachTime() {
    Buffer t = longs("T");
    PrimExpr first = Exprs.eq(i, at(0));
    Stmt body =
        seq(new IfThenElse(first, store(t, at(1)), Optional.empty()), store(y, t.load(), i, at(0)));
    assertFails(
        For.serial(i, n, Block.root(List.of(t), body)),
        ErrorKind.VALUE,
        "a read of the buffer T at [], which was never written; its shape is []"
            + "\n  at kernel f, n = 3, i = 1, block root");
  }

  @Test
  void bothValuesOfASelectAreEvaluated() {
    PrimExpr inside = Exprs.lt(i, at(0));
    PrimExpr value = Exprs.select(inside, y.load(Exprs.sub(i, 1), at(0)), at(0));
    assertFails(
        For.serial(i, n, store(y, value, i, at(0))),
        ErrorKind.INDEX,
        "a read of the buffer Y at [-1, 0]: the index -1 of axis 0 is outside of its extent 3; the"
            + " shape is [3, 2]\n  at kernel f, n = 3, i = 0");
  }

  @Test
  void anAxisOutsideOfItsDomainIsAnError() {
    IterVar axis = new IterVar(Var.index("v"), new Range(at(1), at(2)), IterKind.SPATIAL);
    Block block =
        new Block(
            "b",
            List.of(axis),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            new Seq(List.of()),
            Map.of());
    String message =
        ", outside of its domain, which starts at 1 and has the extent 2\n  at kernel f, n = 3";
    assertFails(
        BlockRealize.always(block, List.of(at(0))),
        ErrorKind.INDEX,
        "the axis v of the block b is 0" + message);
    assertFails(
        For.serial(i, at(9), BlockRealize.always(block, List.of(Exprs.add(i, 1)))),
        ErrorKind.INDEX,
        "the axis v of the block b is 3" + message + ", i = 2");
  }

  @Test
  void allocationsMustFitAnArray() {
    assertCannotAllocate(
        longs("T", at(2), Exprs.sub(at(1), n)),
        ErrorKind.VALUE,
        "the extent of axis 1 of the buffer T to allocate is -2; it must not be negative");
    assertCannotAllocate(
        longs("T", at(1 << 20), at(1 << 20)),
        ErrorKind.MEMORY,
        "the buffer T to allocate needs 1099511627776 elements for its shape [1048576, 1048576];"
            + " there may be at most 2147483647");
    assertCannotAllocate(
        longs("T", at(1L << 40), at(1L << 40)),
        ErrorKind.MEMORY,
        "the buffer T to allocate needs a number of elements that does not fit for its shape"
            + " [1099511627776, 1099511627776]; there may be at most 2147483647");
    assertCannotAllocate(
        new Buffer(
            "T",
            DType.INT64,
            List.of(at(3)),
            List.of(at(Long.MAX_VALUE)),
            at(0),
            MemoryScope.GLOBAL),
        ErrorKind.MEMORY,
        "the buffer T to allocate needs a number of elements that does not fit for its shape [3];"
            + " there may be at most 2147483647");
    assertCannotAllocate(
        new Buffer("T", DType.INT64, List.of(at(3)), List.of(at(-1)), at(1), MemoryScope.GLOBAL),
        ErrorKind.VALUE,
        "a view with shape [3], strides [-1] and offset 1 reaches outside of the storage of 16"
            + " bytes");
  }

  @Test
  void memoryThatCannotBeWrittenIsRefused() {
    Stmt write = store(y, at(1), at(0), at(0));
    out.markConstant();
    assertFails(
        write,
        ErrorKind.VALUE,
        "a write of the buffer Y, which is a constant; pass a copy, such as toHost() gives"
            + "\n  at kernel f, n = 3");
    MemorySegment memory = MemorySegment.ofArray(new long[6]).asReadOnly();
    out = Tensor.wrap(memory, DType.INT64, Shape.of(3, 2));
    assertFails(
        write,
        ErrorKind.VALUE,
        "a write of the buffer Y, which has read-only memory; pass a copy, such as toHost() gives"
            + "\n  at kernel f, n = 3");
  }

  @Test
  void packedFunctionsThatAreUnknownOrFailNameTheCall() {
    assertFails(
        new CallPacked("g", List.of()),
        ErrorKind.VALUE,
        "there is no packed function g; give the evaluator a lookup that finds it"
            + "\n  at kernel f, n = 3");
    PackedFunc failing =
        PackedFunc.of(
            args -> {
              throw new CallException(ErrorKind.RUNTIME, "no");
            });
    Stmt call = For.serial(i, n, new CallPacked("g", List.of()));
    Evaluator evaluator = new Evaluator(name -> Optional.of(failing), false);
    assertThatThrownBy(() -> evaluator.run(kernel(call, y), List.of(out)))
        .isInstanceOf(CallException.class)
        .hasMessage("no\n  at kernel f, n = 3, i = 0");
  }

  @Test
  void returnsMustBeOfTheReturnType() {
    PrimFunc wrong = kernel(DType.INT32, new Return(at(1)));
    assertInvalid(wrong, "a return of int64 from a kernel of the return type int32\n  at kernel f");
    PrimFunc unexpected = kernel(DType.VOID, new Return(at(1)));
    assertInvalid(
        unexpected, "a return of int64 from a kernel of the return type void\n  at kernel f");
    PrimFunc missing = kernel(DType.INT32, new Seq(List.of()));
    assertInvalid(
        missing, "the kernel ended without a return, but has the return type int32\n  at kernel f");
  }

  @Test
  void whatIsNotDefinedOrDefinedTwiceIsAnErrorOfTheKernel() {
    PrimFunc twice = kernel(For.serial(i, at(1), For.serial(i, at(1), new Seq(List.of()))));
    assertInvalid(
        twice,
        "the variable i is defined where it has a value already; give each definition a variable of"
            + " its own\n  at kernel f, i = 0");
    Buffer t = longs("T");
    assertInvalid(
        kernel(store(t, at(1))),
        "the buffer T has no memory; it must be a parameter, or be allocated by a block around its"
            + " use\n  at kernel f");
    assertInvalid(
        kernel(Block.root(List.of(t), Block.root(List.of(t), new Seq(List.of())))),
        "the buffer T is defined where it has memory already; give each definition a buffer of its"
            + " own\n  at kernel f, block root, block root");
  }

  @Test
  void variablesAreShownInTheirDtype() {
    Var u = new Var("u", DType.UINT64);
    Var b = new Var("b", DType.BOOL);
    PrimFunc function =
        kernel(
            DType.VOID,
            new Let(b, IntImm.of(true), new CallPacked("g", List.of())),
            new Param.OfScalar(u));
    assertThatThrownBy(() -> new Evaluator().run(function, List.of(-1L)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "there is no packed function g; give the evaluator a lookup that finds it"
                + "\n  at kernel f, u = 18446744073709551615, b = true");
  }

  private void assertCannotAllocate(Buffer buffer, ErrorKind kind, String message) {
    assertFails(
        Block.root(List.of(buffer), new Seq(List.of())),
        kind,
        message + "\n  at kernel f, n = 3, block root");
  }

  private void assertFails(Stmt body, ErrorKind kind, String message) {
    assertThatThrownBy(() -> new Evaluator().run(kernel(body, y), List.of(out)))
        .isInstanceOf(CallException.class)
        .hasMessage(message)
        .extracting(e -> ((RelaxException) e).kind())
        .isEqualTo(kind);
  }

  private static void assertInvalid(PrimFunc function, String message) {
    assertThatThrownBy(() -> new Evaluator().run(function, List.of()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }
}
