package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;

/**
 * Which calls of a function depend on each other through the memory that they use: a call that uses
 * memory depends on the first one that does, which writes it. Memory that is shared only where the
 * later user depends on all earlier ones keeps no calls from running at the same time.
 */
final class CallOrder {
  private final TokenUses uses;
  private final Map<StorageToken, List<Integer>> users = new IdentityHashMap<>();
  private final List<BitSet> dependences = new ArrayList<>();

  private CallOrder(TokenUses uses) {
    this.uses = uses;
  }

  static CallOrder of(RelaxFunction function, TokenUses uses) {
    CallOrder order = new CallOrder(uses);
    order.sequence(function.body());
    return order;
  }

  private void sequence(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      for (Binding binding : block.bindings()) {
        if (binding.value() instanceof Call call && !TokenUses.isView(call)) {
          add(call, block);
        } else if (binding.value() instanceof If choice) {
          sequence(choice.whenTrue());
          sequence(choice.whenFalse());
        }
      }
    }
  }

  private void add(Call call, BindingBlock block) {
    int index = dependences.size();
    BitSet before = new BitSet();
    uses.enter(block);
    uses.forEachUse(
        call,
        token -> {
          List<Integer> known = users.computeIfAbsent(token, _ -> new ArrayList<>());
          if (!known.isEmpty() && known.getFirst() != index) {
            before.set(known.getFirst());
            before.or(dependences.get(known.getFirst()));
          }
          known.add(index);
        });
    dependences.add(before);
  }

  /** Whether the first user of memory depends on all users of other memory. */
  boolean isAfter(StorageToken later, StorageToken earlier) {
    List<Integer> laterUsers = users.getOrDefault(later, List.of());
    if (laterUsers.isEmpty()) {
      return true;
    }
    BitSet before = dependences.get(laterUsers.getFirst());
    return users.getOrDefault(earlier, List.of()).stream().allMatch(before::get);
  }
}
