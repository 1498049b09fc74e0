package org.relaxvm.tir.eval;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.Scalars;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Runs the body of a kernel. */
final class Statements {
  private final Evaluator evaluator;
  private final PrimFunc function;
  private final Scope scope;
  private final Expressions expressions;
  private final BlockRun blocks;
  private @Nullable Object result;

  // On the way from a jump to its loop.
  private @Nullable LoopJump jump;

  Statements(Evaluator evaluator, PrimFunc function, Scope scope) {
    this.evaluator = evaluator;
    this.function = function;
    this.scope = scope;
    this.expressions = new Expressions(scope);
    this.blocks = new BlockRun(scope, expressions, this);
  }

  Optional<Object> run() {
    if (!run(function.body()) && !function.returnType().equals(DType.VOID)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the kernel ended without a return, but has the return type " + function.returnType());
    }
    return Optional.ofNullable(result);
  }

  /** Whether the function, or the iteration of the loop around the statement, has ended. */
  boolean run(Stmt stmt) {
    return switch (stmt) {
      case For loop -> runLoop(loop);
      case BlockRealize realize -> blocks.run(realize);
      case BufferStore(Buffer buffer, PrimExpr value, List<PrimExpr> indices) -> {
        long[] at = expressions.values(indices);
        scope.buffer(buffer).store(at, expressions.value(value));
        yield false;
      }
      case Seq(List<Stmt> statements) -> runAll(statements);
      case IfThenElse choice -> {
        Optional<Stmt> taken =
            expressions.isTrue(choice.condition())
                ? Optional.of(choice.whenTrue())
                : choice.whenFalse();
        yield taken.isPresent() && run(taken.get());
      }
      case Let(Var var, PrimExpr value, Stmt body) -> {
        scope.enter(var, expressions.value(value));
        boolean ended = run(body);
        scope.leave();
        yield ended;
      }
      case CallPacked call -> {
        new PackedCalls(evaluator, scope, expressions).call(call);
        yield false;
      }
      case LetCall let -> {
        scope.enter(let.var(), new PackedCalls(evaluator, scope, expressions).value(let));
        boolean ended = run(let.body());
        scope.leave();
        yield ended;
      }
      case LoopJump leaves -> {
        jump = leaves;
        yield true;
      }
      case Return(PrimExpr value) -> {
        runReturn(value);
        yield true;
      }
    };
  }

  private boolean runLoop(For loop) {
    Var counter = loop.loopVar();
    long min = expressions.value(loop.min());
    long extent = expressions.value(loop.extent());
    boolean unsigned = DTypes.isUnsigned(counter.dtype());
    long count = unsigned ? extent : Math.max(0, extent);
    boolean backwards = evaluator.reverseConcurrent() && loop.kind().isConcurrent();
    for (long i = 0; i != count; i++) {
      long iteration = backwards ? count - 1 - i : i;
      scope.enter(counter, IntegerMath.wrap(counter.dtype(), min + iteration));
      boolean ended = run(loop.body());
      scope.leave();
      if (ended && jump == null) {
        return true;
      }
      boolean leaves = jump == LoopJump.BREAK;
      jump = null;
      if (leaves) {
        return false;
      }
    }
    return false;
  }

  private boolean runAll(List<Stmt> statements) {
    for (Stmt stmt : statements) {
      if (run(stmt)) {
        return true;
      }
    }
    return false;
  }

  private void runReturn(PrimExpr value) {
    if (!value.dtype().equals(function.returnType())) {
      String expected =
          function.returnType().equals(DType.VOID) ? "void" : function.returnType().toString();
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "a return of " + value.dtype() + " from a kernel of the return type " + expected);
    }
    result = Scalars.box(value.dtype(), expressions.value(value));
  }
}
