package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.objects.kernel.ScalarWriter;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.Type;

/** Writes expressions and functions over tensors. Not thread-safe. */
final class ExpressionWriter {
  private final NodeMaker maker;
  private final ScalarWriter scalars;
  private final TypeWriter types;
  private final AttributeWriter attributes;
  private final Map<GlobalVar, ObjectNode> globals;
  private final Map<ShapeVar, ObjectNode> variables;
  private final Map<Constant, ObjectNode> constants = new IdentityHashMap<>();

  /**
   * A writer.
   *
   * @param globals the functions of the module
   * @param variables those that {@code types} sees
   */
  ExpressionWriter(
      NodeMaker maker,
      ScalarWriter scalars,
      TypeWriter types,
      AttributeWriter attributes,
      Map<GlobalVar, ObjectNode> globals,
      Map<ShapeVar, ObjectNode> variables) {
    this.maker = maker;
    this.scalars = scalars;
    this.types = types;
    this.attributes = attributes;
    this.globals = globals;
    this.variables = variables;
  }

  /** An expression of a type; the field {@code ty} is left out where it is not known. */
  private ObjectNode make(String key, Optional<Type> type, @Nullable Object... fields) {
    List<@Nullable Object> all = new ArrayList<>();
    type.ifPresent(
        known -> {
          all.add("ty");
          all.add(types.write(known));
        });
    all.addAll(Arrays.asList(fields));
    return maker.make(key, all.toArray());
  }

  /** A function over tensors as an object. */
  ObjectNode function(RelaxFunction function) {
    // Shapes that are parameters are in types of others.
    List<ObjectNode> params = function.params().stream().map(this::variable).toList();
    return make(
        "relax.expr.Function",
        function.knownType(),
        "attrs",
        attributes.dictionary(function.attrs()),
        "params",
        params,
        "body",
        sequence(function.body()),
        "ret_ty",
        types.write(function.resultType()),
        "is_pure",
        function.isPure());
  }

  /** A packed function as an object. */
  ObjectNode extern(ExternFunc function) {
    return make(
        "relax.expr.ExternFunc",
        function.knownType(),
        "attrs",
        attributes.dictionary(Attrs.NONE),
        "global_symbol",
        function.symbol());
  }

  private ObjectNode variable(RelaxVar variable) {
    ObjectNode known = variables.get(variable);
    if (known == null) {
      String key = variable instanceof DataflowVar ? "relax.expr.DataflowVar" : "ir.Var";
      known = make(key, variable.knownType(), "name", variable.name());
      variables.put(variable, known);
    }
    return known;
  }

  private ObjectNode sequence(SeqExpr sequence) {
    return make(
        "relax.expr.SeqExpr",
        sequence.knownType(),
        "blocks",
        sequence.blocks().stream().map(this::block).toList(),
        "body",
        write(sequence.body()));
  }

  private ObjectNode block(BindingBlock block) {
    return maker.make(
        block.isDataflow() ? "relax.expr.DataflowBlock" : "relax.expr.BindingBlock",
        "bindings",
        block.bindings().stream().map(this::binding).toList());
  }

  private ObjectNode binding(Binding binding) {
    return switch (binding) {
      case VarBinding(RelaxVar var, RelaxFunction function) -> {
        // The function sees its own variable.
        ObjectNode variable = variable(var);
        yield binding("relax.expr.VarBinding", variable, function(function));
      }
      case VarBinding(RelaxVar var, Expr value) -> {
        ObjectNode bound = write(value);
        yield binding("relax.expr.VarBinding", variable(var), bound);
      }
      case MatchCast(RelaxVar var, Expr value, Type target) -> {
        ObjectNode matched = write(value);
        ObjectNode type = types.write(target);
        yield maker.make(
            "relax.expr.MatchCast",
            "span",
            null,
            "var",
            variable(var),
            "value",
            matched,
            "ty",
            type);
      }
    };
  }

  private ObjectNode binding(String key, ObjectNode variable, ObjectNode value) {
    return maker.make(key, "span", null, "var", variable, "value", value);
  }

  /** An expression as an object. */
  ObjectNode write(Expr expr) {
    return switch (expr) {
      case RelaxVar variable -> variable(variable);
      case GlobalVar global -> global(global);
      case Op op -> maker.operator("relax." + op.name());
      case Constant constant -> constant(constant);
      case ShapeExpr(var values) -> types.shape(values);
      case StringImm(String value) ->
          make("relax.expr.StringImm", expr.knownType(), "value", value);
      case DataTypeImm(var value) ->
          make("relax.expr.DataTypeImm", expr.knownType(), "value", value);
      case PrimValue(var value) -> scalars.write(value);
      case Tuple(var fields) -> make("relax.expr.Tuple", expr.knownType(), "fields", all(fields));
      case TupleGetItem(Expr tuple, int index) ->
          make(
              "relax.expr.TupleGetItem",
              expr.knownType(),
              "tuple_value",
              write(tuple),
              "index",
              (long) index);
      case Call call -> call(call);
      case SeqExpr sequence -> sequence(sequence);
      case If choice -> choice(choice);
      case RelaxFunction function -> function(function);
      case ExternFunc function -> extern(function);
    };
  }

  private List<ObjectNode> all(List<Expr> exprs) {
    return exprs.stream().map(this::write).toList();
  }

  private ObjectNode global(GlobalVar global) {
    ObjectNode node = globals.get(global);
    if (node == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the module has no function " + global.name() + ", which is called");
    }
    return node;
  }

  private ObjectNode constant(Constant constant) {
    ObjectNode known = constants.get(constant);
    if (known == null) {
      known = make("relax.expr.Constant", constant.knownType(), "data", constant.data());
      constants.put(constant, known);
    }
    return known;
  }

  private ObjectNode call(Call call) {
    ObjectNode attrs = null;
    if (call.callee() instanceof OpDef op) {
      attrs = attributes.write(op, call);
    } else if (!call.attrs().equals(Attrs.NONE)) {
      attrs = attributes.dictionary(call.attrs());
    }
    return make(
        "ir.Call",
        call.knownType(),
        "op",
        write(call.callee()),
        "args",
        all(call.args()),
        "attrs",
        attrs,
        "ty_args",
        types.all(call.typeArgs()));
  }

  private ObjectNode choice(If choice) {
    return make(
        "relax.expr.If",
        choice.knownType(),
        "cond",
        write(choice.condition()),
        "true_branch",
        sequence(choice.whenTrue()),
        "false_branch",
        sequence(choice.whenFalse()));
  }
}
