package org.relaxvm.interoponnx.options;

/**
 * Something about a model that is wrong or worth knowing. Immutable.
 *
 * @param severity whether the model can be imported in spite of it
 * @param operator as {@code com.microsoft.MoE (1)}; the empty string when it is about no operator
 * @param node the name of the node, or its operator and position; the empty string when it is about
 *     no node
 * @param problem what is wrong
 * @param remedy what to do; the empty string when nothing is known
 */
public record OnnxFinding(
    Severity severity, String operator, String node, String problem, String remedy) {
  /** How much a finding matters. */
  public enum Severity {
    /** The model cannot be imported. */
    ERROR,
    /** The model is imported, and may give other results than expected. */
    WARNING
  }
}
