package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Applies primitives to whatever is there, and keeps those that are legal. */
final class RandomPrimitives {
  private final Random random;
  private final Schedule schedule;
  private final List<String> applied = new ArrayList<>();
  private int copies;

  RandomPrimitives(Random random, PrimFunc kernel) {
    this.random = random;
    schedule = new Schedule(kernel);
  }

  Schedule schedule() {
    return schedule;
  }

  /** What was legal. */
  List<String> applied() {
    return applied;
  }

  void apply() {
    List<Block> blocks = blocks();
    if (blocks.isEmpty()) {
      return;
    }
    Block block = blocks.get(random.nextInt(blocks.size()));
    List<Var> loops = schedule.loops(block.name());
    try {
      switch (random.nextInt(20)) {
        case 0, 1 -> {
          Var loop = any(loops);
          int factor = 1 + random.nextInt(5);
          schedule.split(loop, factor);
          applied.add("split " + block.name() + "." + loop + " " + factor);
        }
        case 2 -> {
          Var outer = any(loops);
          Var inner = any(loops.subList(loops.indexOf(outer), loops.size()));
          schedule.fuse(outer, inner);
          applied.add("fuse " + block.name() + "." + outer + " " + inner);
        }
        case 3 -> {
          List<Var> order = new ArrayList<>(loops);
          Collections.shuffle(order, random);
          schedule.reorder(order.subList(0, Math.min(order.size(), 2 + random.nextInt(2))));
          applied.add("reorder " + block.name() + " " + order);
        }
        case 4 -> {
          Var loop = any(loops);
          switch (random.nextInt(4)) {
            case 0 -> schedule.parallel(loop);
            case 1 -> schedule.vectorize(loop);
            case 2 -> schedule.unroll(loop);
            default -> schedule.bind(loop, ThreadAxis.BLOCK_X);
          }
          schedule.annotate(loop, "note", true);
          applied.add("kind " + block.name() + "." + loop);
        }
        case 5 -> {
          schedule.inline(block.name());
          applied.add("inline " + block.name());
        }
        case 6 -> {
          schedule.cacheRead(
              block.name(), anyBuffer(block.reads()), MemoryScope.SHARED, copyName());
          applied.add("cacheRead " + block.name());
        }
        case 7 -> {
          schedule.cacheWrite(
              block.name(), anyBuffer(block.writes()), MemoryScope.LOCAL, copyName());
          applied.add("cacheWrite " + block.name());
        }
        case 16 -> {
          Var loop = any(loops);
          int factor = 1 + random.nextInt(5);
          if (random.nextBoolean()) {
            schedule.splitBlocks(loop, factor);
          } else {
            schedule.splitRemainder(loop, factor);
          }
          applied.add("cut " + block.name() + "." + loop + " " + factor);
        }
        case 17 -> {
          // Mostly of neighbours: others are never legal.
          int next = Math.min(blocks.indexOf(block) + 1, blocks.size() - 1);
          String other = blocks.get(next).name();
          int depth = random.nextInt(Math.max(1, loops.size()));
          schedule.merge(List.of(at(loops, depth), at(schedule.loops(other), depth)));
          applied.add("merge " + block.name() + " " + other);
        }
        case 8, 9, 10 -> {
          Var loop = anyLoop(blocks);
          schedule.computeAt(block.name(), loop);
          applied.add("computeAt " + block.name() + " " + loop);
        }
        case 11, 12, 13 -> {
          Var loop = anyLoop(blocks);
          schedule.reverseComputeAt(block.name(), loop);
          applied.add("reverseComputeAt " + block.name() + " " + loop);
        }
        case 14, 15 -> {
          Var loop = any(loops);
          schedule.rfactor(loop, random.nextInt(2));
          applied.add("rfactor " + block.name() + " " + loop);
        }
        default -> {
          schedule.decomposeReduction(block.name(), any(loops));
          applied.add("decompose " + block.name());
        }
      }
    } catch (InvalidProgramException | NothingThere e) {
      // Not legal there.
    }
  }

  private Var anyLoop(List<Block> blocks) {
    return any(schedule.loops(blocks.get(random.nextInt(blocks.size())).name()));
  }

  private String copyName() {
    return "copy" + copies++;
  }

  private Buffer anyBuffer(List<BufferRegion> regions) {
    if (regions.isEmpty()) {
      throw new NothingThere();
    }
    return regions.get(random.nextInt(regions.size())).buffer();
  }

  private Var any(List<Var> loops) {
    if (loops.isEmpty()) {
      throw new NothingThere();
    }
    return loops.get(random.nextInt(loops.size()));
  }

  private static Var at(List<Var> loops, int depth) {
    if (depth >= loops.size()) {
      throw new NothingThere();
    }
    return loops.get(depth);
  }

  private List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        if (!block.name().equals(Block.ROOT)) {
          blocks.add(block);
        }
        super.visit(block);
      }
    }.visit(schedule.function().body());
    return blocks;
  }

  private static final class NothingThere extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
