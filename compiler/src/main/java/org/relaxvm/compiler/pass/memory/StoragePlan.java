package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.tir.expr.IntImm;

/**
 * Gives allocations memory that others do not need any more. Memory of a constant size goes to an
 * allocation of up to sixteen times or down to a sixteenth of its size, and grows if it must; of a
 * symbolic size to one of the same. Source: docs/spec/passes.md, section 10.1.
 */
final class StoragePlan {
  private static final int MOST_TIMES = 16;

  /** The memory of each planned allocation. */
  final Map<RelaxVar, StorageToken> storages = new IdentityHashMap<>();

  private final TokenUses uses;
  private final UpperBounds bounds;
  private final Optional<CallOrder> order;
  private final Map<StorageToken, List<StorageToken>> tenants = new IdentityHashMap<>();
  private final Map<StorageToken, StorageToken> given = new IdentityHashMap<>();
  private Map<StorageToken.Pool, FreeStorages> free = new HashMap<>();

  private StoragePlan(TokenUses uses, UpperBounds bounds, Optional<CallOrder> order) {
    this.uses = uses;
    this.bounds = bounds;
    this.order = order;
  }

  /**
   * The plan of a function.
   *
   * @param isParallel whether memory is shared only where that keeps no calls from running at the
   *     same time
   */
  static StoragePlan of(
      RelaxFunction function, TokenUses uses, UpperBounds bounds, boolean isParallel) {
    Optional<CallOrder> order =
        isParallel ? Optional.of(CallOrder.of(function, uses)) : Optional.empty();
    StoragePlan plan = new StoragePlan(uses, bounds, order);
    plan.sequence(function.body());
    return plan;
  }

  private void sequence(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      Map<StorageToken.Pool, FreeStorages> outer = free;
      free = new HashMap<>();
      block.bindings().forEach(binding -> plan(binding, block));
      free = outer;
    }
  }

  private void plan(Binding binding, BindingBlock block) {
    StorageToken token = uses.tokens.get(binding.var());
    if (token != null) {
      if (!token.escapes) {
        storages.put(binding.var(), allocate(token));
      }
      return;
    }
    switch (binding.value()) {
      case Call call when !TokenUses.isView(call) -> {
        uses.enter(block);
        uses.forEachUse(call, this::used);
      }
      case If choice -> {
        sequence(choice.whenTrue());
        sequence(choice.whenFalse());
      }
      default -> {}
    }
  }

  private StorageToken allocate(StorageToken token) {
    StorageToken storage = reused(token).orElse(token);
    if (!storage.equals(token)) {
      storage.uses = token.uses;
    }
    given.put(token, storage);
    tenants.computeIfAbsent(storage, _ -> new ArrayList<>()).add(token);
    return storage;
  }

  private void used(StorageToken token) {
    StorageToken storage = given.get(token);
    if (!token.escapes && storage != null && --storage.uses == 0) {
      free.computeIfAbsent(storage.pool, unused -> new FreeStorages()).add(storage);
    }
  }

  private Optional<StorageToken> reused(StorageToken token) {
    FreeStorages storages = free.get(token.pool);
    if (token.uses == 0 || storages == null) {
      return Optional.empty();
    }
    Predicate<StorageToken> condition = storage -> isAfterTenants(token, storage);
    if (!(token.byteSize instanceof IntImm wanted)) {
      return storages.takeEqual(token.byteSize, bounds::areEqual, condition);
    }
    long size = wanted.value();
    long most = size > Long.MAX_VALUE / MOST_TIMES ? Long.MAX_VALUE : size * MOST_TIMES;
    Optional<StorageToken> above = storages.takeSmallest(size, most, condition);
    if (above.isPresent()) {
      return above;
    }
    Optional<StorageToken> below = storages.takeLargest(size / MOST_TIMES, size, condition);
    below.ifPresent(storage -> storage.byteSize = wanted);
    return below;
  }

  /** Whether all that used a storage is done in any case when a token is used first. */
  private boolean isAfterTenants(StorageToken token, StorageToken storage) {
    return order.isEmpty()
        || tenants.getOrDefault(storage, List.of()).stream()
            .allMatch(tenant -> order.get().isAfter(token, tenant));
  }
}
