package org.relaxvm.backendcpu.codegen.emit;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.backendcpu.codegen.cost.LaneCost;
import org.relaxvm.backendcpu.codegen.cost.Layout;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.tir.expr.Buffer;

/**
 * What a loop in vectors reaches, and how its code is laid out for that.
 *
 * @param always neighbouring elements that each iteration reaches whatever its conditions are
 * @param others buffers of which the loop reaches something else too
 */
record Reach(Set<Access> always, Set<Buffer> others, Layout layout) {
  static Reach of(ClassPlan plan, Node.Loop loop) {
    Set<Access> certain = Access.always(plan.program(), loop.body());
    Set<Access> neighbours = Access.all(loop.body());
    Set<Buffer> others = new HashSet<>();
    for (Access access : List.copyOf(neighbours)) {
      boolean contiguous = Affine.isContiguous(access.index(), loop.counter());
      if (!contiguous) {
        neighbours.remove(access);
      }
      if (!contiguous || !certain.contains(access)) {
        others.add(access.buffer());
      }
    }
    Set<Access> always = new LinkedHashSet<>(neighbours);
    always.retainAll(certain);
    boolean pinned = plan.memory() == MemoryKind.PINNED && always.size() == neighbours.size();
    boolean wide = neighbours.stream().allMatch(access -> access.buffer().dtype().bits() >= 32);
    int operations = LaneCost.of(loop.body(), Hoisting.of(plan.program(), loop));
    return new Reach(always, others, Layout.of(loop, operations, neighbours.size(), pinned, wide));
  }
}
