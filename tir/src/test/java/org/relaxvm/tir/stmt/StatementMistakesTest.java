package org.relaxvm.tir.stmt;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.LibraryArg;

/** Statements whose parts do not fit each other. */
class StatementMistakesTest {
  private static final Stmt NOTHING = new Seq(List.of());

  private final Var i = Var.index("i");
  private final Var small = new Var("small", DType.INT32);
  private final Buffer a = Buffer.of("A", DType.FLOAT32, List.of(IntImm.of(4)));

  private static void refused(ThrowingCallable work, String message) {
    assertThatThrownBy(work).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  private static Block block() {
    Range domain = new Range(IntImm.of(0), IntImm.of(4));
    IterVar axis = new IterVar(Var.index("v"), domain, IterKind.SPATIAL);
    return new Block(
        "b", List.of(axis), List.of(), List.of(), List.of(), Optional.empty(), NOTHING, Map.of());
  }

  @Test
  void blocksHaveAValuePerAxis() {
    refused(
        () -> BlockRealize.always(block(), List.of()), "the block b has 1 axis, but got 0 values");
    refused(
        () -> BlockRealize.always(block(), List.of(small)),
        "the axis v of the block b is int64, but its value is int32");
    refused(
        () -> new BlockRealize(List.of(i), small, block()),
        "the predicate of the block b must be bool, but is int32");
  }

  @Test
  void loopsCountInTheDTypeOfTheirCounter() {
    refused(
        () -> For.serial(small, IntImm.of(4), NOTHING),
        "the loop over small of dtype int32 needs bounds of that dtype, but got int32 and int64");
    refused(
        () -> For.of(ForKind.THREAD_BINDING, i, IntImm.of(4), NOTHING),
        "the loop over i of kind thread_binding needs a thread axis");
    refused(
        () ->
            new For(
                i,
                IntImm.of(0),
                IntImm.of(4),
                ForKind.PARALLEL,
                Optional.of(ThreadAxis.THREAD_X),
                NOTHING,
                Map.of()),
        "the loop over i of kind parallel cannot have a thread axis");
  }

  @Test
  void loopsAndAxesCountInIntegers() {
    Var x = new Var("x", DType.FLOAT32);
    PrimExpr two = new FloatImm(DType.FLOAT32, 2);
    refused(
        () -> new For(x, two, two, ForKind.SERIAL, Optional.empty(), NOTHING, Map.of()),
        "the loop over x must count in integers, but counts in float32");
    refused(
        () -> new IterVar(x, new Range(two, two), IterKind.SPATIAL),
        "the axis x must count in integers, but is float32");
    refused(
        () -> new IterVar(small, new Range(IntImm.of(0), small), IterKind.SPATIAL),
        "the axis small is int32, but its domain is int64 and int32");
  }

  @Test
  void regionsHaveARangePerAxis() {
    Range whole = new Range(IntImm.of(0), IntImm.of(4));
    refused(
        () -> new BufferRegion(a, List.of(whole, whole)),
        "the buffer A has 1 axis, but a region of it has 2 ranges");
    refused(
        () -> new BufferRegion(a, List.of(new Range(small, small))),
        "a region of the buffer A must be int64, but is int32");
  }

  @Test
  void valuesAreOfTheDTypeOfTheirBuffer() {
    refused(
        () -> new BufferStore(a, i, List.of(i)),
        "the buffer A holds float32, but the value to store is int64");
    refused(
        () -> new IfThenElse(i, NOTHING, Optional.empty()),
        "the condition of if must be bool, but is int64");
    refused(
        () -> new Let(small, i, NOTHING), "the variable small is int32, but its value is int64");
  }

  @Test
  void argumentsOfLibraryFunctionsCanBeWritten() {
    refused(() -> new LibraryArg.OfParam("a b"), "the name 'a b' of a parameter is no identifier");
    refused(() -> new LibraryArg.OfText("it's"), "the text it's of a library argument has a quote");
  }
}
