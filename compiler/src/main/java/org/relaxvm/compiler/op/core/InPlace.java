package org.relaxvm.compiler.op.core;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.tir.expr.Count;

/**
 * Compares outputs that lie where inputs do with those. Source: docs/spec/relax-ir.md, section 6.3.
 */
final class InPlace {
  static final String INDICES = "inplace_indices";

  private InPlace() {}

  /**
   * The index of an input for each output, or -1 for one with memory of its own.
   *
   * @throws InvalidProgramException when an index is none of an input, is there twice, or all are
   *     -1, or when an output is not of the shape and dtype of its input
   */
  static List<Long> check(OpCall call, List<Type> inputs, List<Type> outputs) {
    List<Long> indices = call.attrs().integers(INDICES).orElseThrow();
    if (indices.size() != outputs.size()) {
      throw call.error(
          "inplace_indices must have an index for each of "
              + Count.of(outputs.size(), "output", "outputs")
              + ", but has "
              + indices.size());
    }
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < indices.size(); i++) {
      long index = indices.get(i);
      if (index < -1 || index >= inputs.size()) {
        throw call.error(
            "the index "
                + index
                + " in inplace_indices is none of "
                + Count.arguments(inputs.size())
                + "; expected one from 0, or -1 for an output with memory of its own");
      }
      if (index >= 0 && !seen.add(index)) {
        throw call.error("the index " + index + " is in inplace_indices twice");
      }
      if (index >= 0) {
        requireSame(call, (int) index, inputs.get((int) index), outputs.get(i));
      }
    }
    if (seen.isEmpty()) {
      throw call.error(
          "inplace_indices has only -1, so that no output lies where an input does; expected an"
              + " index, or a call that is not in place");
    }
    return indices;
  }

  private static void requireSame(OpCall call, int index, Type input, Type output) {
    if (!BaseCheck.isBaseOf(output, input, call.analyzer())) {
      throw call.typeError(
          "the output "
              + output
              + " cannot lie where argument "
              + index
              + " does, which is "
              + input
              + "; expected the same shape and dtype");
    }
  }
}
