package org.relaxvm.tir.schedule.nest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.Stmt;

/** Whether blocks adjacent work on the same memory. */
public final class Dependences {
  private Dependences() {}

  /** Refuses a statement in which one block writes a buffer that another one reads or writes. */
  @SuppressWarnings("ReferenceEquality") // that very block
  public static void requireNone(Stmt stmt, String what) {
    List<Block> blocks = outermost(stmt);
    for (Block a : blocks) {
      for (Block b : blocks) {
        if (a != b) {
          require(a, b, what);
        }
      }
    }
  }

  /** Whether a block of a statement writes a buffer that another one reads or writes. */
  @SuppressWarnings("ReferenceEquality") // that very block
  static boolean areThere(Stmt stmt) {
    List<Block> blocks = outermost(stmt);
    return blocks.stream()
        .anyMatch(a -> blocks.stream().anyMatch(b -> a != b && clash(a, b).isPresent()));
  }

  private static Optional<Buffer> clash(Block a, Block b) {
    return a.writes().stream()
        .map(BufferRegion::buffer)
        .filter(buffer -> touches(b.reads(), buffer) || touches(b.writes(), buffer))
        .findFirst();
  }

  private static void require(Block a, Block b, String what) {
    clash(a, b)
        .ifPresent(
            buffer -> {
              throw Refusal.of(
                  what,
                  "the blocks "
                      + a.name()
                      + " and "
                      + b.name()
                      + " inside both work on "
                      + buffer
                      + ", so their order counts");
            });
  }

  /**
   * Refuses a stage in which another block works on the buffer of a block: one that writes it, or
   * any when the block itself writes.
   */
  @SuppressWarnings("ReferenceEquality") // that very block
  public static void requireAlone(
      Stmt stage, Block block, Buffer buffer, boolean reads, String what) {
    for (Block other : outermost(stage)) {
      boolean clashes =
          touches(other.writes(), buffer) || (!reads && touches(other.reads(), buffer));
      if (other != block && clashes) {
        throw Refusal.of(
            what, "the block " + other.name() + " in the same loops works on " + buffer + " too");
      }
    }
  }

  /** Refuses a block that is not the only one that writes a buffer: it may write a part only. */
  public static void requireOnlyWriter(Stmt root, StmtPath path, Buffer buffer, String what) {
    new IrVisitor() {
      @Override
      @SuppressWarnings("ReferenceEquality") // those very statements
      public void visit(Stmt inside) {
        if (inside instanceof BlockRealize realize
            && path.stmts().stream().noneMatch(around -> around == inside)
            && touches(realize.block().writes(), buffer)) {
          throw Refusal.of(what, "the block " + realize.block().name() + " writes that buffer too");
        }
        super.visit(inside);
      }
    }.visit(root);
  }

  private static boolean touches(List<BufferRegion> regions, Buffer buffer) {
    return regions.stream().anyMatch(region -> region.buffer().equals(buffer));
  }

  /** The blocks of a statement that are not inside of others. */
  static List<Block> outermost(Stmt stmt) {
    List<Block> blocks = new ArrayList<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt inside) {
        if (inside instanceof BlockRealize realize) {
          blocks.add(realize.block());
        } else {
          super.visit(inside);
        }
      }
    }.visit(stmt);
    return blocks;
  }
}
