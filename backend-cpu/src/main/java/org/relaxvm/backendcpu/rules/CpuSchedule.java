package org.relaxvm.backendcpu.rules;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.schedule.Attempt;
import org.relaxvm.tir.schedule.InlineProducers;
import org.relaxvm.tir.verify.Verified;

/**
 * Arranges the loops of kernels for the CPU. What the result says:
 *
 * <ul>
 *   <li>A vectorized loop has any extent, also a symbolic one; its iterations write neighbours in
 *       memory. It may have serial and unrolled loops inside.
 *   <li>A parallel loop is outermost, with the note {@link Notes#GRAIN}.
 *   <li>A serial loop with the note {@link Notes#REDUCE_LANES} may add up in another order.
 *   <li>A loop with the note {@link Notes#TILE_TRANSPOSE} holds one vectorized loop, which writes a
 *       row of a square tile.
 * </ul>
 *
 * <p>Results are the same bit by bit as long as nobody makes use of {@link Notes#REDUCE_LANES}.
 * Stateless; safe for concurrent use.
 */
public final class CpuSchedule {
  private static final List<Rule> RULES =
      List.of(
          new TransposeRule(true),
          new TransposeRule(false),
          new ElementwiseRule(),
          new MatmulRule(),
          new ColumnReductionRule(),
          new FallbackRule());

  private CpuSchedule() {}

  /**
   * The kernel with its loops arranged, and the attribute {@link Notes#SCHEDULED}; one that has
   * that attribute already stays as it is.
   *
   * @param function a valid kernel of any shapes
   */
  public static Verified of(PrimFunc function) {
    if (Boolean.TRUE.equals(function.attrs().get(Notes.SCHEDULED))) {
      return Verified.of(function);
    }
    KernelAnalysis kernel = KernelAnalysis.of(function);
    if (!kernel.isUnscheduled()) {
      return Verified.of(marked(function, function));
    }
    try {
      Verified hopeful = Verified.of(marked(function, stages(kernel, Attempt.HOPEFUL)));
      if (hopeful.unproven().loops().isEmpty()) {
        return hopeful;
      }
    } catch (InvalidProgramException wrong) {
      // A loop that cannot be concurrent: below, its stage goes to another rule.
    }
    return Verified.of(marked(function, stages(kernel, Attempt.PROVEN)));
  }

  private static PrimFunc marked(PrimFunc function, PrimFunc scheduled) {
    Map<String, Object> attrs = new LinkedHashMap<>(function.attrs());
    attrs.put(Notes.SCHEDULED, true);
    return scheduled.withAttrs(attrs);
  }

  private static PrimFunc stages(KernelAnalysis kernel, Attempt attempt) {
    KernelAnalysis inlined = KernelAnalysis.of(InlineProducers.in(kernel, attempt));
    PrimFunc now = ChoiceParts.in(inlined);
    List<Nest> stages = KernelAnalysis.of(now).nests();
    int next = 0;
    while (next < stages.size()) {
      Optional<RowPasses.Merged> merged =
          RowPasses.of(now, stages.subList(next, stages.size()), attempt);
      if (merged.isPresent()) {
        now = merged.get().kernel();
        next += merged.get().stages();
      } else {
        now = stage(now, stages.get(next), attempt);
        next++;
      }
    }
    return now;
  }

  /** Gives a stage to the first rule that can do with it. */
  private static PrimFunc stage(PrimFunc function, Nest nest, Attempt attempt) {
    for (Rule rule : RULES) {
      if (rule.fits(nest)) {
        Optional<PrimFunc> done = attempt.on(function, schedule -> rule.apply(schedule, nest));
        if (done.isPresent()) {
          return done.get();
        }
      }
    }
    return function;
  }
}
