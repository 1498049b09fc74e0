package org.relaxvm.tir.rewrite;

import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Walks over everything in a kernel in the order of the text. Subclasses override the methods for
 * what they look for, and call those of this class to go on inside.
 */
public abstract class IrVisitor {
  /** Parameters, then the body. */
  public void visit(PrimFunc function) {
    for (Param param : function.params()) {
      switch (param) {
        case Param.OfBuffer(Buffer buffer) -> visitBufferDefinition(buffer);
        case Param.OfScalar(var var) -> visit(var);
        case Param.OfHandle handle -> {}
      }
    }
    visit(function.body());
  }

  /** An expression and all inside. */
  public void visit(PrimExpr expr) {
    if (expr instanceof BufferLoad load) {
      visitBufferUse(load.buffer());
    }
    for (PrimExpr operand : expr.operands()) {
      visit(operand);
    }
  }

  /** A statement and all inside. */
  public void visit(Stmt stmt) {
    switch (stmt) {
      case For loop -> {
        visit(loop.min());
        visit(loop.extent());
        visit(loop.loopVar());
        visit(loop.body());
      }
      case BlockRealize realize -> {
        realize.iterValues().forEach(this::visit);
        visit(realize.predicate());
        visit(realize.block());
      }
      case BufferStore store -> {
        visitBufferUse(store.buffer());
        store.indices().forEach(this::visit);
        visit(store.value());
      }
      case Seq seq -> seq.statements().forEach(this::visit);
      case IfThenElse choice -> {
        visit(choice.condition());
        visit(choice.whenTrue());
        choice.whenFalse().ifPresent(this::visit);
      }
      case Let let -> {
        visit(let.value());
        visit(let.var());
        visit(let.body());
      }
      case CallPacked call -> call.args().forEach(this::visit);
      case Return result -> visit(result.value());
      case LetCall let -> {
        visit((Stmt) let.call());
        visit(let.var());
        visit(let.body());
      }
      case LoopJump jump -> {}
    }
  }

  /** A block and all inside. */
  public void visit(Block block) {
    for (IterVar axis : block.iterVars()) {
      visit(axis.domain());
      visit(axis.var());
    }
    block.reads().forEach(this::visit);
    block.writes().forEach(this::visit);
    block.allocBuffers().forEach(this::visitBufferDefinition);
    block.init().ifPresent(this::visit);
    visit(block.body());
  }

  /** What a block says that it reads or writes. */
  public void visit(BufferRegion region) {
    visitBufferUse(region.buffer());
    region.ranges().forEach(this::visit);
  }

  /** Bounds. */
  public void visit(Range range) {
    visit(range.min());
    visit(range.extent());
  }

  /** An argument of a packed call. */
  public void visit(PackedArg arg) {
    switch (arg) {
      case PackedArg.OfBuffer(Buffer buffer) -> visitBufferUse(buffer);
      case PackedArg.OfScalar(PrimExpr value) -> visit(value);
      case PackedArg.OfText(String text) -> {}
      case PackedArg.OfHandle handle -> {}
      case PackedArg.OfItem item -> {}
      case PackedArg.OfNull none -> {}
    }
  }

  /** Where a buffer begins to be: a parameter, or memory of a block. */
  public void visitBufferDefinition(Buffer buffer) {
    buffer.shape().forEach(this::visit);
    buffer.strides().forEach(this::visit);
    visit(buffer.elemOffset());
  }

  /** Where a buffer is used. */
  public void visitBufferUse(Buffer buffer) {}
}
