package org.relaxvm.vmcore.dataflow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;

/** The regions of a program that have independent calls. Immutable but for their choices. */
public final class RegionTable {
  private final @Nullable Region[] regions;
  private final List<List<Region>> byFunction;

  private RegionTable(@Nullable Region[] regions, List<List<Region>> byFunction) {
    this.regions = regions;
    this.byFunction = List.copyOf(byFunction);
  }

  /**
   * Finds the regions of a program.
   *
   * @param effects what is known of the functions of the table
   * @return null when there are none
   */
  public static @Nullable RegionTable of(
      DecodedProgram program, CallEffects[] effects, ParallelPolicy policy) {
    int[] code = program.code();
    @Nullable Region[] regions = new Region[code.length];
    List<List<Region>> byFunction = new ArrayList<>();
    boolean isEmpty = true;
    for (DecodedFunction function : program.functions()) {
      List<Region> found = new ArrayList<>();
      if (function != null) {
        FunctionMemory memory = new FunctionMemory(program, effects, function);
        for (int[] instructions : memory.regions()) {
          RegionPlan.of(code, effects, instructions, memory, policy)
              .ifPresent(
                  plan -> found.add(new Region(plan, new ParallelChoice(policy.isMeasured()))));
        }
      }
      for (Region region : found) {
        regions[region.plan().instructions()[0]] = region;
        isEmpty = false;
      }
      byFunction.add(found);
    }
    return isEmpty ? null : new RegionTable(regions, byFunction);
  }

  /** For each position, the region that begins there; not to be changed. */
  public @Nullable Region[] regions() {
    return regions;
  }

  /** Whether a function has a region that may run in parallel; it is not compiled then. */
  public boolean mayRunInParallel(DecodedFunction function) {
    for (Region region : byFunction.get(function.index())) {
      if (!region.choice().isSerial()) {
        return true;
      }
    }
    return false;
  }
}
