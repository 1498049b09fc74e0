package org.relaxvm.tir.verify;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Variables and buffers are defined once, and used only where they are defined. Bodies of blocks do
 * not use the counters of loops around them, but their own axes: so a block can be moved.
 */
final class Definitions extends CheckVisitor {
  private final String kernel;
  private final Set<Var> everDefined = new HashSet<>();
  private final Set<Buffer> everAllocated = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Var> inScope = new LinkedHashSet<>();
  private final Set<Buffer> buffers = new LinkedHashSet<>();
  // Counters outside of the block whose body is walked through.
  private final Set<Var> outside = new HashSet<>();
  private final Set<Var> counters = new HashSet<>();
  private final Set<String> blocks = new HashSet<>();

  Definitions(String kernel) {
    this.kernel = kernel;
  }

  @Override
  public void visit(PrimFunc function) {
    // Numbers first: one that follows a buffer may be an extent of that.
    for (Param param : function.params()) {
      if (param instanceof Param.OfScalar(Var var)) {
        define(var, "parameter");
      }
    }
    for (Buffer buffer : function.buffers()) {
      allocate(buffer);
      defineExtents(buffer);
    }
    // After all parameters: extents may use what a later one defines.
    function.buffers().forEach(this::visitBufferDefinition);
    visit(function.body());
  }

  private void defineExtents(Buffer buffer) {
    buffer.shape().forEach(this::defineExtent);
    buffer.strides().forEach(this::defineExtent);
    defineExtent(buffer.elemOffset());
  }

  private void defineExtent(PrimExpr extent) {
    if (extent instanceof Var var && !inScope.contains(var)) {
      define(var, "extent");
    }
  }

  private void define(Var var, String what) {
    if (!everDefined.add(var)) {
      throw Verifier.invalid(
          kernel, "the " + what + " " + var + " is a variable that is defined already");
    }
    inScope.add(var);
  }

  private void allocate(Buffer buffer) {
    if (!everAllocated.add(buffer)) {
      throw Verifier.invalid(kernel, "the buffer " + buffer + " is defined twice");
    }
    buffers.add(buffer);
  }

  @Override
  public void visit(PrimExpr expr) {
    if (expr instanceof Var var) {
      use(var);
    }
    super.visit(expr);
  }

  @Override
  public void visitBufferDefinition(Buffer buffer) {
    boolean loads =
        Stream.of(
                buffer.shape().stream(), buffer.strides().stream(), Stream.of(buffer.elemOffset()))
            .flatMap(Function.identity())
            .anyMatch(Definitions::loads);
    if (loads) {
      throw Verifier.invalid(
          kernel,
          "an extent, stride or offset of the buffer "
              + buffer
              + " is loaded from a buffer, whose element may change\n"
              + "  what to do: give the kernel a scalar parameter");
    }
    super.visitBufferDefinition(buffer);
  }

  private static boolean loads(PrimExpr expr) {
    if (expr instanceof BufferLoad) {
      return true;
    }
    for (PrimExpr operand : expr.operands()) {
      if (loads(operand)) {
        return true;
      }
    }
    return false;
  }

  private void use(Var var) {
    if (!inScope.contains(var)) {
      throw Verifier.invalid(
          kernel,
          "the variable "
              + var
              + " is used where it is not defined\n  what is defined there: "
              + names(inScope.stream().map(Var::name).toList()));
    }
    if (outside.contains(var)) {
      throw Verifier.invalid(
          kernel,
          "a block uses the counter "
              + var
              + " of a loop around it\n  what to do: give the block an axis with that value");
    }
  }

  @Override
  public void visitBufferUse(Buffer buffer) {
    if (!buffers.contains(buffer)) {
      throw Verifier.invalid(
          kernel,
          "the buffer "
              + buffer
              + " is used where it is not defined\n  what is defined there: "
              + names(buffers.stream().map(Buffer::name).toList()));
    }
  }

  private static String names(List<String> names) {
    return names.isEmpty() ? "nothing" : String.join(", ", names);
  }

  @Override
  void check(Stmt stmt) {
    switch (stmt) {
      case For loop -> {
        visit(loop.min());
        visit(loop.extent());
        define(loop.loopVar(), "counter");
        counters.add(loop.loopVar());
        visit(loop.body());
        counters.remove(loop.loopVar());
        inScope.remove(loop.loopVar());
      }
      case Let let -> {
        visit(let.value());
        define(let.var(), "variable");
        visit(let.body());
        inScope.remove(let.var());
      }
      case LetCall let -> {
        visit((Stmt) let.call());
        define(let.var(), "variable");
        visit(let.body());
        inScope.remove(let.var());
      }
      case BlockRealize realize -> {
        realize.iterValues().forEach(this::visit);
        visit(realize.predicate());
        visit(realize.block());
      }
      default -> super.check(stmt);
    }
  }

  @Override
  public void visit(Block block) {
    if (!blocks.add(block.name())) {
      throw Verifier.invalid(kernel, "there are two blocks " + block.name());
    }
    Set<Var> added = new HashSet<>(counters);
    added.removeAll(outside);
    outside.addAll(added);
    for (IterVar axis : block.iterVars()) {
      visit(axis.domain());
      define(axis.var(), "axis");
    }
    block.reads().forEach(this::visit);
    block.writes().forEach(this::visit);
    for (Buffer buffer : block.allocBuffers()) {
      visitBufferDefinition(buffer);
      allocate(buffer);
    }
    block.init().ifPresent(this::visit);
    visit(block.body());
    block.allocBuffers().forEach(buffers::remove);
    block.iterVars().forEach(axis -> inScope.remove(axis.var()));
    outside.removeAll(added);
  }
}
