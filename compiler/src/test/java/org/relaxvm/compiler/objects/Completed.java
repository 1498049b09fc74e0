package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;

/** Modules whose calls of operators have all attributes, as graphs have them. */
final class Completed {
  private Completed() {}

  static IRModule of(IRModule module) {
    Map<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>();
    module
        .functions()
        .forEach(
            (name, function) ->
                functions.put(
                    name, function instanceof RelaxFunction relax ? of(relax) : function));
    return module.withFunctions(functions);
  }

  private static RelaxFunction of(RelaxFunction function) {
    return function.withBody(of(function.body()), function.resultType());
  }

  private static SeqExpr of(SeqExpr seq) {
    List<BindingBlock> blocks = new ArrayList<>();
    for (BindingBlock block : seq.blocks()) {
      List<Binding> bindings = block.bindings().stream().map(Completed::of).toList();
      blocks.add(new BindingBlock(bindings, block.isDataflow()));
    }
    return new SeqExpr(blocks, of(seq.body()), seq.knownType());
  }

  private static Binding of(Binding binding) {
    return switch (binding) {
      case VarBinding(RelaxVar var, Expr value) -> new VarBinding(var, of(value));
      case MatchCast(RelaxVar var, Expr value, var target) -> new MatchCast(var, of(value), target);
    };
  }

  private static Expr of(Expr expr) {
    return switch (expr) {
      case Call call when call.callee() instanceof OpDef op ->
          new Call(
              op,
              call.args(),
              AttributeTable.complete(op, call.attrs()),
              call.typeArgs(),
              call.knownType());
      case SeqExpr seq -> of(seq);
      case If(Expr condition, SeqExpr whenTrue, SeqExpr whenFalse, var type) ->
          new If(condition, of(whenTrue), of(whenFalse), type);
      case RelaxFunction function -> of(function);
      default -> expr;
    };
  }
}
