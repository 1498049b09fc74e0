package org.relaxvm.backendcpu.codegen;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.relaxvm.backendcpu.codegen.emit.LaneTable;
import org.relaxvm.backendcpu.vector.Species;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendcpu.vector.lane.DoubleLaneCasts;
import org.relaxvm.backendcpu.vector.lane.DoubleLaneMath;
import org.relaxvm.backendcpu.vector.lane.DoubleLaneOps;
import org.relaxvm.backendcpu.vector.lane.FloatLaneCasts;
import org.relaxvm.backendcpu.vector.lane.FloatLaneMath;
import org.relaxvm.backendcpu.vector.lane.FloatLaneOps;
import org.relaxvm.backendcpu.vector.lane.FloatLaneRounding;
import org.relaxvm.backendcpu.vector.lane.FullLoads;
import org.relaxvm.backendcpu.vector.lane.FullMaskedLoads;
import org.relaxvm.backendcpu.vector.lane.FullMaskedStores;
import org.relaxvm.backendcpu.vector.lane.FullStores;
import org.relaxvm.backendcpu.vector.lane.HalfLoads;
import org.relaxvm.backendcpu.vector.lane.HalfMaskedLoads;
import org.relaxvm.backendcpu.vector.lane.HalfMaskedStores;
import org.relaxvm.backendcpu.vector.lane.HalfStores;
import org.relaxvm.backendcpu.vector.lane.IntLaneCasts;
import org.relaxvm.backendcpu.vector.lane.IntLaneDivision;
import org.relaxvm.backendcpu.vector.lane.IntLaneOps;
import org.relaxvm.backendcpu.vector.lane.LaneConstants;
import org.relaxvm.backendcpu.vector.lane.LaneMemory;
import org.relaxvm.backendcpu.vector.lane.LongLaneCasts;
import org.relaxvm.backendcpu.vector.lane.LongLaneOps;
import org.relaxvm.backendcpu.vector.lane.MaskLaneCasts;
import org.relaxvm.backendcpu.vector.lane.MaskLaneOps;

/** The vector operations of this JVM. */
public final class VectorOperations {
  /** Vectors of so many bits have masks of their own, so that resting lanes cost nothing. */
  private static final int BITS_WITH_MASKS = 512;

  private VectorOperations() {}

  /** The operations; none where vector code was not chosen. */
  public static Optional<LaneTable> of(VectorChoice choice) {
    return choice.vectors() ? Optional.of(Once.TABLE) : Optional.empty();
  }

  /** The operations that a machine with all vectors of so many lanes would have. */
  static LaneTable of(int fullLanes, int halfLanes, boolean maskedTails) {
    return table(fullLanes, halfLanes, maskedTails, operation -> true);
  }

  private static LaneTable table(
      int fullLanes, int halfLanes, boolean maskedTails, Predicate<String> exists) {
    return new LaneTable(
        fullLanes,
        halfLanes,
        maskedTails,
        List.of(
            DoubleLaneCasts.class,
            DoubleLaneMath.class,
            DoubleLaneOps.class,
            FloatLaneCasts.class,
            FloatLaneMath.class,
            FloatLaneOps.class,
            FloatLaneRounding.class,
            FullLoads.class,
            FullMaskedLoads.class,
            FullMaskedStores.class,
            FullStores.class,
            HalfLoads.class,
            HalfMaskedLoads.class,
            HalfMaskedStores.class,
            HalfStores.class,
            IntLaneCasts.class,
            IntLaneDivision.class,
            IntLaneOps.class,
            LaneConstants.class,
            LongLaneCasts.class,
            LongLaneOps.class,
            MaskLaneCasts.class,
            MaskLaneOps.class),
        List.of(FloatLaneMath.class),
        exists);
  }

  /** Loaded only with the Vector API. */
  private static final class Once {
    static final LaneTable TABLE =
        table(
            Species.FLOAT.length(),
            Species.DOUBLE.length(),
            Species.FLOAT.vectorBitSize() >= BITS_WITH_MASKS,
            LaneMemory::exists);
  }
}
