package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * A group of bindings as a function. What comes from outside is a parameter, constants too. The
 * last binding is the only result, since all paths from the others lead to it. Source:
 * docs/spec/passes.md, section 5.4.
 */
final class GroupFunction {
  private static final String PREFIX = "fused_";

  private final Map<Expr, Expr> inside = new IdentityHashMap<>();
  private final List<RelaxVar> params = new ArrayList<>();
  private final List<Expr> args = new ArrayList<>();
  private final List<Binding> bindings = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final SequencedSet<Var> symbols = new LinkedHashSet<>();

  /** Makes the function of bindings in order, of which each is a call or a part of a tuple. */
  GroupFunction(List<Binding> group) {
    for (Binding binding : group.subList(0, group.size() - 1)) {
      add(binding);
    }
    Binding last = group.getLast();
    RelaxVar result = new RelaxVar(last.var().name(), last.var().type());
    bindings.add(new VarBinding(result, value(last)));
    addSizes();
  }

  /** A name that says what is in it. */
  String name() {
    return PREFIX + String.join("_", names);
  }

  /** What a call passes. */
  List<Expr> args() {
    return args;
  }

  /** The function, marked as one that becomes a kernel. */
  RelaxFunction function() {
    RelaxVar result = bindings.getLast().var();
    SeqExpr body =
        new SeqExpr(List.of(new BindingBlock(bindings, true)), result, Optional.of(result.type()));
    return new RelaxFunction(
        params, body, result.type(), true, Attrs.of(RelaxFunction.PRIMITIVE, 1));
  }

  private void add(Binding binding) {
    inside.put(binding.var(), binding.var());
    bindings.add(new VarBinding(binding.var(), value(binding)));
  }

  private Expr value(Binding binding) {
    if (binding.value() instanceof Call call
        && call.args().getFirst() instanceof GlobalVar callee) {
      String name = callee.name();
      names.add(name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name);
    }
    symbols.addAll(Symbols.usedBy(binding.var().type()));
    return inner(binding.value());
  }

  private Expr inner(Expr expr) {
    return switch (expr) {
      case Call call ->
          new Call(
              call.callee(),
              call.args().stream().map(this::inner).toList(),
              call.attrs(),
              call.typeArgs(),
              call.knownType());
      case Tuple(var fields) -> new Tuple(fields.stream().map(this::inner).toList());
      case TupleGetItem(Expr tuple, int index) -> new TupleGetItem(inner(tuple), index);
      case RelaxVar var -> inside.containsKey(var) ? inside.get(var) : param(var, var.name());
      case Constant constant ->
          inside.containsKey(constant)
              ? inside.get(constant)
              : param(constant, "param_" + constants());
      case ShapeExpr(var values) -> {
        values.forEach(value -> symbols.addAll(Symbols.usedBy(value)));
        yield expr;
      }
      case PrimValue(PrimExpr value) -> {
        symbols.addAll(Symbols.usedBy(value));
        yield expr;
      }
      default -> expr;
    };
  }

  private Expr param(Expr arg, String name) {
    RelaxVar param = new RelaxVar(name, arg.type());
    symbols.addAll(Symbols.usedBy(arg.type()));
    params.add(param);
    args.add(arg);
    inside.put(arg, param);
    return param;
  }

  private long constants() {
    return args.stream().filter(Constant.class::isInstance).count();
  }

  /** Sizes that no parameter says are passed as a shape. */
  private void addSizes() {
    symbols.removeAll(Symbols.definedBy(params.stream().map(RelaxVar::type).toList()));
    if (!symbols.isEmpty()) {
      ShapeExpr sizes = new ShapeExpr(List.copyOf(symbols));
      params.add(new RelaxVar("tir_vars", ShapeType.of(List.copyOf(symbols))));
      args.add(sizes);
    }
  }
}
