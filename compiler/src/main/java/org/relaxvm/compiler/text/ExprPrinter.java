package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.TypeText;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.Names;
import org.relaxvm.tir.text.Quoting;

/** Expressions and types of one function as text, with a name of its own for each variable. */
final class ExprPrinter {
  /** Operators whose type argument says what they write. */
  private static final Set<String> SAY_OUTPUT =
      Set.of(
          "call_tir", "call_tir_with_grad", "call_tir_inplace", "call_dps_packed", "call_py_func");

  private final ConstantText constants;
  private final Map<GlobalVar, String> globals;
  private final Names names = new Names();
  private final TypeText types = new TypeText(this::symbol, this::shapeVar);
  private List<Var> declared = new ArrayList<>();
  private int depth;

  ExprPrinter(ConstantText constants, Map<GlobalVar, String> globals) {
    this.constants = constants;
    this.globals = globals;
    // The name of what has no value is never another's.
    names.define(new Object(), "_");
  }

  // ---------------------------------------------------------------- names

  /** Gives a variable a name. */
  void define(RelaxVar var) {
    if (!names.has(var)) {
      names.define(var, var.name());
    }
  }

  /** The name of a variable; of what has no value, the tuple of nothing. */
  String name(RelaxVar var) {
    if (!names.has(var) && TupleType.isVoid(var.type())) {
      return "R.tuple()";
    }
    define(var);
    return names.of(var);
  }

  private String shapeVar(ShapeVar var) {
    if (!names.has(var)) {
      names.define(var, var.name());
    }
    return names.of(var);
  }

  /** Gives a symbol a name that needs no declaration. */
  void knowSymbol(Var symbol) {
    if (!names.has(symbol)) {
      names.define(symbol, symbol.name());
    }
  }

  /** The name of a symbol; one that has none is declared. */
  String symbol(Var symbol) {
    if (!names.has(symbol)) {
      names.define(symbol, symbol.name());
      declared.add(symbol);
    }
    return names.of(symbol);
  }

  /** Begins to collect declarations for a function; gives those of the function around it. */
  List<Var> openSymbols() {
    List<Var> outer = declared;
    declared = new ArrayList<>();
    return outer;
  }

  /** The symbols that the function declares; goes back to those of the function around it. */
  List<Var> closeSymbols(List<Var> outer) {
    List<Var> inner = declared;
    declared = outer;
    return inner;
  }

  // ---------------------------------------------------------------- expressions

  /** A type. */
  String type(Type type) {
    return types.text(type);
  }

  /** An expression. */
  String print(Expr expr) {
    Limits.requirePrintable(++depth, Limits.DEPTH, "expressions");
    String text = text(expr);
    depth--;
    return text;
  }

  private String text(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> name(var);
      case GlobalVar global -> "cls." + globals.getOrDefault(global, Names.plain(global.name()));
      case Constant constant -> constants.print(constant);
      case ShapeExpr(var values) -> "R.shape([" + types.text(values) + "])";
      case StringImm(String value) -> "R.str(" + Quoting.quote(value) + ")";
      case DataTypeImm(DType value) -> "R.dtype(" + Quoting.quote(value.toString()) + ")";
      case PrimValue(PrimExpr value) -> scalar(value);
      case Tuple(List<Expr> fields) -> tuple(fields);
      case TupleGetItem(Expr tuple, int index) -> print(tuple) + "[" + index + "]";
      case Call call -> call(call);
      case ExternFunc(String symbol, FuncType type) ->
          "R.ExternFunc("
              + Quoting.quote(symbol)
              + (type.equals(FuncType.packed()) ? "" : ", " + type(type))
              + ")";
      case Op op -> "R." + op.name();
      case SeqExpr seq -> throw notNormal("a sequence of bindings");
      case If choice -> throw notNormal("a choice");
      case RelaxFunction function -> throw notNormal("a function");
    };
  }

  private static InvalidProgramException notNormal(String what) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the text of a module cannot hold "
            + what
            + " inside of an expression; normalize the program first");
  }

  private String scalar(PrimExpr value) {
    boolean isPlain =
        switch (value) {
          case IntImm(DType dtype, long unused) ->
              dtype.equals(DType.INT64) || dtype.equals(DType.BOOL);
          case FloatImm(DType dtype, double number) ->
              dtype.equals(DType.FLOAT64) && Double.isFinite(number);
          default -> false;
        };
    String text = PrimText.print(value, this::symbol);
    return isPlain ? text : "R.prim_value(" + text + ")";
  }

  private String tuple(List<Expr> fields) {
    return fields.isEmpty() ? "R.tuple()" : "(" + list(fields) + (fields.size() == 1 ? ",)" : ")");
  }

  private String list(List<Expr> exprs) {
    return exprs.stream().map(this::print).collect(Collectors.joining(", "));
  }

  private String call(Call call) {
    List<String> parts = new ArrayList<>();
    if (call.callee() instanceof OpDef op) {
      return operator(op, call);
    }
    String callee;
    if (call.callee() instanceof ExternFunc(String symbol, FuncType type)
        && type.equals(FuncType.packed())) {
      callee = "R.call_packed";
      parts.add(Quoting.quote(symbol));
    } else {
      callee = print(call.callee());
    }
    call.args().forEach(arg -> parts.add(print(arg)));
    call.attrs().values().forEach((name, value) -> parts.add(name + "=" + AttrText.print(value)));
    if (!call.typeArgs().isEmpty()) {
      parts.add(typeArgs(call));
    }
    return callee + "(" + String.join(", ", parts) + ")";
  }

  private String typeArgs(Call call) {
    List<Type> given = call.typeArgs();
    String all = given.stream().map(this::type).collect(Collectors.joining(", "));
    return "ty_args=(" + all + (given.size() == 1 ? ",)" : ")");
  }

  private String operator(OpDef op, Call call) {
    List<String> parts = new ArrayList<>();
    boolean saysOutput = call.typeArgs().size() == 1 && SAY_OUTPUT.contains(op.name());
    int positional =
        saysOutput ? Math.min(op.requiredArgs(), call.args().size()) : call.args().size();
    for (int i = 0; i < positional; i++) {
      parts.add(argument(op.argName(i), call.args().get(i)));
    }
    call.attrs().values().forEach((name, value) -> parts.add(attr(op, name, value)));
    if (saysOutput) {
      parts.add("out_ty=" + type(call.typeArgs().getFirst()));
    } else if (!call.typeArgs().isEmpty()) {
      parts.add(typeArgs(call));
    }
    for (int i = positional; i < call.args().size(); i++) {
      String name = op.argName(i);
      parts.add(name + "=" + argument(name, call.args().get(i)));
    }
    return "R." + op.name() + "(" + String.join(", ", parts) + ")";
  }

  /** An argument so that it is read as what it is, not as what Python's values stand for. */
  private String argument(String name, Expr arg) {
    if (arg instanceof ExternFunc(String symbol, FuncType type)
        && name.equals("func")
        && type.equals(FuncType.packed())) {
      return Quoting.quote(symbol);
    }
    if (arg instanceof Tuple(List<Expr> fields) && CallReader.isShape(name)) {
      return "R.tuple(" + list(fields) + ")";
    }
    return print(arg);
  }

  private static String attr(OpDef op, String name, Object value) {
    AttrSpec.Kind kind =
        op.attrSpecs().stream()
            .filter(spec -> spec.name().equals(name))
            .map(AttrSpec::kind)
            .findFirst()
            .orElse(AttrSpec.Kind.ANY);
    return name + "=" + AttrText.print(kind, value);
  }
}
