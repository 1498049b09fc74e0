package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.Quoting;
import org.relaxvm.vmcore.executable.SourceNodes;

/** Functions over tensors as text. For one function and those inside of it. */
final class FunctionPrinter {
  private static final String STEP = "    ";

  private final ExprPrinter exprs;
  private int indent;
  private int depth;
  private StringBuilder out = new StringBuilder();

  /**
   * A printer of one function.
   *
   * @param globals the names of the functions of the module in the text
   * @param indent of the first line, in steps of four spaces
   */
  FunctionPrinter(ConstantText constants, Map<GlobalVar, String> globals, int indent) {
    this.exprs = new ExprPrinter(constants, globals);
    this.indent = indent;
  }

  /**
   * Appends a function of a module.
   *
   * @param name in the text
   * @param realName of the function
   */
  void print(RelaxFunction function, String name, String realName, StringBuilder target) {
    List<String> options = new ArrayList<>();
    if (!function.isPure()) {
      options.add("pure=False");
    }
    Attrs attrs = function.attrs();
    if (!attrs.has(RelaxFunction.GLOBAL_SYMBOL)) {
      options.add("private=True");
    } else if (realName.equals(attrs.values().get(RelaxFunction.GLOBAL_SYMBOL))) {
      attrs = attrs.without(RelaxFunction.GLOBAL_SYMBOL);
    }
    if (!name.equals(realName)) {
      options.add("name=" + Quoting.quote(realName));
    }
    function(function, name, options, attrs);
    target.append(out);
  }

  private void line(String text) {
    out.append(STEP.repeat(indent)).append(text).append('\n');
  }

  private void function(RelaxFunction function, String name, List<String> options, Attrs attrs) {
    line("@R.function" + (options.isEmpty() ? "" : "(" + String.join(", ", options) + ")"));
    SequencedSet<Var> inSignature =
        Symbols.definedBy(function.params().stream().map(RelaxVar::type).toList());
    inSignature.forEach(exprs::knowSymbol);
    List<Var> outer = exprs.openSymbols();
    function.params().forEach(exprs::define);
    String params =
        function.params().stream()
            .map(param -> exprs.name(param) + ": " + exprs.type(param.type()))
            .collect(Collectors.joining(", "));
    line("def " + name + "(" + params + ") -> " + exprs.type(function.resultType()) + ":");
    indent++;
    if (!attrs.values().isEmpty()) {
      line("R.func_attr(" + AttrText.print(attrs.values()) + ")");
    }
    StringBuilder head = out;
    out = new StringBuilder();
    blocks(function.body());
    line("return " + exprs.print(function.body().body()));
    StringBuilder body = out;
    out = head;
    for (Var symbol : exprs.closeSymbols(outer)) {
      line(exprs.symbol(symbol) + " = T." + symbol.dtype() + "()");
    }
    out.append(body);
    indent--;
  }

  private void blocks(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      if (!block.isDataflow()) {
        block.bindings().forEach(binding -> binding(binding, false));
        continue;
      }
      line("with R.dataflow():");
      indent++;
      block.bindings().forEach(binding -> binding(binding, true));
      line(
          block.bindings().stream()
              .map(Binding::var)
              .filter(var -> !(var instanceof DataflowVar))
              .map(exprs::name)
              .collect(Collectors.joining(", ", "R.output(", ")")));
      indent--;
    }
  }

  private void binding(Binding binding, boolean isDataflow) {
    RelaxVar var = binding.var();
    switch (binding) {
      case MatchCast(RelaxVar unused, Expr value, Type target) -> {
        String cast = "R.match_cast(" + exprs.print(value) + ", " + exprs.type(target) + ")";
        exprs.define(var);
        line(assignment(var, cast) + nodes(var));
      }
      case VarBinding(RelaxVar unused, RelaxFunction function) -> {
        enter();
        exprs.define(var);
        List<String> options = function.isPure() ? List.of() : List.of("pure=False");
        function(function, exprs.name(var), options, function.attrs());
        depth--;
      }
      case VarBinding(RelaxVar unused, If choice) -> {
        enter();
        String result = target(var, isDataflow);
        choice(result, choice);
        depth--;
      }
      case VarBinding(RelaxVar unused, Expr value) -> {
        String text = exprs.print(value);
        line(target(var, isDataflow) + " = " + text + nodes(var));
      }
    }
  }

  /** The source nodes as a comment. */
  private static String nodes(RelaxVar var) {
    return var.sourceNodes().isEmpty()
        ? ""
        : "  # " + SourceNodes.text(var.sourceNodes()).replaceAll("\\R", " ");
  }

  private void enter() {
    Limits.requirePrintable(++depth, Limits.STATEMENT_DEPTH, "statements");
  }

  /** What stands in front of {@code =}. What has no value is called {@code _}. */
  private String target(RelaxVar var, boolean isDataflow) {
    boolean isSeen = isDataflow && !(var instanceof DataflowVar);
    if (TupleType.isVoid(var.type()) && !isSeen) {
      return "_: R.Tuple";
    }
    exprs.define(var);
    return exprs.name(var) + ": " + exprs.type(var.type());
  }

  private String assignment(RelaxVar var, String value) {
    return exprs.name(var) + ": " + exprs.type(var.type()) + " = " + value;
  }

  private void choice(String result, If choice) {
    line("if " + exprs.print(choice.condition()) + ":");
    branch(result, choice.whenTrue());
    line("else:");
    branch(result, choice.whenFalse());
  }

  private void branch(String result, SeqExpr seq) {
    indent++;
    blocks(seq);
    line(result + " = " + exprs.print(seq.body()));
    indent--;
  }
}
