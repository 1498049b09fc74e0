package org.relaxvm.compiler.rewrite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.TupleType;

/**
 * The loops of a function in normal form: its calls of itself whose result it returns. Between such
 * a call and the return, the uses of variables may end and the result may get other names.
 * Immutable.
 *
 * <p>A call with the function's own parameters as arguments changes nothing that the next iteration
 * sees, and is not one of them.
 */
public final class SelfTailCalls {
  private final GlobalVar name;
  private final List<RelaxVar> params;
  private final Map<Binding, List<RelaxVar>> calls = new IdentityHashMap<>();
  private final Set<SeqExpr> ends = Collections.newSetFromMap(new IdentityHashMap<>());

  private SelfTailCalls(GlobalVar name, RelaxFunction function) {
    this.name = name;
    this.params = function.params();
    visit(function.body(), List.of());
  }

  /** Those of a function of a module. */
  public static SelfTailCalls of(GlobalVar name, RelaxFunction function) {
    return new SelfTailCalls(name, function);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return calls.isEmpty();
  }

  /** Whether a binding is such a call. */
  public boolean contains(Binding binding) {
    return calls.containsKey(binding);
  }

  /** The variables whose use ends between such a call and the return. */
  public List<RelaxVar> endedAfter(Binding call) {
    return Objects.requireNonNull(calls.get(call));
  }

  /** Whether a sequence gives the function's result, and not by a choice at its own end. */
  public boolean givesResult(SeqExpr seq) {
    return ends.contains(seq);
  }

  /**
   * Looks at a sequence whose result the function returns.
   *
   * @param endedLater the variables whose use ends after the sequence
   */
  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  private void visit(SeqExpr seq, List<RelaxVar> endedLater) {
    List<RelaxVar> ended = new ArrayList<>(endedLater);
    Expr result = seq.body();
    for (Binding binding : seq.bindings().toList().reversed()) {
      if (!(binding instanceof VarBinding(RelaxVar var, Expr value))) {
        break;
      }
      if (value instanceof Call call && call.isOf("vm.kill_object")) {
        if (call.args().getFirst() instanceof RelaxVar killed) {
          ended.addFirst(killed);
        }
      } else if (var == result && value instanceof RelaxVar) {
        ended.removeIf(each -> each == var);
        result = value;
      } else if (var == result && value instanceof If choice) {
        ended.removeIf(each -> each == var);
        visit(choice.whenTrue(), ended);
        visit(choice.whenFalse(), ended);
        return;
      } else {
        if (var == result && value instanceof Call call && isOfItself(call)) {
          ended.removeIf(each -> each == var);
          calls.put(binding, List.copyOf(ended));
        }
        break;
      }
    }
    ends.add(seq);
  }

  private boolean isOfItself(Call call) {
    return call.callee().equals(name)
        && call.args().size() == params.size()
        && !call.args().equals(params)
        && !TupleType.isVoid(call.type());
  }
}
