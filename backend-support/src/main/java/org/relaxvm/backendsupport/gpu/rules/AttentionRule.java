package org.relaxvm.backendsupport.gpu.rules;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Attention;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Attention in one launch, without its weights in memory of the device: a work-group has some rows
 * of queries and goes through the keys block by block. Of each row it keeps the largest score so
 * far, and in terms of it the sum of the weights and the weighted values, which are made smaller
 * when a larger score comes. Source: "FlashAttention: Fast and Memory-Efficient Exact Attention
 * with IO-Awareness", Dao et al., 2022, Algorithm 1.
 *
 * <p>Few rows are left to the other rules, which give each of their scores to a work-group: here
 * there would be no more work-groups than heads.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why is attention recognised by its stages and
 * not by a name?"
 */
final class AttentionRule {
  /** Below so many rows there is nothing to share. */
  private static final long FEW = 8;

  private final GpuLimits limits;

  AttentionRule(GpuLimits limits) {
    this.limits = limits;
  }

  /**
   * The launch of the first {@link Attention#STAGES} of these stages, if they are attention.
   *
   * @param isOnlyIn whether nothing but so many first stages uses a buffer
   */
  Optional<Stmt> of(List<LoopStage> stages, BiPredicate<Integer, Buffer> isOnlyIn) {
    Optional<Attention> parts =
        Attention.of(stages)
            .filter(found -> !isFew(found.rows()))
            .filter(
                found ->
                    found.temporaries().stream()
                        .allMatch(buffer -> isOnlyIn.test(Attention.STAGES, buffer)));
    return parts.flatMap(
        found ->
            AttentionShape.of(found, limits)
                .map(shape -> new AttentionLaunch(found, shape).launch()));
  }

  private static boolean isFew(List<For> rows) {
    return WorkGroups.extent(rows) instanceof IntImm known && known.value() < FEW;
  }
}
