package org.relaxvm.builtins;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.CallEffects;

/**
 * What builtins read and write. Those that keep state, print, or call other functions are not here:
 * their effects are unknown.
 */
final class BuiltinEffects {
  /** Reads no elements. */
  private static final CallEffects PURE = CallEffects.pure().brief().withoutReads();

  private static final CallEffects READ = CallEffects.pure().brief();
  private static final CallEffects VIEW = PURE.asView();
  private static final CallEffects CHECK = PURE.asCheck();

  /** The shape heap is the second argument. */
  private static final CallEffects MATCH =
      CallEffects.writing(Set.of(1)).asCheck().brief().withoutReads();

  private BuiltinEffects() {}

  static Map<String, CallEffects> all() {
    Map<String, CallEffects> effects = new HashMap<>();
    effects.put("vm.builtin.alloc_storage", PURE.asAllocation());
    effects.put("vm.builtin.alloc_tensor", PURE.asTensorInStorage());
    effects.put("vm.builtin.alloc_shape_heap", PURE.asAllocation());
    effects.put("vm.builtin.match_shape", MATCH);
    effects.put("vm.builtin.match_prim_value", MATCH);
    effects.put("vm.builtin.store_shape", MATCH);
    effects.put("vm.builtin.make_shape", READ);
    effects.put("vm.builtin.make_prim_value", READ);
    effects.put("vm.builtin.load_shape", READ);
    effects.put("vm.builtin.check_tensor_info", CHECK);
    effects.put("vm.builtin.check_shape_info", CHECK);
    effects.put("vm.builtin.check_prim_value_info", CHECK);
    effects.put("vm.builtin.check_tuple_info", CHECK);
    effects.put("vm.builtin.check_func_info", CHECK);
    effects.put("vm.builtin.shape_of", PURE);
    effects.put("vm.builtin.tensor_to_shape", READ);
    effects.put("vm.builtin.read_if_cond", READ);
    effects.put("vm.builtin.reshape", VIEW);
    effects.put("runtime.TVMTensorCreateView", VIEW);
    effects.put("vm.builtin.make_tuple", VIEW);
    effects.put("vm.builtin.tuple_getitem", VIEW);
    effects.put("vm.builtin.make_closure", VIEW);
    effects.put("vm.builtin.ensure_zero_offset", CallEffects.pure().asView().asAllocation());
    effects.put("relaxvm.on_device", CallEffects.pure().asView().asAllocation());
    effects.put("vm.builtin.to_device", CallEffects.pure().asView().asAllocation());
    return effects;
  }
}
