package org.relaxvm.builtins;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;

/** Making tuples and taking their fields. */
final class TupleBuiltins {
  private TupleBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.make_tuple",
            new WithDirectForms(TupleBuiltins::makeTuple, DirectTuples::makeTuple),
        "vm.builtin.tuple_getitem",
            new WithDirectForms(TupleBuiltins::getItem, DirectTuples::getItem),
        "vm.builtin.tuple_reset_item", TupleBuiltins::resetItem);
  }

  private static void makeTuple(CallArgs args, CallResult result) {
    result.set(Tuple.of(args.toArray()));
  }

  private static void getItem(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tuple_getitem(tuple, index)", 2);
    Object field = args.tupleAt(0).get(args.longAt(1));
    Managed.retain(field);
    result.set(field);
  }

  private static void resetItem(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tuple_reset_item(tuple, index)", 2);
    args.tupleAt(0).reset(args.longAt(1));
  }
}
