package org.relaxvm.compiler.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.Stmt;

/** Gives functions of a module other names, wherever they are mentioned. */
public final class GlobalNames {
  private final Map<GlobalVar, GlobalVar> names;

  private GlobalNames(Map<GlobalVar, GlobalVar> names) {
    this.names = names;
  }

  /**
   * The module with other names for some functions, in the same order.
   *
   * @param names the new names; functions that have none keep theirs
   * @throws InvalidProgramException a {@code ValueError} when two functions get one name
   */
  public static IRModule rename(IRModule module, Map<GlobalVar, GlobalVar> names) {
    GlobalNames renaming = new GlobalNames(names);
    SequencedMap<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>();
    module
        .functions()
        .forEach(
            (old, function) -> {
              GlobalVar name = renaming.name(old);
              if (functions.put(name, renaming.function(name, function)) != null) {
                throw new InvalidProgramException(
                    ErrorKind.VALUE, "two functions would have the name " + name.name());
              }
            });
    return module.withFunctions(functions);
  }

  private GlobalVar name(GlobalVar old) {
    return names.getOrDefault(old, old);
  }

  private ModuleFunction function(GlobalVar name, ModuleFunction function) {
    return function instanceof KernelFunction(PrimFunc kernel)
        ? new KernelFunction(new Kernels().rewrite(kernel).withName(name.name()))
        : (ModuleFunction) expr((Expr) function);
  }

  private final class Kernels extends IrMutator {
    @Override
    public Stmt rewrite(Stmt stmt) {
      return stmt instanceof CallPacked call
          ? super.rewrite(call.withName(name(new GlobalVar(call.name())).name()))
          : super.rewrite(stmt);
    }
  }

  private Expr expr(Expr expr) {
    return switch (expr) {
      case GlobalVar global -> name(global);
      case Tuple(List<Expr> fields) -> new Tuple(all(fields));
      case TupleGetItem(Expr tuple, int index) -> new TupleGetItem(expr(tuple), index);
      case Call call ->
          new Call(
              expr(call.callee()),
              all(call.args()),
              call.attrs(),
              call.typeArgs(),
              call.knownType());
      case SeqExpr seq -> seq(seq);
      case If choice ->
          new If(
              expr(choice.condition()),
              seq(choice.whenTrue()),
              seq(choice.whenFalse()),
              choice.knownType());
      case RelaxFunction function -> function.withBody(seq(function.body()), function.resultType());
      default -> expr;
    };
  }

  private List<Expr> all(List<Expr> exprs) {
    return exprs.stream().map(this::expr).toList();
  }

  private SeqExpr seq(SeqExpr seq) {
    List<BindingBlock> blocks = new ArrayList<>();
    for (BindingBlock block : seq.blocks()) {
      List<Binding> bindings = block.bindings().stream().map(this::binding).toList();
      blocks.add(new BindingBlock(bindings, block.isDataflow()));
    }
    return new SeqExpr(blocks, expr(seq.body()), seq.knownType());
  }

  private Binding binding(Binding binding) {
    return switch (binding) {
      case VarBinding(RelaxVar var, Expr value) -> new VarBinding(var, expr(value));
      case MatchCast(RelaxVar var, Expr value, Type target) ->
          new MatchCast(var, expr(value), target);
    };
  }
}
