package org.relaxvm.interoprelay.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * The dominator tree, found by iteration over the reverse post-order.
 *
 * <p>A block dominates those whose number of entry in a walk over the tree lies in its interval.
 */
final class Dominators {
  private final int[] parents;
  private final int[] enter;
  private final int[] leave;

  private Dominators(int[] parents, int[] enter, int[] leave) {
    this.parents = parents;
    this.enter = enter;
    this.leave = leave;
  }

  static Dominators of(List<BasicBlock> blocks, List<Integer> order) {
    int[] parents = parents(blocks, order);
    int[] enter = new int[blocks.size()];
    int[] leave = new int[blocks.size()];
    number(parents, order, enter, leave);
    return new Dominators(parents, enter, leave);
  }

  int parent(int block) {
    return parents[block];
  }

  boolean dominates(int dominator, int block) {
    return enter[dominator] <= enter[block] && leave[block] <= leave[dominator];
  }

  private static int[] parents(List<BasicBlock> blocks, List<Integer> order) {
    int[] position = new int[blocks.size()];
    for (int i = 0; i < order.size(); i++) {
      position[order.get(i)] = i;
    }
    int[] parents = new int[blocks.size()];
    Arrays.fill(parents, ControlFlow.NONE);
    parents[0] = 0;
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int block : order.subList(1, order.size())) {
        int common = ControlFlow.NONE;
        for (int from : blocks.get(block).predecessors()) {
          if (parents[from] != ControlFlow.NONE) {
            common = common == ControlFlow.NONE ? from : meet(common, from, parents, position);
          }
        }
        changed |= parents[block] != common;
        parents[block] = common;
      }
    }
    parents[0] = ControlFlow.NONE;
    return parents;
  }

  private static int meet(int first, int second, int[] parents, int[] position) {
    int a = first;
    int b = second;
    while (a != b) {
      if (position[a] > position[b]) {
        a = parents[a];
      } else {
        b = parents[b];
      }
    }
    return a;
  }

  private static void number(int[] parents, List<Integer> order, int[] enter, int[] leave) {
    record Visit(int block, Iterator<Integer> left) {}
    List<List<Integer>> children = new ArrayList<>();
    for (int b = 0; b < parents.length; b++) {
      children.add(new ArrayList<>());
    }
    for (int block : order) {
      if (parents[block] != ControlFlow.NONE) {
        children.get(parents[block]).add(block);
      }
    }
    ArrayDeque<Visit> path = new ArrayDeque<>();
    path.push(new Visit(0, children.getFirst().iterator()));
    int clock = 1;
    while (!path.isEmpty()) {
      Visit visit = path.element();
      if (visit.left().hasNext()) {
        int child = visit.left().next();
        enter[child] = clock++;
        path.push(new Visit(child, children.get(child).iterator()));
      } else {
        leave[visit.block()] = clock++;
        path.pop();
      }
    }
  }
}
