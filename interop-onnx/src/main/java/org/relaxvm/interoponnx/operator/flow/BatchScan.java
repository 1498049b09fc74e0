package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.operator.flow.ScanLoops.Scanned;
import org.relaxvm.interoponnx.operator.shape.Parts;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * The scan of version 8: all tensors have a batch in front, each row of which is scanned on its own
 * along its first axis, as far as its length says. Results of shorter rows end with zeros.
 */
final class BatchScan {
  private final NodeContext node;
  private final GraphProto body;
  private final int states;
  private final int collected;
  private final Optional<Expr> lengths;
  private final List<Expr> tensors = new ArrayList<>();
  private final List<Long> backwards;
  private final PrimExpr steps;

  private BatchScan(NodeContext node) {
    this.node = node;
    this.body = node.attributes().graph("body");
    int scanned = ScanLoops.scannedInputs(node, node.inputs() - 1);
    this.states = node.inputs() - 1 - scanned;
    this.collected = ScanLoops.collected(node, body, states, scanned);
    this.lengths = node.optional(0);
    for (int i = 1; i < node.inputs(); i++) {
      Expr tensor = node.tensor(i);
      int least = i > states ? 2 : 1;
      if (node.rank(tensor) < least) {
        throw node.unsupported(
            "input " + i + " has " + node.rank(tensor) + " axes; expected " + least + " or more",
            "");
      }
      tensors.add(tensor);
    }
    this.backwards = ScanLoops.list(node, "directions", scanned);
    this.steps = node.dims(tensors.get(states)).get(1);
  }

  static List<Operand> convert(NodeContext node) {
    BatchScan scan = new BatchScan(node);
    PrimExpr rows = node.dims(scan.tensors.get(scan.states)).getFirst();
    return LoopEmitter.emit(
        node, Loop.counted(rows, List.of(), scan.states + scan.collected, scan::row));
  }

  private Results row(Iteration iteration) {
    PrimExpr row = Counting.number(iteration);
    List<Operand> initial = new ArrayList<>();
    List<Scanned> inputs = new ArrayList<>();
    for (int i = 0; i < tensors.size(); i++) {
      Expr part = node.emit(Parts.range(tensors.get(i), 0, row, Exprs.add(row, 1)));
      Operand ofRow = node.operandOf(Ops.squeeze(part, 0));
      if (i < states) {
        initial.add(ofRow);
      } else {
        inputs.add(new Scanned(node.leaf(ofRow), 0, backwards.get(i - states) != 0));
      }
    }
    PrimExpr trips = length(row);
    boolean isFrame = iteration.unrolled().isEmpty();
    List<Operand> results =
        LoopEmitter.emit(
            node,
            Loop.counted(
                trips,
                initial,
                collected,
                each ->
                    ScanLoops.iteration(
                        node,
                        body,
                        new Iteration(
                            each.number(), each.carried(), iteration.unrolled() + each.unrolled()),
                        inputs,
                        trips,
                        isFrame || each.unrolled().isEmpty())));
    List<Operand> parts = new ArrayList<>(results.subList(0, states));
    results.subList(states, results.size()).forEach(result -> parts.add(padded(result, trips)));
    return new Results(Conditions.TRUE, List.of(), parts);
  }

  private PrimExpr length(PrimExpr row) {
    if (lengths.isEmpty()) {
      return steps;
    }
    Expr length = node.emit(Parts.range(lengths.get(), 0, row, Exprs.add(row, 1)));
    return node.extents(node.operandOf(length)).getFirst();
  }

  private Operand padded(Operand result, PrimExpr trips) {
    if (lengths.isEmpty() || result instanceof Operand.Unavailable) {
      return result;
    }
    Expr value = node.leaf(result);
    List<PrimExpr> dims = new ArrayList<>(node.dims(value));
    dims.set(0, node.analyzer().simplify(Exprs.sub(steps, trips)));
    Expr zeros = node.emit(Ops.zeros(new ShapeExpr(dims), node.dtype(value)));
    Expr padded = node.emit(Ops.concat(List.of(value, zeros), 0));
    dims.set(0, steps);
    return node.operandOf(node.matchCast(padded, node.type(padded).withDims(dims)));
  }
}
