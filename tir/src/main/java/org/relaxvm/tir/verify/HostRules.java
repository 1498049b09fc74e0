package org.relaxvm.tir.verify;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallLinkage;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Host functions only call packed functions and choose among calls: they compute nothing and have
 * no buffers. Kernels have no handles, no lists, and nothing else that belongs to host functions.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does a host function compute nothing?"
 */
final class HostRules extends CheckVisitor {
  private final String name;
  private final boolean isHost;
  private final Set<Handle> handles = Collections.newSetFromMap(new IdentityHashMap<>());
  private int loops;

  HostRules(PrimFunc function) {
    this.name = function.name();
    this.isHost = function.isHostFunction();
    for (Param param : function.params()) {
      if (param instanceof Param.OfHandle(Handle handle)) {
        handles.add(handle);
      } else if (isHost) {
        throw Verifier.invalid(
            name, "it takes handles, so that " + param.name() + " must be a handle, too");
      }
    }
  }

  @Override
  void check(Stmt stmt) {
    if (isHost) {
      visitInHost(stmt);
      return;
    }
    switch (stmt) {
      case LetCall let -> throw onlyInHost("uses the result of " + let.call().name());
      case LoopJump jump -> throw onlyInHost("has the statement " + jump.text());
      case CallPacked call when call.result().isPresent() ->
          throw onlyInHost("writes a cell of the list " + call.result().get().list());
      case CallPacked call when call.linkage() == CallLinkage.CPACKED ->
          throw onlyInHost("calls the kernel " + call.name());
      default -> super.check(stmt);
    }
  }

  private void visitInHost(Stmt stmt) {
    switch (stmt) {
      case BlockRealize realize -> throw notInHost("a block");
      case BufferStore store -> throw notInHost("a store");
      case Let let -> throw notInHost("a let statement of a number");
      case Return result -> throw notInHost("return");
      case For loop when loop.kind() != ForKind.SERIAL -> throw notInHost("a concurrent loop");
      case For loop -> {
        loops++;
        super.check(loop);
        loops--;
      }
      case LoopJump jump -> {
        if (loops == 0) {
          throw Verifier.invalid(name, jump.text() + " is outside of any loop");
        }
      }
      case Seq(List<Stmt> statements) -> {
        for (int i = 0; i + 1 < statements.size(); i++) {
          if (statements.get(i) instanceof LoopJump jump) {
            throw Verifier.invalid(name, "there are statements after " + jump.text());
          }
        }
        super.check(stmt);
      }
      case CallPacked call -> {
        call.result().ifPresent(this::require);
        super.check(call);
      }
      default -> super.check(stmt);
    }
  }

  @Override
  public void visit(PackedArg arg) {
    switch (arg) {
      case PackedArg.OfHandle(Handle handle) -> require(handle);
      case PackedArg.OfItem(AnyListItem item) -> require(item);
      case PackedArg.OfNull none when !isHost -> throw onlyInHost("passes None");
      case PackedArg.OfBuffer buffer when isHost -> throw notInHost("a buffer");
      default -> super.visit(arg);
    }
  }

  @Override
  public void visit(PrimExpr expr) {
    boolean isPlain = expr instanceof IntImm || expr instanceof FloatImm || expr instanceof Var;
    if (isHost && !isPlain) {
      throw notInHost("the expression " + expr);
    }
    super.visit(expr);
  }

  private void require(AnyListItem item) {
    require(item.list());
  }

  private void require(Handle handle) {
    if (!handles.contains(handle)) {
      throw Verifier.invalid(name, "it uses the handle " + handle + ", which is no parameter");
    }
  }

  private RuntimeException onlyInHost(String what) {
    return Verifier.invalid(
        name, "it " + what + ", as only host functions do, whose parameters are handles");
  }

  private RuntimeException notInHost(String what) {
    return Verifier.invalid(
        name,
        "it takes handles, so it is a host function, which cannot contain "
            + what
            + "\n  what to do: compute in a kernel and call that");
  }
}
