package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.rewrite.ExprVisitor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.pattern.OpPattern;
import org.relaxvm.tir.pattern.OpPatterns;

/** The bindings of a dataflow block and who uses whom. Source: passes, sections 5.1 and 5.2. */
final class FusionGraph {
  private final IRModule module;
  private final Set<RelaxVar> weightTuples;
  private final List<FusionNode> nodes = new ArrayList<>();
  private final Map<RelaxVar, FusionNode> byVar = new HashMap<>();

  private FusionGraph(IRModule module, Set<RelaxVar> weightTuples) {
    this.module = module;
    this.weightTuples = weightTuples;
  }

  /**
   * The nodes of a block, in the order of its bindings, with their post-dominators.
   *
   * @param weightTuples parameters that hold several weights, of which no part joins a group
   */
  static List<FusionNode> of(BindingBlock block, IRModule module, Set<RelaxVar> weightTuples) {
    FusionGraph graph = new FusionGraph(module, weightTuples);
    block.bindings().forEach(graph::add);
    for (FusionNode node : graph.nodes.reversed()) {
      dominate(node);
    }
    return graph.nodes;
  }

  private void add(Binding binding) {
    boolean isOutput = !(binding.var() instanceof DataflowVar);
    OpPattern pattern = pattern(binding);
    FusionNode node = new FusionNode(nodes.size(), binding, pattern, isOutput);
    nodes.add(node);
    Set<RelaxVar> used = new HashSet<>();
    // What a match_cast looks at is not a part of any group with it.
    collect(binding.value(), used);
    OpPattern seen = binding instanceof MatchCast ? OpPattern.OPAQUE : pattern;
    for (RelaxVar var : used) {
      FusionNode producer = byVar.get(var);
      if (producer != null) {
        producer.uses.add(new FusionNode.Use(node, seen));
      }
    }
    byVar.put(binding.var(), node);
  }

  private OpPattern pattern(Binding binding) {
    if (binding instanceof MatchCast) {
      return OpPattern.OPAQUE;
    }
    return switch (binding.value()) {
      case Call call when isKernelCall(call) -> kernelPattern(call);
      case TupleGetItem(Expr tuple, int index) ->
          tuple instanceof RelaxVar var && weightTuples.contains(var)
              ? OpPattern.OPAQUE
              : OpPattern.INJECTIVE;
      default -> OpPattern.OPAQUE;
    };
  }

  static boolean isKernelCall(Call call) {
    return call.callee().equals(CallOps.CALL_TIR) || call.callee().equals(CallOps.CALL_TIR_INPLACE);
  }

  private OpPattern kernelPattern(Call call) {
    if (call.args().getFirst() instanceof GlobalVar name
        && module.find(name).orElse(null) instanceof KernelFunction(PrimFunc kernel)
        && kernel.attrs().get(OpPatterns.ATTRIBUTE) instanceof Long code) {
      return OpPattern.of(code.intValue());
    }
    return OpPattern.OPAQUE;
  }

  private static void collect(Expr expr, Set<RelaxVar> used) {
    switch (expr) {
      case RelaxVar var -> used.add(var);
      case Tuple(var fields) -> fields.forEach(field -> collect(field, used));
      case TupleGetItem(Expr tuple, int index) -> collect(tuple, used);
      case Call call -> {
        collect(call.callee(), used);
        call.args().forEach(arg -> collect(arg, used));
      }
      default -> new VarCollector(used).visit(expr);
    }
  }

  /** Variables in bodies of local functions and branches. */
  private static final class VarCollector extends ExprVisitor {
    private final Set<RelaxVar> used;

    VarCollector(Set<RelaxVar> used) {
      this.used = used;
    }

    @Override
    public void visit(Expr expr) {
      if (expr instanceof RelaxVar var) {
        used.add(var);
      }
      super.visit(expr);
    }
  }

  /** Finds where all paths from a node meet; those of later nodes are known. */
  private static void dominate(FusionNode node) {
    if (node.isOutput || node.uses.isEmpty()) {
      return;
    }
    OpPattern[] path = {OpPattern.ELEMWISE};
    FusionNode meeting = node.uses.getFirst().by();
    for (FusionNode.Use use : node.uses) {
      path[0] = FusionNode.wider(path[0], use.pattern());
      FusionNode met = meeting == null ? null : meet(meeting, use.by(), path);
      meeting = met;
    }
    if (meeting != null) {
      node.dominator = meeting;
      node.depth = meeting.depth + 1;
      node.pathPattern = path[0];
    }
  }

  private static @Nullable FusionNode meet(FusionNode a, FusionNode b, OpPattern[] path) {
    FusionNode x = a;
    FusionNode y = b;
    while (x != null && y != null && x.index != y.index) {
      boolean first = x.depth >= y.depth;
      boolean second = y.depth >= x.depth;
      if (first) {
        path[0] = FusionNode.wider(path[0], x.pathPattern);
        x = x.dominator;
      }
      if (second) {
        path[0] = FusionNode.wider(path[0], y.pathPattern);
        y = y.dominator;
      }
    }
    return x == null || y == null ? null : x;
  }
}
