package org.relaxvm.interoponnx.convert;

import java.util.List;
import org.relaxvm.interoponnx.value.Operand;

/**
 * Translates nodes of one operator. It emits bindings, and is written for the newest version of the
 * operator; older ones are adapted first. Without state.
 */
@FunctionalInterface
public interface Converter {
  /**
   * Translates a node.
   *
   * @return one operand for each output of the node, or more
   * @throws org.relaxvm.api.error.RelaxException what {@link NodeContext#unsupported} gives, or any
   *     other reason why the node cannot be translated; it is reported with the node
   */
  List<Operand> convert(NodeContext node);
}
