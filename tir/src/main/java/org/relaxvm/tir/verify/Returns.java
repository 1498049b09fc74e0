package org.relaxvm.tir.verify;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** A kernel with a result returns one of its dtype at its end, on each way; others return none. */
final class Returns {
  private final PrimFunc function;

  Returns(PrimFunc function) {
    this.function = function;
  }

  void check() {
    boolean always = check(function.body(), false);
    if (!always && !function.returnType().equals(DType.VOID)) {
      throw Verifier.invalid(
          function.name(), "it gives " + function.returnType() + ", but may end without return");
    }
  }

  /** Whether a statement surely returns. */
  private boolean check(Stmt stmt, boolean inLoop) {
    try {
      return returns(stmt, inLoop);
    } catch (InvalidKernelException e) {
      e.within(stmt);
      throw e;
    }
  }

  private boolean returns(Stmt stmt, boolean inLoop) {
    return switch (stmt) {
      case Return result -> {
        requireFits(result, inLoop);
        yield true;
      }
      case Seq seq -> checkAll(seq.statements(), inLoop);
      case IfThenElse choice -> {
        boolean first = check(choice.whenTrue(), inLoop);
        boolean second = choice.whenFalse().isPresent() && check(choice.whenFalse().get(), inLoop);
        yield first && second;
      }
      case Let let -> check(let.body(), inLoop);
      case For loop -> {
        check(loop.body(), true);
        yield false;
      }
      case BlockRealize realize -> check(realize.block(), inLoop);
      default -> false;
    };
  }

  private boolean check(Block block, boolean inLoop) {
    // What starts a reduction does not run at every point.
    block.init().ifPresent(init -> check(init, true));
    return check(block.body(), inLoop);
  }

  private boolean checkAll(List<Stmt> statements, boolean inLoop) {
    for (int i = 0; i < statements.size(); i++) {
      if (check(statements.get(i), inLoop)) {
        if (i + 1 < statements.size()) {
          throw Verifier.invalid(function.name(), "there are statements after return");
        }
        return true;
      }
    }
    return false;
  }

  private void requireFits(Return result, boolean inLoop) {
    if (inLoop) {
      throw Verifier.invalid(function.name(), "it returns within a loop");
    }
    if (!result.value().dtype().equals(function.returnType())) {
      String expected =
          function.returnType().equals(DType.VOID) ? "nothing" : function.returnType().toString();
      throw Verifier.invalid(
          function.name(), "it gives " + expected + ", but returns " + result.value().dtype());
    }
  }
}
