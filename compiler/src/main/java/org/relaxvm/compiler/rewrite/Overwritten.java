package org.relaxvm.compiler.rewrite;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;

/** Variables whose values calls in place write over. Source: docs/spec/relax-ir.md, section 6.2. */
public final class Overwritten {
  private Overwritten() {}

  /** The variables whose values a call writes over, of a kernel or of a packed function. */
  public static List<RelaxVar> by(Expr value) {
    if (!(value instanceof Call call)) {
      return List.of();
    }
    boolean isPacked = call.isOf("call_inplace_packed");
    if (!isPacked && !call.isOf("call_tir_inplace")) {
      return List.of();
    }
    List<Expr> args = isPacked ? call.args().subList(1, call.args().size()) : kernelArgs(call);
    return call.attrs().integers("inplace_indices").orElse(List.of()).stream()
        .filter(index -> index >= 0)
        .map(index -> args.get(index.intValue()))
        .filter(RelaxVar.class::isInstance)
        .map(RelaxVar.class::cast)
        .toList();
  }

  private static List<Expr> kernelArgs(Call call) {
    return call.args().get(1) instanceof Tuple(var fields) ? fields : List.of(call.args().get(1));
  }

  /**
   * All such variables of a function, also of its local functions, and those that are other names
   * for the same memory: copies, tuples with it, and what branches give.
   */
  public static Set<RelaxVar> in(RelaxFunction function) {
    Map<RelaxVar, Expr> values = new HashMap<>();
    ArrayDeque<RelaxVar> work = new ArrayDeque<>();
    new ExprVisitor() {
      @Override
      public void visit(Binding binding) {
        values.put(binding.var(), binding.value());
        work.addAll(by(binding.value()));
        super.visit(binding);
      }
    }.visit(function);
    Set<RelaxVar> found = new LinkedHashSet<>();
    while (!work.isEmpty()) {
      RelaxVar var = work.pop();
      if (found.add(var) && values.get(var) instanceof Expr value) {
        names(value).forEach(work::add);
      }
    }
    return found;
  }

  private static Stream<RelaxVar> names(Expr value) {
    return switch (value) {
      case RelaxVar var -> Stream.of(var);
      case Tuple(List<Expr> fields) -> fields.stream().flatMap(Overwritten::names);
      case TupleGetItem(Expr tuple, int index) -> names(tuple);
      case If choice -> Stream.concat(names(choice.whenTrue()), names(choice.whenFalse()));
      case SeqExpr seq -> names(seq.body());
      default -> Stream.empty();
    };
  }
}
