package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.objects.node.Cursor;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.PrimExpr;

/** Reads expressions and functions over tensors. Not thread-safe. */
final class ExpressionReader {
  private static final String RELAX = "relax.";

  /** What an expression that cannot be held is read as. */
  private static final Expr PLACEHOLDER = new RelaxVar("unknown", AnyType.ANY);

  private final OpRegistry operators;
  private final Map<ObjectNode, GlobalVar> globals;
  private final Scalars scalars;
  private final Map<ObjectNode, RelaxVar> variables = new IdentityHashMap<>();
  private final Map<ObjectNode, Constant> constants = new IdentityHashMap<>();
  private final Map<String, GlobalVar> globalsByName = new HashMap<>();
  private final TypeReader types;
  private final AttributeReader attributes;

  /**
   * A reader.
   *
   * @param globals the functions of the module
   * @param devices the virtual devices of the module
   */
  ExpressionReader(
      OpRegistry operators,
      Map<ObjectNode, GlobalVar> globals,
      List<VDevice> devices,
      Scalars scalars) {
    this.operators = operators;
    this.globals = globals;
    this.scalars = scalars;
    globals.values().forEach(global -> globalsByName.put(global.name(), global));
    types = new TypeReader(scalars, variables);
    attributes = new AttributeReader(scalars, devices);
  }

  /** A function over tensors. */
  RelaxFunction function(Cursor at) {
    List<RelaxVar> params = new ArrayList<>();
    List<Cursor> paramCursors = at.get("params").items();
    paramCursors.forEach(param -> params.add(define(param)));
    SeqExpr body = sequence(at.get("body"));
    Type result = types.read(at.get("ret_ty"));
    Attrs attrs = AttributeReader.dictionary(at.get("attrs"));
    paramCursors.forEach(this::requireNoSymbol);
    return new RelaxFunction(params, body, result, at.get("is_pure").bool(), attrs);
  }

  /** A scalar is a variable of the program or a symbol, not both. */
  private void requireNoSymbol(Cursor at) {
    if (at.node().map(scalars::uses).orElse(false)) {
      at.problem(
          "the variable "
              + at.get("name").text()
              + " is a scalar value and in extents or scalar expressions, which cannot be held");
    }
  }

  /** A packed function. */
  ExternFunc extern(Cursor at) {
    FuncType type =
        at.get("ty").key().equals("ir.Type") ? FuncType.packed() : types.function(at.get("ty"));
    if (!AttributeReader.dictionary(at.get("attrs")).equals(Attrs.NONE)) {
      at.get("attrs").problem("attributes of a packed function cannot be held");
    }
    return new ExternFunc(at.get("global_symbol").text(), type);
  }

  private RelaxVar define(Cursor at) {
    if (!at.require("ir.Var")) {
      return new RelaxVar("unknown", AnyType.ANY);
    }
    ObjectNode node = at.node().orElseThrow();
    RelaxVar known = variables.get(node);
    if (known == null) {
      String name = at.get("name").text();
      Type type = types.read(at.get("ty"));
      known =
          at.isA("relax.expr.DataflowVar") ? new DataflowVar(name, type) : new RelaxVar(name, type);
      variables.put(node, known);
    }
    return known;
  }

  private SeqExpr sequence(Cursor at) {
    if (!at.require("relax.expr.SeqExpr")) {
      return SeqExpr.of(List.of(), PLACEHOLDER);
    }
    List<BindingBlock> blocks = new ArrayList<>();
    for (Cursor block : at.get("blocks").items()) {
      if (block.require("relax.expr.BindingBlock")) {
        List<Binding> bindings = new ArrayList<>();
        block.get("bindings").items().forEach(each -> binding(each).ifPresent(bindings::add));
        blocks.add(new BindingBlock(bindings, block.isA("relax.expr.DataflowBlock")));
      }
    }
    return new SeqExpr(blocks, read(at.get("body")), types.known(at.get("ty")));
  }

  private Optional<Binding> binding(Cursor at) {
    if (!at.require("relax.expr.Binding")) {
      return Optional.empty();
    }
    Cursor value = at.get("value");
    if (at.isA("relax.expr.MatchCast")) {
      Expr matched = read(value);
      Type target = types.read(at.get("ty"));
      return Optional.of(new MatchCast(define(at.get("var")), matched, target));
    }
    // A function sees its own variable.
    RelaxVar variable = define(at.get("var"));
    Binding binding = new VarBinding(variable, read(value));
    requireNoSymbol(at.get("var"));
    return Optional.of(binding);
  }

  /** An expression. */
  Expr read(Cursor at) {
    if (Scalars.isScalar(at)) {
      return new PrimValue(scalars.read(at));
    }
    return switch (at.key()) {
      case "ir.Var", "relax.expr.DataflowVar" -> variable(at);
      case "ir.GlobalVar" -> global(at);
      case "ir.Op" -> operator(at).map(Expr.class::cast).orElse(PLACEHOLDER);
      case "ir.Call" -> call(at);
      case "relax.expr.Constant" -> constant(at);
      case "relax.expr.ShapeExpr" -> shape(at);
      case "relax.expr.StringImm" -> new StringImm(at.get("value").text());
      case "relax.expr.DataTypeImm" -> new DataTypeImm(at.get("value").dtype());
      case "relax.expr.Tuple" -> new Tuple(all(at.get("fields")));
      case "relax.expr.TupleGetItem" -> item(at);
      case "relax.expr.If" -> choice(at);
      case "relax.expr.SeqExpr" -> sequence(at);
      case "relax.expr.Function" -> function(at);
      case "relax.expr.ExternFunc" -> extern(at);
      default -> {
        if (at.require("ir.Expr")) {
          at.problem("the expression " + at.key() + " cannot be held");
        }
        yield PLACEHOLDER;
      }
    };
  }

  private List<Expr> all(Cursor at) {
    List<Expr> values = new ArrayList<>();
    at.items().forEach(item -> values.add(read(item)));
    return values;
  }

  /** A variable of the program; a scalar that no binding defines is a symbol. */
  private Expr variable(Cursor at) {
    ObjectNode node = at.node().orElseThrow();
    RelaxVar known = variables.get(node);
    if (known != null) {
      return known;
    }
    if (at.get("ty").key().equals("ir.PrimType")) {
      return new PrimValue(scalars.read(at));
    }
    at.problem("the variable " + at.get("name").text() + " is not defined before");
    return PLACEHOLDER;
  }

  private Expr global(Cursor at) {
    String name = at.get("name_hint").text();
    GlobalVar global =
        at.node()
            .map(globals::get)
            .or(() -> Optional.ofNullable(globalsByName.get(name)))
            .orElse(null);
    if (global == null) {
      at.problem("the module has no function " + name);
      return PLACEHOLDER;
    }
    return global;
  }

  private Optional<OpDef> operator(Cursor at) {
    String name = at.get("name").text();
    Optional<OpDef> operator =
        name.startsWith(RELAX) ? operators.find(name.substring(RELAX.length())) : Optional.empty();
    if (operator.isEmpty()) {
      at.problem("the operator " + name + " is not known");
    }
    return operator;
  }

  private Expr call(Cursor at) {
    Cursor callee = at.get("op");
    Expr function = read(callee);
    List<Expr> args = all(at.get("args"));
    Attrs attrs = attrs(function, at.get("attrs"));
    List<Type> typeArgs = types.all(at.get("ty_args"));
    return new Call(function, args, attrs, typeArgs, types.known(at.get("ty")));
  }

  private Attrs attrs(Expr function, Cursor at) {
    if (function instanceof OpDef op) {
      return attributes.read(op, at);
    }
    return at.isNull() || function.equals(PLACEHOLDER)
        ? Attrs.NONE
        : AttributeReader.dictionary(at);
  }

  private Expr constant(Cursor at) {
    ObjectNode node = at.node().orElseThrow();
    Constant known = constants.get(node);
    if (known != null) {
      return known;
    }
    Type type = types.read(at.get("ty"));
    Optional<Constant> constant =
        at.get("data")
            .tensor()
            .map(
                data ->
                    new Constant(
                        data,
                        type instanceof TensorType tensor ? tensor.vdevice() : Optional.empty()));
    constant.ifPresent(made -> constants.put(node, made));
    return constant.map(Expr.class::cast).orElse(PLACEHOLDER);
  }

  private Expr shape(Cursor at) {
    List<PrimExpr> values = types.scalars(at.get("values"));
    return at.held(() -> new ShapeExpr(values), PLACEHOLDER);
  }

  private Expr item(Cursor at) {
    Expr tuple = read(at.get("tuple_value"));
    int index = at.get("index").smallInteger();
    return at.held(() -> new TupleGetItem(tuple, index), PLACEHOLDER);
  }

  private Expr choice(Cursor at) {
    Expr condition = read(at.get("cond"));
    SeqExpr whenTrue = sequence(at.get("true_branch"));
    SeqExpr whenFalse = sequence(at.get("false_branch"));
    return new If(condition, whenTrue, whenFalse, types.known(at.get("ty")));
  }
}
