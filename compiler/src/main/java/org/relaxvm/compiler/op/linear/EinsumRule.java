package org.relaxvm.compiler.op.linear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * The type of an Einstein sum. Where the extents of all operands are known, the kernel says what
 * the result is and what is wrong. Source: docs/spec/op-set.md, section 2.7.
 */
final class EinsumRule {
  private EinsumRule() {}

  static TensorType type(OpCall call) {
    List<Operand> operands = Operand.fields(call, 0);
    Optional<DType> dtype = ElementTypes.same(call, operands);
    operands.forEach(operand -> requireNumbers(call, operand));
    String subscripts = subscripts(call);
    TensorType result =
        TensorType.ofRank(dtype, ndim(subscripts)).withVDevice(CommonDevice.same(call, operands));
    if (operands.stream().anyMatch(operand -> operand.type().dims().isEmpty())) {
      return result;
    }
    KernelBuilder k = new KernelBuilder("einsum");
    List<TensorExpr> inputs = new ArrayList<>();
    for (Operand operand : operands) {
      inputs.add(
          k.input(
              operand.name(), dtype.orElse(DType.FLOAT32), operand.type().dims().orElseThrow()));
    }
    TensorExpr sum = LinearOps.einsum(k, "einsum", inputs, subscripts);
    return result.withDims(Extents.simplify(call, sum.shape()));
  }

  static String subscripts(OpCall call) {
    return call.attrs().text("subscripts").orElseThrow();
  }

  private static void requireNumbers(OpCall call, Operand operand) {
    if (!operand.type().dtype().map(ElementTypes::isNumber).orElse(true)) {
      throw call.typeError(
          operand.name() + " must be a tensor of numbers, but is " + operand.type());
    }
  }

  /** The number of letters of the result, if it is written and has no ellipsis. */
  private static int ndim(String subscripts) {
    int arrow = subscripts.indexOf("->");
    String letters = subscripts.substring(arrow < 0 ? 0 : arrow + 2).replace(" ", "");
    return arrow < 0 || letters.contains(".") ? ShapeType.UNKNOWN : letters.length();
  }
}
