package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Which allocations of a function can share memory, and what uses them. Values that leave their
 * block, as results, in tuples of calls, or from branches, cannot. Source: docs/spec/passes.md,
 * section 10.1.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why does the memory planner assume that packed
 * functions retain their arguments?"
 */
final class TokenUses {
  /** What makes memory that may be shared, by the variable of the allocation. */
  final Map<RelaxVar, StorageToken> tokens = new IdentityHashMap<>();

  private final IRModule module;
  private final Allocations allocations;
  private final Map<RelaxVar, List<StorageToken>> byVar = new IdentityHashMap<>();
  private final Map<RelaxVar, List<List<StorageToken>>> byField = new IdentityHashMap<>();
  private Object block = new Object();

  /** Says which values are memory of their own. */
  @FunctionalInterface
  interface Allocations {
    /** The memory that a value in a block allocates; empty for all else. */
    Optional<StorageToken> find(Expr value, Object block);
  }

  private TokenUses(IRModule module, Allocations allocations) {
    this.module = module;
    this.allocations = allocations;
  }

  static TokenUses of(IRModule module, RelaxFunction function, Allocations allocations) {
    TokenUses uses = new TokenUses(module, allocations);
    uses.sequence(function.body());
    return uses;
  }

  private void sequence(SeqExpr seq) {
    Object outer = block;
    for (BindingBlock next : seq.blocks()) {
      block = next;
      next.bindings().forEach(this::binding);
    }
    block = outer;
    escape(seq.body());
  }

  private void binding(Binding binding) {
    Expr value = binding.value();
    Optional<StorageToken> allocated = allocations.find(value, block);
    allocated.ifPresent(token -> tokens.put(binding.var(), token));
    byVar.put(binding.var(), allocated.map(List::of).orElseGet(() -> made(value)));
    if (value instanceof Tuple(var fields)) {
      byField.put(binding.var(), fields.stream().map(this::of).toList());
    } else if (value instanceof RelaxVar var && byField.containsKey(var)) {
      byField.put(binding.var(), byField.get(var));
    }
  }

  private List<StorageToken> made(Expr value) {
    return switch (value) {
      case Call call -> call(call);
      case If choice -> {
        escape(choice.condition());
        sequence(choice.whenTrue());
        sequence(choice.whenFalse());
        yield List.of();
      }
      case RelaxFunction function -> {
        FreeVars.of(function).forEach(this::escape);
        yield List.of();
      }
      default -> of(value);
    };
  }

  /** The memory that a value lies in. */
  List<StorageToken> of(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> byVar.getOrDefault(var, List.of());
      case Tuple(var fields) -> fields.stream().flatMap(field -> of(field).stream()).toList();
      case TupleGetItem(Expr tuple, int index) ->
          tuple instanceof RelaxVar var && byField.containsKey(var)
              ? byField.get(var).get(index)
              : of(tuple);
      default -> List.of();
    };
  }

  private List<StorageToken> call(Call call) {
    if (isView(call)) {
      return of(call.args().getFirst());
    }
    if (keepsNothing(call)) {
      forEachUse(call, token -> token.uses++);
    } else {
      call.args().forEach(this::escape);
    }
    return List.of();
  }

  /** The memory of a tensor that has no storage yet, of known extents; empty for all else. */
  static Optional<StorageToken> allocation(Expr value, Object block, UpperBounds bounds) {
    if (!(value instanceof Call call)
        || !call.callee().equals(MemoryOps.BUILTIN_ALLOC_TENSOR)
        || !(call.args().get(0) instanceof ShapeExpr(var dims))
        || !(call.args().get(1) instanceof DataTypeImm(var dtype))
        || !(call.args().get(2) instanceof PrimValue(IntImm device))
        || !(call.args().get(3) instanceof StringImm(var scope))) {
      return Optional.empty();
    }
    StorageToken.Pool pool = new StorageToken.Pool(device.value(), scope, dtype);
    PrimExpr byteSize = bounds.byteSize(dims, dtype.bits() * dtype.lanes());
    return Optional.of(new StorageToken(pool, block, byteSize));
  }

  /** Whether a call gives the memory of its first argument under another shape. */
  static boolean isView(Call call) {
    return call.isOf("reshape")
        || call.callee().equals(MemoryOps.VIEW)
        || call.callee().equals(MemoryOps.ENSURE_ZERO_OFFSET)
        || (call.callee() instanceof ExternFunc extern
            && extern.symbol().equals("vm.builtin.reshape"));
  }

  /** Whether a call has forgotten its arguments when it ends: that of a kernel or the like. */
  private boolean keepsNothing(Call call) {
    if (call.callee().equals(CallOps.CALL_TIR_DYN)) {
      return true;
    }
    if (call.callee() instanceof GlobalVar name
        && module.find(name).orElse(null) instanceof KernelFunction) {
      return true;
    }
    // One that gives a value might give an argument.
    return call.callee() instanceof ExternFunc && TupleType.isVoid(call.type());
  }

  /** Says which block the calls are in that are asked about. */
  void enter(Object newBlock) {
    block = newBlock;
  }

  /** Does something for each use of memory by a call; memory of another block escapes. */
  void forEachUse(Call call, Consumer<StorageToken> action) {
    List<StorageToken> used = new ArrayList<>();
    call.args().forEach(arg -> used.addAll(of(arg)));
    for (StorageToken token : used) {
      if (!token.block.equals(block)) {
        token.escapes = true;
      } else {
        action.accept(token);
      }
    }
  }

  private void escape(Expr expr) {
    of(expr).forEach(token -> token.escapes = true);
  }
}
