package org.relaxvm.interoponnx.operator.sequence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.flow.Counting;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/** A subgraph for each element of sequences. */
public final class SequenceMaps {
  private SequenceMaps() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("SequenceMap", 17, SequenceMaps::map);
  }

  /** Sequences are walked together; tensors are the same for all elements. */
  private static List<Operand> map(NodeContext node) {
    GraphProto body = node.attributes().graph("body");
    List<Operand> inputs = node.operands();
    if (body.inputs().size() != inputs.size()) {
      throw node.unsupported(
          "the body has " + body.inputs().size() + " inputs; expected " + inputs.size(), "");
    }
    if (inputs.isEmpty() || !isSequence(inputs.getFirst())) {
      throw node.unsupported("input 0 is no sequence", "");
    }
    boolean isKnown = inputs.stream().noneMatch(input -> input instanceof Operand.Listed);
    return isKnown ? ofKnown(node, body, inputs) : ofLists(node, body, inputs);
  }

  private static boolean isSequence(Operand operand) {
    return operand instanceof Operand.Sequence || operand instanceof Operand.Listed;
  }

  private static List<Operand> ofKnown(NodeContext node, GraphProto body, List<Operand> inputs) {
    int size = ((Operand.Sequence) inputs.getFirst()).elements().size();
    List<List<Operand>> outputs = new ArrayList<>();
    body.outputs().forEach(output -> outputs.add(new ArrayList<>()));
    for (int i = 0; i < size; i++) {
      List<Operand> arguments = new ArrayList<>();
      for (Operand input : inputs) {
        arguments.add(
            input instanceof Operand.Sequence(List<Operand> elements)
                ? element(node, elements, i, size)
                : input);
      }
      List<Operand> results = node.inline(body, arguments, "#" + i);
      if (results.stream().anyMatch(Operand.Unavailable.class::isInstance)) {
        return Collections.nCopies(outputs.size(), new Operand.Unavailable());
      }
      for (int output = 0; output < outputs.size(); output++) {
        outputs.get(output).add(results.get(output));
      }
    }
    return outputs.stream().<Operand>map(Operand.Sequence::new).toList();
  }

  private static Operand element(NodeContext node, List<Operand> elements, int i, int size) {
    if (elements.size() != size) {
      throw node.unsupported(
          "sequences of " + size + " and " + elements.size() + " elements are walked together", "");
    }
    return elements.get(i);
  }

  private static List<Operand> ofLists(NodeContext node, GraphProto body, List<Operand> inputs) {
    List<Operand> lists =
        inputs.stream()
            .map(input -> isSequence(input) ? (Operand) Lists.of(node, input) : input)
            .toList();
    PrimExpr length = Lists.length(node, (Operand.Listed) lists.getFirst());
    List<Operand> initial =
        body.outputs().stream().map(output -> (Operand) new Operand.Sequence(List.of())).toList();
    return Counting.fold(
        node, length, initial, (i, results) -> iteration(node, body, lists, i, results));
  }

  /** The lists of results with those of one element. */
  private static List<Operand> iteration(
      NodeContext node,
      GraphProto body,
      List<Operand> inputs,
      PrimExpr number,
      List<Operand> before) {
    PrimValue position = new PrimValue(number);
    List<Operand> arguments = new ArrayList<>();
    for (Operand input : inputs) {
      arguments.add(input instanceof Operand.Listed list ? Lists.at(node, list, position) : input);
    }
    List<Operand> results = node.body(body, arguments);
    if (results.stream().anyMatch(Operand.Unavailable.class::isInstance)) {
      return Collections.nCopies(results.size(), new Operand.Unavailable());
    }
    List<Operand> longer = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      longer.add(
          Lists.inserted(node, Lists.of(node, before.get(i)), results.get(i), Optional.empty()));
    }
    return longer;
  }
}
