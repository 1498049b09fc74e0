package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.LiveVars;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;

/**
 * Says where variables are used for the last time, so that their memory can be used again.
 *
 * <p>Each body and each branch is looked at on its own, for the variables that it binds itself; a
 * use inside of a branch counts at the choice that has the branch. After a binding tensors come
 * first, then storage, then other objects, each in the order of definition. Parameters, results and
 * what nothing uses are left alone, and so is what may have no register: constants, functions,
 * shapes and numbers.
 *
 * <p>Storage ends after its last tensor is made: tensors keep the memory. Source:
 * docs/spec/passes.md, section 10.3.
 */
public final class KillAfterLastUse implements Pass {
  @Override
  public String name() {
    return "KillAfterLastUse";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Rewriter(TrivialBindings.removeFrom(module)).run();
  }

  private static final class Rewriter extends ExprMutator {
    private final Map<Binding, List<End>> ends = new IdentityHashMap<>();

    /** The end of a variable's use. */
    private record End(OpDef op, RelaxVar var) {}

    Rewriter(IRModule module) {
      super(module);
    }

    @Override
    protected Expr rewriteSequence(SeqExpr seq) {
      SequencedMap<RelaxVar, Binding> lastUses = new LinkedHashMap<>();
      Map<RelaxVar, OpDef> kinds = new IdentityHashMap<>();
      Set<RelaxVar> ended = Collections.newSetFromMap(new IdentityHashMap<>());
      for (Binding binding : seq.bindings().toList()) {
        Optional<RelaxVar> over = endedBy(binding.value());
        over.ifPresent(ended::add);
        for (RelaxVar used : LiveVars.usedIn(binding)) {
          lastUses.computeIfPresent(used, (var, earlier) -> binding);
        }
        kind(binding)
            .ifPresent(
                op -> {
                  kinds.put(binding.var(), op);
                  // Itself: not used so far.
                  lastUses.put(binding.var(), binding);
                });
      }
      ended.addAll(LiveVars.usedIn(seq.body()));
      for (OpDef op :
          List.of(MemoryOps.KILL_TENSOR, MemoryOps.KILL_STORAGE, MemoryOps.KILL_OBJECT)) {
        lastUses.forEach(
            (var, binding) -> {
              boolean isUsed = !binding.var().equals(var);
              if (isUsed && op.equals(kinds.get(var)) && !ended.contains(var)) {
                ends.computeIfAbsent(binding, unused -> new ArrayList<>()).add(new End(op, var));
              }
            });
      }
      return super.rewriteSequence(seq);
    }

    @Override
    protected void rewrite(Binding binding) {
      super.rewrite(binding);
      for (End end : ends.getOrDefault(binding, List.of())) {
        builder.emit(Call.of(end.op(), current(end.var())), "_");
      }
    }

    private static Optional<RelaxVar> endedBy(Expr value) {
      boolean ends =
          value instanceof Call call
              && (call.callee().equals(MemoryOps.KILL_TENSOR)
                  || call.callee().equals(MemoryOps.KILL_STORAGE)
                  || call.callee().equals(MemoryOps.KILL_OBJECT));
      return ends && ((Call) value).args().getFirst() instanceof RelaxVar var
          ? Optional.of(var)
          : Optional.empty();
    }

    /** How the use of a variable ends; empty where it has none, or may have no register. */
    private static Optional<OpDef> kind(Binding binding) {
      Expr value = binding.value();
      boolean hasRegister =
          !(value instanceof RelaxFunction)
              && (!value.isLeaf() || value instanceof RelaxVar || value instanceof Tuple)
              && !(value instanceof Call call && call.callee().equals(ValueOps.NULL_VALUE));
      if (!hasRegister) {
        return Optional.empty();
      }
      if (value instanceof Call call && call.callee().equals(MemoryOps.ALLOC_STORAGE)) {
        return Optional.of(MemoryOps.KILL_STORAGE);
      }
      return switch (binding.var().type()) {
        case TensorType tensor -> Optional.of(MemoryOps.KILL_TENSOR);
        case FuncType function -> Optional.empty();
        case ShapeType shape -> Optional.empty();
        case PrimType number -> Optional.empty();
        case TupleType type when TupleType.isVoid(type) -> Optional.empty();
        default -> Optional.of(MemoryOps.KILL_OBJECT);
      };
    }
  }
}
