package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.FreshCopy;

/**
 * Puts calls of kernels that one kernel can compute into functions of their own, which {@link
 * FuseTIR} makes into kernels. Groups lie within one dataflow block. Source: docs/spec/passes.md,
 * section 5.
 */
public record FuseOps() implements Pass {
  @Override
  public String name() {
    return "FuseOps";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Mutator(module, context.maxFuseDepth()).run();
  }

  private static final class Mutator extends ExprMutator {
    private final IRModule module;
    private final int maxDepth;

    Mutator(IRModule module, int maxDepth) {
      super(module);
      this.module = module;
      this.maxDepth = maxDepth;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      if (function.isPrimitive() || function.attrs().has("Codegen")) {
        return function;
      }
      return super.rewrite(name, function);
    }

    @Override
    protected void rewrite(BindingBlock block) {
      if (!block.isDataflow()) {
        super.rewrite(block);
        return;
      }
      List<FusionNode> nodes = FusionGraph.of(block, module);
      FusionGroups.join(nodes, maxDepth);
      Map<FusionNode, List<Binding>> groups = new HashMap<>();
      builder.beginBlock(true);
      for (FusionNode node : nodes) {
        List<Binding> group = groups.computeIfAbsent(node.group(), unused -> new ArrayList<>());
        group.add(node.binding);
        if (group.size() == node.groupSize()) {
          emit(group);
        }
      }
      builder.endBlock();
    }

    private void emit(List<Binding> group) {
      List<Binding> members = new ArrayList<>();
      Set<RelaxVar> bound = new HashSet<>();
      for (Binding binding : group) {
        boolean fromOutside =
            binding.value() instanceof TupleGetItem(RelaxVar tuple, int index)
                && !bound.contains(tuple);
        if (fromOutside) {
          rewrite(binding);
        } else {
          members.add(binding);
          bound.add(binding.var());
        }
      }
      if (members.size() > 1 && members.getLast() instanceof VarBinding last) {
        GroupFunction made = new GroupFunction(members);
        GlobalVar name = builder.addFunction(FreshCopy.of(made.function()), made.name());
        RelaxVar var = last.var().withSourceNodes(sourceNodes(members));
        if (!var.equals(last.var())) {
          replace(last.var(), var);
        }
        Call call = Call.of(name, rewriteArguments(made.args()), Attrs.NONE);
        reEmit(new VarBinding(var, last.value()), call);
      } else {
        members.forEach(this::rewrite);
      }
    }

    /** The source nodes of all bindings of a group, in order. */
    private static List<String> sourceNodes(List<Binding> members) {
      return members.stream()
          .flatMap(member -> member.var().sourceNodes().stream())
          .distinct()
          .toList();
    }
  }
}
