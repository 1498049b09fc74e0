package org.relaxvm.interoponnx.operator.elementwise;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;

/** Operands that broadcast, as each version of the operators has it. */
final class Broadcasting {
  private static final int MULTIDIRECTIONAL = 7;

  private Broadcasting() {}

  /** All inputs, with extents that broadcast. */
  static List<Expr> operands(NodeContext node) {
    List<Expr> leaves = node.tensors();
    return node.broadcast(
        node.version() < MULTIDIRECTIONAL && leaves.size() == 2 ? aligned(node, leaves) : leaves);
  }

  /** Before version 7 the axes of the second operand may lie anywhere among those of the first. */
  private static List<Expr> aligned(NodeContext node, List<Expr> leaves) {
    if (node.attributes().integer("axis").isEmpty()) {
      return leaves;
    }
    int rank = node.rank(leaves.get(0));
    int own = node.rank(leaves.get(1));
    int axis = node.axis(node.attributes().integer("axis", 0), rank);
    List<Integer> trailing = new ArrayList<>();
    for (int i = axis + own; i < rank; i++) {
      trailing.add(own + trailing.size());
    }
    return trailing.isEmpty()
        ? leaves
        : List.of(
            leaves.get(0),
            node.emit(Ops.expandDims(leaves.get(1), trailing.toArray(new Integer[0]))));
  }
}
