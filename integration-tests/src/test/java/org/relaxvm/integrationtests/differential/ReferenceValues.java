package org.relaxvm.integrationtests.differential;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** The second evaluator's own values, beside boxed scalars, strings, shapes and data types. */
final class ReferenceValues {
  private ReferenceValues() {}

  /** A list of values. */
  record RefTuple(List<@Nullable Object> fields) {}

  /** A function of the program and the values of its last arguments. */
  record RefClosure(String name, int function, List<@Nullable Object> bound) {}

  /** A packed function as a value. */
  record RefFunction(String name) {}

  /** A shape heap, compared by identity. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record RefHeap(long[] slots) {}

  /** The VM's context. */
  record RefContext() {}

  /** The name of a value's kind in messages. */
  static String typeKey(@Nullable Object value) {
    return switch (value) {
      case null -> "None";
      case Long _ -> "int";
      case Boolean _ -> "bool";
      case Double _ -> "float";
      case String _ -> "ffi.String";
      case Shape _ -> "ffi.Shape";
      case DType _ -> "DataType";
      case RefTuple _ -> "ffi.Array";
      case RefClosure _ -> "relax.vm.Closure";
      case RefFunction _ -> "ffi.Function";
      case RefHeap _ -> "ffi.Tensor";
      case RefContext _ -> "void*";
      default -> throw new IllegalArgumentException(value.getClass().getName());
    };
  }
}
