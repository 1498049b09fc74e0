package org.relaxvm.compiler.builder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.TypeInference;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.CommonType;

/**
 * Puts expressions into normal form, and derives their types. Source: docs/spec/relax-ir.md,
 * section 7.
 */
final class Normalizer {
  private final BlockBuilder builder;

  Normalizer(BlockBuilder builder) {
    this.builder = builder;
  }

  /** The normal form of what a variable is bound to. */
  Expr normalize(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> TupleType.isVoid(var.type()) ? Tuple.EMPTY : var;
      case Tuple tuple -> {
        List<Expr> fields = arguments(tuple.fields());
        yield fields.equals(tuple.fields()) ? tuple : new Tuple(fields);
      }
      case TupleGetItem(Expr tuple, int index) -> {
        Expr leaf = argument(tuple);
        yield leaf.equals(tuple) ? expr : new TupleGetItem(leaf, index);
      }
      case Call call -> call(call);
      case If choice -> choice(choice);
      case SeqExpr seq -> spliced(seq);
      case RelaxFunction function -> function("(local)", function);
      default -> expr;
    };
  }

  /** A leaf of the same value. */
  Expr argument(Expr expr) {
    RelaxVar known = expr.isLeaf() ? null : builder.emittedPart(expr);
    if (known != null) {
      return known;
    }
    Expr normal = normalize(expr);
    return normal.isLeaf() ? normal : builder.emitPart(expr, normal);
  }

  private List<Expr> arguments(List<Expr> exprs) {
    List<Expr> leaves = new ArrayList<>();
    for (Expr expr : exprs) {
      leaves.add(argument(expr));
    }
    return leaves;
  }

  private Expr call(Call call) {
    Expr callee = argument(call.callee());
    List<Expr> args = arguments(call.args());
    boolean same = callee.equals(call.callee()) && args.equals(call.args());
    Call normal = same ? call : Call.of(callee, args, call.attrs(), call.typeArgs());
    Call typed =
        normal.knownType().isPresent()
            ? normal
            : normal.withType(TypeInference.derive(normal, builder));
    if (callee instanceof OpDef op) {
      Expr form = op.normalize(typed, builder);
      return form.equals(typed) ? typed : normalize(form);
    }
    return typed;
  }

  private Expr choice(If choice) {
    Expr condition = argument(choice.condition());
    TypeInference.requireCondition(condition);
    SeqExpr whenTrue = branch(choice.whenTrue());
    SeqExpr whenFalse = branch(choice.whenFalse());
    Type common = CommonType.of(whenTrue.type(), whenFalse.type(), builder.analyzer());
    return new If(condition, whenTrue, whenFalse, Optional.of(common));
  }

  private SeqExpr branch(SeqExpr seq) {
    if (seq.knownType().isPresent()) {
      return seq;
    }
    builder.beginSequence();
    blocks(seq);
    return builder.endSequence(seq.body());
  }

  /** The blocks of a sequence, in a sequence of the builder that was begun. */
  private void blocks(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      builder.beginBlock(block.isDataflow());
      block.bindings().forEach(this::binding);
      builder.endBlock();
    }
  }

  private void binding(Binding binding) {
    builder.emitNormalized(
        switch (binding) {
          case VarBinding(RelaxVar var, RelaxFunction function) ->
              new VarBinding(var, function(var.name(), function));
          case VarBinding(RelaxVar var, Expr value) ->
              new VarBinding(var, builder.normalize(value));
          case MatchCast(RelaxVar var, Expr value, Type target) ->
              new MatchCast(var, builder.castable(value, target), target);
        });
  }

  /** The bindings of a sequence go in front of the current one, its result takes its place. */
  private Expr spliced(SeqExpr seq) {
    blocks(seq);
    return normalize(seq.body());
  }

  private Expr function(String name, RelaxFunction function) {
    if (function.body().knownType().isPresent()) {
      return function;
    }
    builder.beginFunction(name, function.params());
    blocks(function.body());
    return builder.endFunction(
        function.params(),
        function.body().body(),
        Optional.of(function.resultType()),
        function.isPure(),
        function.attrs());
  }
}
