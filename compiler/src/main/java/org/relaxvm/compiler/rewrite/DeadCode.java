package org.relaxvm.compiler.rewrite;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.Stmt;

/** Removes what a module does not need. Source: docs/spec/passes.md, section 15. */
public final class DeadCode {
  private DeadCode() {}

  /**
   * A module without functions that its entries do not reach and without bindings that nobody
   * needs. Entries are public functions, packed functions, and those that are named.
   *
   * @param entries names of further functions that are called from outside
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} when the module has
   *     no function of such a name
   */
  public static IRModule removeFrom(IRModule module, Collection<String> entries) {
    return removeFunctions(removeBindings(removeFunctions(module, entries)), entries);
  }

  /** The same module without bindings that nobody needs. */
  public static IRModule removeBindings(IRModule module) {
    Purity purity = Purity.in(module);
    SequencedMap<GlobalVar, ModuleFunction> kept = new LinkedHashMap<>(module.functions());
    kept.replaceAll(
        (name, function) ->
            function instanceof RelaxFunction relax ? RemoveUnused.in(relax, purity) : function);
    return module.withFunctions(kept);
  }

  /**
   * The same module without functions that its entries do not reach; the module itself when a
   * function that is reached is missing.
   */
  public static IRModule removeFunctions(IRModule module, Collection<String> entries) {
    SequencedSet<GlobalVar> reached = new LinkedHashSet<>();
    Deque<GlobalVar> open = new ArrayDeque<>();
    for (String entry : entries) {
      GlobalVar name = new GlobalVar(entry);
      module.require(name);
      open.add(name);
    }
    module
        .functions()
        .forEach(
            (name, function) -> {
              if (isPublic(function)) {
                open.add(name);
              }
            });
    while (!open.isEmpty()) {
      GlobalVar name = open.removeFirst();
      if (!reached.add(name)) {
        continue;
      }
      ModuleFunction function = module.find(name).orElse(null);
      if (function == null) {
        return module;
      }
      open.addAll(callees(function, module));
    }
    SequencedMap<GlobalVar, ModuleFunction> kept = new LinkedHashMap<>(module.functions());
    kept.keySet().retainAll(reached);
    return module.withFunctions(kept);
  }

  private static boolean isPublic(ModuleFunction function) {
    return switch (function) {
      case RelaxFunction relax -> relax.attrs().has(RelaxFunction.GLOBAL_SYMBOL);
      case KernelFunction(PrimFunc kernel) ->
          kernel.attrs().containsKey(RelaxFunction.GLOBAL_SYMBOL);
      case ExternFunc extern -> true;
    };
  }

  /** The functions that a function of the module mentions. */
  private static Set<GlobalVar> callees(ModuleFunction function, IRModule module) {
    Set<GlobalVar> found = new LinkedHashSet<>();
    switch (function) {
      case RelaxFunction relax ->
          new ExprVisitor() {
            @Override
            public void visit(Expr expr) {
              if (expr instanceof GlobalVar name) {
                found.add(name);
              }
              super.visit(expr);
            }
          }.visit((Expr) relax);
      case KernelFunction(PrimFunc kernel) ->
          new IrVisitor() {
            @Override
            public void visit(Stmt stmt) {
              // Packed functions that the module does not have are the host's.
              if (stmt instanceof CallPacked call) {
                GlobalVar name = new GlobalVar(call.name());
                module.find(name).ifPresent(there -> found.add(name));
              }
              super.visit(stmt);
            }
          }.visit(kernel);
      case ExternFunc extern -> {}
    }
    return found;
  }
}
