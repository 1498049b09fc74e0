package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Emits a loop: iteration by iteration where it is short, else as a function that calls itself. The
 * results are the last carried values, and the collected parts with a new first axis.
 */
final class LoopEmitter {
  private final NodeContext node;
  private final Loop loop;

  private LoopEmitter(NodeContext node, Loop loop) {
    this.node = node;
    this.loop = loop;
  }

  static List<Operand> emit(NodeContext node, Loop loop) {
    return new LoopEmitter(node, loop).emit();
  }

  private List<Operand> emit() {
    Optional<Boolean> starts = Conditions.known(node, loop.condition());
    OptionalLong trips = trips();
    if (!starts.orElse(true) || trips.orElse(1) <= 0) {
      return withoutIterations();
    }
    boolean isShort = trips.isPresent() && trips.getAsLong() <= node.options().maxUnroll();
    if (isShort && starts.isPresent() && isDecided(trips.getAsLong())) {
      return unrolled(trips.getAsLong()).orElseThrow();
    }
    return new LoopFunction(node, loop).emit();
  }

  private OptionalLong trips() {
    return loop.trips().orElse(null) instanceof IntImm number
        ? OptionalLong.of(number.value())
        : OptionalLong.empty();
  }

  private List<Operand> unavailable() {
    return Collections.nCopies(loop.carried().size() + loop.scans(), new Operand.Unavailable());
  }

  // ---------------------------------------------------------------- unrolled

  /** Whether it is known after each iteration whether there is another one. */
  private boolean isDecided(long trips) {
    return loop.isCounted() || node.trial(() -> unrolled(trips)).isPresent();
  }

  /** The results of all iterations; empty when it is not known whether there is another one. */
  private Optional<List<Operand>> unrolled(long trips) {
    List<Operand> carried = loop.carried();
    Operand condition = loop.condition();
    List<List<Operand>> collected = new ArrayList<>();
    for (long i = 0; i < trips; i++) {
      Optional<Boolean> goesOn = Conditions.known(node, condition);
      if (goesOn.isEmpty()) {
        return Optional.empty();
      }
      if (!goesOn.get()) {
        break;
      }
      Results results =
          loop.body().run(new Iteration(Known.scalar(IntImm.of(i)), carried, "#" + i));
      if (!results.areAvailable()) {
        return Optional.of(unavailable());
      }
      condition = results.condition();
      carried = results.carried();
      collected.add(results.scanned());
    }
    List<Operand> all = new ArrayList<>(carried);
    for (int scan = 0; scan < loop.scans(); scan++) {
      int number = scan;
      all.add(stacked(collected.stream().map(each -> each.get(number)).toList()));
    }
    return Optional.of(all);
  }

  private Operand stacked(List<Operand> parts) {
    Optional<Known> known = stackedKnown(parts);
    if (known.isPresent()) {
      return known.get();
    }
    List<Expr> leaves = parts.stream().map(node::leaf).toList();
    return parts.size() == 1
        ? node.operandOf(Ops.expandDims(leaves.getFirst(), 0))
        : node.operandOf(Ops.stack(leaves, 0));
  }

  private Optional<Known> stackedKnown(List<Operand> parts) {
    List<Known> known = new ArrayList<>();
    for (Operand part : parts) {
      Optional<Known> elements = node.known(part);
      if (elements.isEmpty() || elements.get().elements().size() > Known.LIMIT / parts.size()) {
        return Optional.empty();
      }
      known.add(elements.get());
    }
    return Conditions.stacked(known);
  }

  // ---------------------------------------------------------------- no iteration

  /** The initial values, and empty tensors of the types that the body gives. */
  private List<Operand> withoutIterations() {
    List<Operand> all = new ArrayList<>(loop.carried());
    if (loop.scans() == 0) {
      return all;
    }
    Optional<LoopTypes> types = new LoopTypes(node, loop).settled();
    if (types.isEmpty()) {
      return unavailable();
    }
    for (int scan = 0; scan < loop.scans(); scan++) {
      List<PrimExpr> dims = new ArrayList<>(types.get().scanExtents(scan));
      dims.addFirst(IntImm.of(0));
      all.add(node.operandOf(Ops.zeros(new ShapeExpr(dims), types.get().scanType(scan).dtype())));
    }
    return all;
  }
}
