package org.relaxvm.tir.schedule.nest;

import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Blocks that visit a part of their domains only, as another block visits the rest. Their loops are
 * no longer told by their domains, so they have an annotation.
 */
public final class Parts {
  private static final String ANNOTATION = "part_of_domain";

  private Parts() {}

  /** The same statements, in which all blocks are parts. */
  public static Stmt marked(Stmt stmt) {
    return new IrMutator() {
      @Override
      public Block rewrite(Block block) {
        Block inside = super.rewrite(block);
        Map<String, Object> annotations = new LinkedHashMap<>(inside.annotations());
        annotations.put(ANNOTATION, true);
        return new Block(
            inside.name(),
            inside.iterVars(),
            inside.reads(),
            inside.writes(),
            inside.allocBuffers(),
            inside.init(),
            inside.body(),
            annotations);
      }
    }.rewrite(stmt);
  }

  /** Whether a block is a part. */
  public static boolean isPart(Block block) {
    return Boolean.TRUE.equals(block.annotations().get(ANNOTATION));
  }
}
