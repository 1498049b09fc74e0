package org.relaxvm.compiler.dsl;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.Markers;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.op.create.Creation;
import org.relaxvm.compiler.op.elementwise.Elementwise;
import org.relaxvm.compiler.op.image.Boxes;
import org.relaxvm.compiler.op.image.GridSamples;
import org.relaxvm.compiler.op.image.Images;
import org.relaxvm.compiler.op.image.Patches;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.compiler.op.image.Regions;
import org.relaxvm.compiler.op.image.Resampling;
import org.relaxvm.compiler.op.index.Indexing;
import org.relaxvm.compiler.op.linear.Inverse;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.lowbit.BlockQuantized;
import org.relaxvm.compiler.op.lowbit.FloatCodes;
import org.relaxvm.compiler.op.lowbit.PackedElements;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.nn.Borders;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.DeformableColumns;
import org.relaxvm.compiler.op.nn.Dropout;
import org.relaxvm.compiler.op.nn.LinearAttention;
import org.relaxvm.compiler.op.nn.Losses;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.nn.PoolGradients;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.compiler.op.nn.Recurrent;
import org.relaxvm.compiler.op.nn.Unfold;
import org.relaxvm.compiler.op.reduce.Orderings;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.reduce.Scans;
import org.relaxvm.compiler.op.shape.ShapeChanges;

/**
 * The operators that Relax has. Source: docs/spec/relax-ir.md, section 6.2; docs/spec/op-set.md,
 * section 2.
 */
public final class StandardOps {
  private StandardOps() {}

  /** All of them, by name. */
  public static OpRegistry registry() {
    return OpRegistry.of(all());
  }

  /** All of them, family by family. */
  public static List<OpDef> all() {
    return joined(
        calls(),
        Elementwise.all(),
        Creation.all(),
        ShapeChanges.all(),
        Indexing.all(),
        numeric(),
        neural(),
        images(),
        lowBit());
  }

  private static List<OpDef> calls() {
    return joined(CallOps.all(), MemoryOps.all(), ValueOps.all(), Markers.all());
  }

  private static List<OpDef> images() {
    return joined(
        Images.all(),
        Resampling.all(),
        GridSamples.all(),
        Regions.all(),
        Boxes.all(),
        Patches.all(),
        Quantization.all());
  }

  private static List<OpDef> lowBit() {
    return joined(PackedElements.all(), FloatCodes.all(), BlockQuantized.all());
  }

  private static List<OpDef> numeric() {
    return joined(Reductions.all(), Scans.all(), Orderings.all(), Linear.all(), Inverse.all());
  }

  private static List<OpDef> neural() {
    return joined(
        AxisActivations.all(),
        Attention.all(),
        Borders.all(),
        Convolutions.all(),
        DeformableColumns.all(),
        Dropout.all(),
        LinearAttention.all(),
        Losses.all(),
        Norms.all(),
        Padding.all(),
        Pools.all(),
        PoolGradients.all(),
        Recurrent.all(),
        Unfold.all());
  }

  @SafeVarargs
  private static List<OpDef> joined(List<OpDef>... families) {
    List<OpDef> all = new ArrayList<>();
    for (List<OpDef> family : families) {
      all.addAll(family);
    }
    return all;
  }
}
