package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.rewrite.LiveVars;
import org.relaxvm.tir.expr.IntImm;

/**
 * Which storages of a function become one, and where the tensors lie in it. Storages of one block
 * and device are joined, if their sizes are known, all that lies in them stays in the block, and
 * the joined one is smaller than they are together.
 */
final class StorageLayout {
  /** The joined storage that each storage becomes part of. */
  final Map<RelaxVar, Joined> storages = new IdentityHashMap<>();

  /** Where each tensor of those lies. */
  final Map<RelaxVar, Offsets.Tensor> tensors = new IdentityHashMap<>();

  private final Map<RelaxVar, Storage> candidates = new IdentityHashMap<>();
  private final UpperBounds bounds;
  private final TokenUses uses;
  private Optional<CallOrder> order = Optional.empty();

  /** One storage instead of several, at its {@code first} one. */
  record Joined(RelaxVar first, long byteSize, long device) {}

  /** A storage and the tensors in it. */
  private static final class Storage {
    final RelaxVar var;
    final Object block;
    final long byteSize;
    final long device;
    final Map<RelaxVar, StorageToken> tensors = new LinkedHashMap<>();
    boolean stays;

    Storage(RelaxVar var, Object block, long byteSize, long device) {
      this.var = var;
      this.block = block;
      this.byteSize = byteSize;
      this.device = device;
    }

    boolean canBeJoined() {
      return !stays
          && tensors.values().stream()
              .noneMatch(token -> token.escapes || !(token.byteSize instanceof IntImm));
    }
  }

  private StorageLayout(IRModule module, RelaxFunction function) {
    bounds = UpperBounds.of(function);
    findStorages(function.body());
    uses = TokenUses.of(module, function, this::tensor);
    findTensors(function.body());
  }

  /**
   * The layout of a function.
   *
   * @param isParallel whether tensors overlap only where that keeps no calls from running at the
   *     same time
   */
  static StorageLayout of(IRModule module, RelaxFunction function, boolean isParallel) {
    StorageLayout layout = new StorageLayout(module, function);
    layout.order = isParallel ? Optional.of(CallOrder.of(function, layout.uses)) : Optional.empty();
    layout.join(function.body());
    return layout;
  }

  private void findStorages(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      for (Binding binding : block.bindings()) {
        if (binding.value() instanceof If choice) {
          findStorages(choice.whenTrue());
          findStorages(choice.whenFalse());
        }
        if (binding.value() instanceof Call call
            && call.callee().equals(MemoryOps.ALLOC_STORAGE)
            && call.args().get(0) instanceof ShapeExpr(var dims)
            && dims.getFirst() instanceof IntImm size
            && call.args().get(1) instanceof PrimValue(IntImm device)
            && call.args().get(2) instanceof StringImm(String scope)
            && scope.equals(MemoryOps.GLOBAL)) {
          candidates.put(
              binding.var(), new Storage(binding.var(), block, size.value(), device.value()));
        }
      }
    }
  }

  private Optional<StorageToken> tensor(Expr value, Object block) {
    if (!(value instanceof Call call)
        || !call.callee().equals(MemoryOps.ALLOC_TENSOR)
        || !(call.args().get(0) instanceof RelaxVar var)
        || !(candidates.get(var) instanceof Storage storage)
        || !storage.block.equals(block)
        || !(call.args().get(1) instanceof PrimValue(IntImm offset))
        || offset.value() != 0
        || !(call.args().get(2) instanceof ShapeExpr(var dims))
        || !(call.args().get(3) instanceof DataTypeImm(DType dtype))) {
      return Optional.empty();
    }
    StorageToken.Pool pool = new StorageToken.Pool(storage.device, MemoryOps.GLOBAL, dtype);
    return Optional.of(
        new StorageToken(pool, block, bounds.byteSize(dims, dtype.bits() * dtype.lanes())));
  }

  private void findTensors(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      for (Binding binding : block.bindings()) {
        if (uses.tokens.get(binding.var()) instanceof StorageToken token
            && binding.value() instanceof Call call
            && call.args().getFirst() instanceof RelaxVar var
            && candidates.get(var) instanceof Storage storage) {
          storage.tensors.put(binding.var(), token);
        } else if (binding.value() instanceof If choice) {
          LiveVars.usedIn(choice.condition()).forEach(this::stays);
          findTensors(choice.whenTrue());
          findTensors(choice.whenFalse());
        } else {
          LiveVars.usedIn(binding).forEach(this::stays);
        }
      }
    }
    LiveVars.usedIn(seq.body()).forEach(this::stays);
  }

  private void stays(RelaxVar var) {
    if (candidates.get(var) instanceof Storage storage) {
      storage.stays = true;
    }
  }

  private void join(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      Map<Long, List<Storage>> byDevice = new LinkedHashMap<>();
      for (Binding binding : block.bindings()) {
        if (candidates.get(binding.var()) instanceof Storage storage && storage.canBeJoined()) {
          byDevice.computeIfAbsent(storage.device, unused -> new ArrayList<>()).add(storage);
        }
        if (binding.value() instanceof If choice) {
          join(choice.whenTrue());
          join(choice.whenFalse());
        }
      }
      byDevice.values().forEach(joined -> join(joined, block));
    }
  }

  private void join(List<Storage> storages, BindingBlock block) {
    Map<RelaxVar, Offsets.Tensor> assigned = lifetimes(storages, block);
    long byteSize =
        order.isPresent()
            ? assignParallel(assigned, order.get())
            : Offsets.assign(List.copyOf(assigned.values()));
    long apart = storages.stream().mapToLong(storage -> storage.byteSize).sum();
    if (byteSize < apart) {
      Storage first = storages.getFirst();
      Joined joined = new Joined(first.var, byteSize, first.device);
      storages.forEach(storage -> this.storages.put(storage.var, joined));
      tensors.putAll(assigned);
    }
  }

  private long assignParallel(Map<RelaxVar, Offsets.Tensor> assigned, CallOrder order) {
    Map<Offsets.Tensor, StorageToken> tokens = new IdentityHashMap<>();
    assigned.forEach(
        (var, tensor) -> tokens.put(tensor, Objects.requireNonNull(uses.tokens.get(var))));
    return Offsets.assign(
        List.copyOf(assigned.values()),
        (one, other) ->
            mayRunTogether(
                order,
                Objects.requireNonNull(tokens.get(one)),
                Objects.requireNonNull(tokens.get(other))));
  }

  /** Whether calls that use two tensors may run at the same time. */
  private static boolean mayRunTogether(CallOrder order, StorageToken one, StorageToken other) {
    return !order.isAfter(one, other) && !order.isAfter(other, one);
  }

  private Map<RelaxVar, Offsets.Tensor> lifetimes(List<Storage> storages, BindingBlock block) {
    Map<StorageToken, Offsets.Tensor> byToken = new IdentityHashMap<>();
    Map<RelaxVar, Offsets.Tensor> byVar = new LinkedHashMap<>();
    Map<RelaxVar, StorageToken> tokens = new IdentityHashMap<>();
    storages.forEach(storage -> tokens.putAll(storage.tensors));
    for (int i = 0; i < block.bindings().size(); i++) {
      Binding binding = block.bindings().get(i);
      if (tokens.get(binding.var()) instanceof StorageToken token
          && token.byteSize instanceof IntImm size) {
        Offsets.Tensor tensor = new Offsets.Tensor(size.value(), i);
        byToken.put(token, tensor);
        byVar.put(binding.var(), tensor);
      } else if (binding.value() instanceof Call call) {
        for (Expr arg : call.args()) {
          for (StorageToken token : uses.of(arg)) {
            if (byToken.get(token) instanceof Offsets.Tensor tensor) {
              tensor.end = i;
            }
          }
        }
      }
    }
    return byVar;
  }
}
