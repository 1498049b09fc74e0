package org.relaxvm.builtins;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/**
 * Datatypes: tuples whose tag says which constructor made them.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 4.
 */
final class DatatypeBuiltins {
  private DatatypeBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.make_adt", DatatypeBuiltins::make,
        "vm.builtin.get_field", DatatypeBuiltins::field,
        "vm.builtin.get_tag", DatatypeBuiltins::tag,
        "vm.builtin.get_tag_tensor", DatatypeBuiltins::tagTensor);
  }

  private static void make(CallArgs args, CallResult result) {
    result.set(Tuple.tagged(args.longAt(0), args.toArray(1)));
  }

  private static void field(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.get_field(x, index)", 2);
    Object field = args.tupleAt(0).get(args.longAt(1));
    Managed.retain(field);
    result.set(field);
  }

  private static void tag(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.get_tag(x)", 1);
    result.setLong(args.tupleAt(0).tag());
  }

  private static void tagTensor(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.get_tag_tensor(x)", 1);
    result.set(Tensor.of(new int[] {(int) args.tupleAt(0).tag()}, Shape.of(1)));
  }
}
