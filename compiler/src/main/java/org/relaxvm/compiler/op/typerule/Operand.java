package org.relaxvm.compiler.op.typerule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorType;

/**
 * A tensor that an operator gets, with its name for messages.
 *
 * @param name of the argument, such as {@code x}, or of a field of one: {@code tensors[1]}
 */
public record Operand(String name, TensorType type) {
  /** An argument that is a tensor; a {@code TypeError} for any other. */
  public static Operand of(OpCall call, int index) {
    return new Operand(call.op().argName(index), call.tensor(index));
  }

  /** The arguments of these indices, all of them tensors. */
  public static List<Operand> all(OpCall call, int... indices) {
    List<Operand> operands = new ArrayList<>();
    for (int index : indices) {
      operands.add(of(call, index));
    }
    return operands;
  }

  /** An argument that is a tensor or a scalar, which counts as a tensor without axes. */
  public static Operand ofNumber(OpCall call, int index) {
    return switch (call.type(index)) {
      case PrimType(var dtype) ->
          new Operand(call.op().argName(index), TensorType.of(Optional.of(dtype), List.of()));
      case TensorType tensor -> new Operand(call.op().argName(index), tensor);
      default -> throw call.wrong(index, "a tensor or a scalar");
    };
  }

  /** The fields of an argument that is a tuple of tensors. */
  public static List<Operand> fields(OpCall call, int index) {
    List<Operand> operands = new ArrayList<>();
    for (TensorType field : call.tensors(index)) {
      operands.add(new Operand(call.op().argName(index) + "[" + operands.size() + "]", field));
    }
    return operands;
  }

  @Override
  public String toString() {
    return name + " is " + type;
  }
}
