package org.relaxvm.compiler.pass.fuse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.rewrite.Overwritten;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.OpPattern;
import org.relaxvm.tir.analysis.OpPatterns;

/**
 * The bindings of a dataflow block and who uses whom. Source: docs/spec/passes.md, sections 5.1 and
 * 5.2.
 */
final class FusionGraph {
  private final IRModule module;
  private final List<FusionNode> nodes = new ArrayList<>();
  private final Map<RelaxVar, FusionNode> byVar = new HashMap<>();
  private final Map<RelaxVar, List<FusionNode>> users = new HashMap<>();

  private FusionGraph(IRModule module) {
    this.module = module;
  }

  /** The nodes of a block, in the order of its bindings, with their post-dominators. */
  static List<FusionNode> of(BindingBlock block, IRModule module) {
    FusionGraph graph = new FusionGraph(module);
    block.bindings().forEach(graph::add);
    for (FusionNode node : graph.nodes.reversed()) {
      dominate(node);
    }
    return graph.nodes;
  }

  private void add(Binding binding) {
    Set<RelaxVar> read = FreeVars.of(binding.value());
    FusionNode node = new FusionNode(nodes.size(), binding, pattern(binding), read.size());
    node.endsGroup = !(binding.var() instanceof DataflowVar);
    // Groups are computed where they end: what reads an argument that is overwritten here cannot
    // wait for something after this.
    for (RelaxVar overwritten : Overwritten.by(binding.value())) {
      users.getOrDefault(overwritten, List.of()).forEach(reader -> reader.endsGroup = true);
    }
    for (RelaxVar var : read) {
      users.computeIfAbsent(var, unused -> new ArrayList<>()).add(node);
      if (byVar.get(var) instanceof FusionNode producer) {
        producer.uses.add(node);
      }
    }
    nodes.add(node);
    byVar.put(binding.var(), node);
  }

  private OpPattern pattern(Binding binding) {
    if (binding instanceof MatchCast) {
      return OpPattern.OPAQUE;
    }
    return switch (binding.value()) {
      case Call call when KernelCall.isOne(call) -> kernelPattern(call);
      case TupleGetItem(RelaxVar tuple, int index) when isResultOfKernel(tuple) ->
          OpPattern.INJECTIVE;
      default -> OpPattern.OPAQUE;
    };
  }

  private boolean isResultOfKernel(RelaxVar var) {
    return byVar.get(var) instanceof FusionNode producer
        && producer.pattern != OpPattern.OPAQUE
        && producer.binding.value() instanceof Call;
  }

  private OpPattern kernelPattern(Call call) {
    if (call.args().getFirst() instanceof GlobalVar name
        && module.find(name).orElse(null) instanceof KernelFunction(PrimFunc kernel)
        && kernel.attrs().get(OpPatterns.ATTRIBUTE) instanceof Long code
        && KernelCall.arguments(call).stream().allMatch(arg -> isKnown(arg.type()))) {
      return OpPattern.of(code.intValue());
    }
    return OpPattern.OPAQUE;
  }

  /** Whether a value can be a parameter of a kernel that is made for a group. */
  private static boolean isKnown(Type type) {
    return switch (type) {
      case TensorType tensor ->
          tensor.dtype().isPresent() && tensor.shape().orElse(null) instanceof TensorShape.Known;
      case PrimType scalar -> true;
      default -> false;
    };
  }

  /** Finds where all paths from a node meet, and what is on the way; later nodes know theirs. */
  private static void dominate(FusionNode node) {
    if (node.endsGroup || node.uses.isEmpty()) {
      return;
    }
    FusionNode meeting = node.uses.getFirst();
    for (FusionNode use : node.uses) {
      meeting = meet(meeting, use);
    }
    if (meeting == null) {
      return;
    }
    node.dominator = meeting;
    node.depth = meeting.depth + 1;
    node.pathPattern = OpPattern.ELEMWISE;
    for (FusionNode use : node.uses) {
      node.pathPattern = FusionNode.wider(node.pathPattern, use.pattern);
      FusionNode on = use;
      while (on.index != meeting.index) {
        node.pathPattern = FusionNode.wider(node.pathPattern, on.pathPattern);
        on = Objects.requireNonNull(on.dominator);
      }
    }
  }

  private static @Nullable FusionNode meet(@Nullable FusionNode a, FusionNode b) {
    FusionNode x = a;
    FusionNode y = b;
    while (x != null && y != null && x.index != y.index) {
      int deeper = Integer.compare(x.depth, y.depth);
      x = deeper >= 0 ? x.dominator : x;
      y = deeper <= 0 ? y.dominator : y;
    }
    return x == null || y == null ? null : x;
  }
}
