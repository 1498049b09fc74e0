package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/** Loops over subgraphs. */
public final class Loops {
  private Loops() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Loop", 1, Loops::loop);
  }

  /**
   * Inputs are the number of iterations, the condition and carried values. The body gets the number
   * of the iteration and the condition in front of them, and gives the condition, carried values
   * and parts of results.
   */
  private static List<Operand> loop(NodeContext node) {
    GraphProto body = node.attributes().graph("body");
    List<Operand> carried = new ArrayList<>();
    for (int i = 2; i < node.inputs(); i++) {
      carried.add(node.operand(i));
    }
    int scans = body.outputs().size() - 1 - carried.size();
    if (body.inputs().size() != carried.size() + 2 || scans < 0) {
      throw node.unsupported(
          "the body has "
              + body.inputs().size()
              + " inputs and "
              + body.outputs().size()
              + " outputs; expected "
              + (carried.size() + 2)
              + " inputs and at least "
              + (carried.size() + 1)
              + " outputs",
          "");
    }
    Optional<PrimExpr> trips = node.has(0) ? Optional.of(trips(node)) : Optional.empty();
    Operand condition = node.has(1) ? node.operand(1) : Conditions.TRUE;
    return LoopEmitter.emit(
        node,
        new Loop(trips, condition, false, carried, scans, each -> iteration(node, body, each)));
  }

  /** The condition of an iteration that runs is true. */
  private static Results iteration(NodeContext node, GraphProto body, Iteration iteration) {
    List<Operand> arguments = new ArrayList<>(iteration.carried());
    arguments.addFirst(Conditions.TRUE);
    arguments.addFirst(iteration.number());
    List<Operand> outputs =
        iteration.unrolled().isEmpty()
            ? node.body(body, arguments)
            : node.inline(body, arguments, iteration.unrolled());
    int first = 1 + iteration.carried().size();
    return new Results(
        outputs.getFirst(), outputs.subList(1, first), outputs.subList(first, outputs.size()));
  }

  /** The number of iterations; one that is computed at run time becomes a symbol. */
  private static PrimExpr trips(NodeContext node) {
    Optional<List<PrimExpr>> known = node.known(0).flatMap(Known::integers);
    if (known.isPresent() && known.get().size() == 1) {
      return known.get().getFirst();
    }
    Expr given = node.emit(Ops.astype(node.tensor(0), DType.INT64));
    Expr count = node.emit(Ops.maximum(given, Ops.scalar(DType.INT64, 0)));
    return node.extents(node.operandOf(count)).getFirst();
  }
}
