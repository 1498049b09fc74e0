package org.relaxvm.interoponnx.operator.flow;

import java.util.List;
import java.util.Optional;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.value.Operand;

/** Choices between subgraphs. */
public final class Choices {
  private Choices() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("If", 1, Choices::choose);
  }

  /** Only the branch that is taken is translated where the condition is known. */
  private static List<Operand> choose(NodeContext node) {
    GraphProto whenTrue = node.attributes().graph("then_branch");
    GraphProto whenFalse = node.attributes().graph("else_branch");
    Optional<Boolean> known = Conditions.known(node, node.operand(0));
    return known.isPresent()
        ? node.inline(known.get() ? whenTrue : whenFalse, List.of(), "")
        : node.choice(Conditions.scalar(node, node.operand(0)), whenTrue, whenFalse);
  }
}
