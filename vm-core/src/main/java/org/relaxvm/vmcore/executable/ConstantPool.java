package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** The constants of a program that is being built; equal ones share an entry. */
final class ConstantPool {
  private final List<Object> constants = new ArrayList<>();
  private final Map<Object, Integer> index = new HashMap<>();

  /** The argument for a value: an immediate, or an entry that is made when it is not there. */
  Arg convert(Object value) {
    Object constant = normalise(value);
    if (constant instanceof Long number && Arg.fitsImmediate(number)) {
      return Arg.immediate(number);
    }
    return Arg.constant(index.computeIfAbsent(key(constant), _ -> append(constant)));
  }

  /** The entry for a value in a memory scope, which is shared with none in another scope. */
  Arg convert(Object value, String scope) {
    Object constant = normalise(value);
    return Arg.constant(
        index.computeIfAbsent(new Scoped(key(constant), scope), _ -> append(constant)));
  }

  private record Scoped(Object key, String scope) {}

  /** Makes an entry without looking for an equal one; a later equal value may share it. */
  Arg add(Object value) {
    Object constant = normalise(value);
    int entry = append(constant);
    index.putIfAbsent(key(constant), entry);
    return Arg.constant(entry);
  }

  int size() {
    return constants.size();
  }

  List<Object> constants() {
    return List.copyOf(constants);
  }

  private int append(Object constant) {
    constants.add(constant);
    return constants.size() - 1;
  }

  private static Object key(Object constant) {
    // The class keeps keys of different kinds apart; Double.equals compares bits, so that 0.0 and
    // -0.0 stay two constants.
    return constant instanceof Tensor tensor ? new TensorKey(tensor) : constant;
  }

  private static Object normalise(Object value) {
    return switch (value) {
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case Boolean bool -> bool ? 1L : 0L;
      case Float number -> number.doubleValue();
      case long[] dims -> Shape.of(dims);
      case Tensor tensor ->
          tensor.device().isHost() && tensor.isContiguous() ? tensor : tensor.toHost();
      default -> {
        if (!isConstant(value)) {
          throw new InvalidProgramException(
              ErrorKind.TYPE,
              "a value of type "
                  + TypeKeys.of(value)
                  + " cannot be a constant\n  expected: a tensor, shape (or long[]), string,"
                  + " integer, boolean, float or data type");
        }
        yield value;
      }
    };
  }

  private static boolean isConstant(Object value) {
    return switch (value) {
      case Long _, Double _, String _, Shape _, DType _ -> true;
      default -> false;
    };
  }
}
