package org.relaxvm.interoponnx.spi;

import java.util.List;
import org.relaxvm.compiler.ir.Expr;

/**
 * An operator of a third party. Immutable.
 *
 * @param domain as nodes name it, such as {@code com.example}; the empty string for {@code ai.onnx}
 * @param name as nodes name it
 * @param rule translates nodes
 */
public record OnnxOperator(String domain, String name, Rule rule) {
  /** Translates nodes of an operator to Relax IR. Called by many threads at once. */
  @FunctionalInterface
  public interface Rule {
    /**
     * Translates a node.
     *
     * @return a tensor for each output of the node, or more
     * @throws org.relaxvm.api.error.RelaxException what {@link OnnxNode#unsupported} gives, or any
     *     other reason why the node cannot be translated; it is reported with the node
     */
    List<? extends Expr> translate(OnnxNode node);
  }
}
