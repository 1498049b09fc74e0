package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Iteration;
import org.relaxvm.interoponnx.operator.flow.LoopBody.Results;
import org.relaxvm.interoponnx.operator.shape.Parts;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/** Loops over the parts of tensors along an axis. */
public final class ScanLoops {
  private ScanLoops() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Scan", 8, node -> node.version() < 9 ? BatchScan.convert(node) : scan(node));
  }

  /** Inputs are states and then tensors that are scanned. */
  private static List<Operand> scan(NodeContext node) {
    GraphProto body = node.attributes().graph("body");
    int scanned = scannedInputs(node, node.inputs());
    int states = node.inputs() - scanned;
    int collected = collected(node, body, states, scanned);
    List<Long> inputAxes = list(node, "scan_input_axes", scanned);
    List<Long> backwards = list(node, "scan_input_directions", scanned);
    List<Scanned> inputs = new ArrayList<>();
    for (int i = 0; i < scanned; i++) {
      Expr x = node.tensor(states + i);
      inputs.add(new Scanned(x, node.axis(inputAxes.get(i), node.rank(x)), backwards.get(i) != 0));
    }
    List<Scanned> aligned = aligned(node, inputs);
    PrimExpr trips = node.dims(aligned.getFirst().x()).get(aligned.getFirst().axis());
    List<Operand> initial = node.operands().subList(0, states);
    List<Operand> results =
        LoopEmitter.emit(
            node,
            Loop.counted(
                trips,
                initial,
                collected,
                each -> iteration(node, body, each, aligned, trips, each.unrolled().isEmpty())));
    return outputs(node, results, states);
  }

  /**
   * A tensor that is scanned.
   *
   * @param isReversed whether the last part comes first
   */
  record Scanned(Expr x, int axis, boolean isReversed) {
    /** The part of an iteration. */
    Operand part(NodeContext node, PrimExpr iteration, PrimExpr trips) {
      PrimExpr at = isReversed ? Exprs.sub(Exprs.sub(trips, 1), iteration) : iteration;
      PrimExpr index = node.analyzer().simplify(at);
      Expr part = node.emit(Parts.range(x, axis, index, Exprs.add(index, 1)));
      return node.operandOf(Ops.squeeze(part, axis));
    }
  }

  /** The tensors with as many parts as the first one, which is checked at run time. */
  private static List<Scanned> aligned(NodeContext node, List<Scanned> inputs) {
    PrimExpr trips = node.dims(inputs.getFirst().x()).get(inputs.getFirst().axis());
    List<Scanned> aligned = new ArrayList<>();
    for (Scanned input : inputs) {
      List<PrimExpr> dims = new ArrayList<>(node.dims(input.x()));
      boolean isSame = node.analyzer().canProveEqual(dims.get(input.axis()), trips);
      dims.set(input.axis(), trips);
      aligned.add(
          isSame
              ? input
              : new Scanned(
                  node.matchCast(input.x(), node.type(input.x()).withDims(dims)),
                  input.axis(),
                  input.isReversed()));
    }
    return aligned;
  }

  static int scannedInputs(NodeContext node, int available) {
    long count = node.attributes().requiredInteger("num_scan_inputs");
    if (count < 1 || count > available) {
      throw node.unsupported("num_scan_inputs is " + count + "; expected 1 to " + available, "");
    }
    return (int) count;
  }

  /** The number of results that are collected. */
  static int collected(NodeContext node, GraphProto body, int states, int scanned) {
    int collected = body.outputs().size() - states;
    if (body.inputs().size() != states + scanned || collected < 0) {
      throw node.unsupported(
          "the body has "
              + body.inputs().size()
              + " inputs and "
              + body.outputs().size()
              + " outputs; expected "
              + (states + scanned)
              + " inputs and at least "
              + states
              + " outputs",
          "");
    }
    return collected;
  }

  static Results iteration(
      NodeContext node,
      GraphProto body,
      Iteration iteration,
      List<Scanned> inputs,
      PrimExpr trips,
      boolean isFrame) {
    PrimExpr number = Counting.number(iteration);
    List<Operand> arguments = new ArrayList<>(iteration.carried());
    inputs.forEach(input -> arguments.add(input.part(node, number, trips)));
    List<Operand> outputs =
        isFrame ? node.body(body, arguments) : node.inline(body, arguments, iteration.unrolled());
    int states = iteration.carried().size();
    return new Results(
        Conditions.TRUE, outputs.subList(0, states), outputs.subList(states, outputs.size()));
  }

  /** A number for each of several tensors, 0 where the attribute is missing. */
  static List<Long> list(NodeContext node, String attribute, int count) {
    List<Long> values =
        node.attributes()
            .integers(attribute)
            .orElseGet(() -> IntStream.range(0, count).mapToObj(i -> 0L).toList());
    if (values.size() != count) {
      throw node.unsupported(
          attribute + " has " + values.size() + " numbers; expected " + count, "");
    }
    return values;
  }

  /** The collected results with the axis where it belongs, in the order that is asked for. */
  private static List<Operand> outputs(NodeContext node, List<Operand> results, int states) {
    List<Operand> outputs = new ArrayList<>(results.subList(0, states));
    int collected = results.size() - states;
    List<Long> axes = list(node, "scan_output_axes", collected);
    List<Long> backwards = list(node, "scan_output_directions", collected);
    for (int i = 0; i < collected; i++) {
      Operand result = results.get(states + i);
      if (result instanceof Operand.Unavailable) {
        outputs.add(result);
        continue;
      }
      Expr value = node.leaf(result);
      int rank = node.rank(value);
      int axis = node.axis(axes.get(i), rank);
      Expr ordered = backwards.get(i) != 0 ? node.emit(Orders.flip(value, 0)) : value;
      outputs.add(
          axis == 0
              ? node.operandOf(ordered)
              : node.operandOf(Ops.permuteDims(ordered, firstTo(axis, rank))));
    }
    return outputs;
  }

  /** The axes of a result whose first axis moves to another position. */
  private static Integer[] firstTo(int axis, int rank) {
    List<Integer> axes = new ArrayList<>(IntStream.range(1, rank).boxed().toList());
    axes.add(axis, 0);
    return axes.toArray(Integer[]::new);
  }
}
