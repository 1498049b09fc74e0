package org.relaxvm.compiler.builder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.typing.CallDerivation;
import org.relaxvm.compiler.typing.CommonType;

/** Puts expressions into normal form, and derives their types. Source: Relax IR, section 7. */
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
      case RelaxFunction function -> function(function);
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
    Call typed = normal.knownType().isPresent() ? normal : normal.withType(infer(normal));
    if (callee instanceof OpDef op) {
      Expr form = op.normalize(typed, builder);
      return form.equals(typed) ? typed : normalize(form);
    }
    return typed;
  }

  private Type infer(Call call) {
    if (call.callee() instanceof OpDef op) {
      return op.infer(call, builder);
    }
    List<Type> args = call.args().stream().map(arg -> typeOf(arg)).toList();
    return CallDerivation.of(
        call.callee().toString(),
        calleeType(call.callee()),
        args,
        call.typeArgs(),
        builder.analyzer());
  }

  /** The type of an argument; functions and operators as arguments are functions. */
  private Type typeOf(Expr arg) {
    return switch (arg) {
      case GlobalVar global ->
          builder.find(global).<Type>map(ModuleFunction::functionType).orElse(AnyType.ANY);
      case Op op -> AnyType.ANY;
      default -> arg.type();
    };
  }

  private FuncType calleeType(Expr callee) {
    if (callee instanceof GlobalVar global) {
      return builder
          .find(global)
          .map(ModuleFunction::functionType)
          .orElseThrow(
              () ->
                  new InvalidProgramException(
                      ErrorKind.VALUE,
                      "the module has no function "
                          + global.name()
                          + " (so far); add it before it is called"));
    }
    if (callee.knownType().orElse(AnyType.ANY) instanceof FuncType type) {
      return type;
    }
    if (callee.knownType().orElse(null) instanceof AnyType) {
      return FuncType.packed();
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE,
        "only a function can be called, but "
            + callee
            + " is "
            + callee.knownType().map(Type::toString).orElse("none"));
  }

  private Expr choice(If choice) {
    Expr condition = argument(choice.condition());
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
          case VarBinding(RelaxVar var, Expr value) ->
              new VarBinding(var, builder.normalize(value));
          case MatchCast(RelaxVar var, Expr value, Type target) ->
              new MatchCast(var, builder.argument(value), target);
        });
  }

  /** The bindings of a sequence go into the current block, its result takes its place. */
  private Expr spliced(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      if (builder.isDataflow() && !block.isDataflow()) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "bindings with effects or choices cannot be part of a dataflow block: " + seq);
      }
      for (Binding binding : block.bindings()) {
        if (!builder.isDataflow() && binding.var() instanceof DataflowVar var) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "the dataflow variable " + var.name() + " cannot leave its dataflow block");
        }
        binding(binding);
      }
    }
    return normalize(seq.body());
  }

  private Expr function(RelaxFunction function) {
    if (function.body().knownType().isPresent()) {
      return function;
    }
    builder.beginFunction("(local)", function.params());
    blocks(function.body());
    return builder.endFunction(
        function.params(),
        function.body().body(),
        Optional.of(function.resultType()),
        function.isPure(),
        function.attrs());
  }
}
