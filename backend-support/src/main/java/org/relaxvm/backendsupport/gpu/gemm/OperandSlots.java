package org.relaxvm.backendsupport.gpu.gemm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Slices of an operand in shared memory, several at the same time. Outside of the operand there are
 * zeros. Lines of a slice lie a little apart, so that elements of neighbouring lines are in
 * different banks of the memory.
 */
final class OperandSlots {
  /** Bytes that are copied at once where neighbours in memory stay neighbours. */
  private static final int CHUNK_BYTES = 16;

  private final Gemm.Operand operand;
  private final PrimExpr extent;
  private final PrimExpr fullDepth;
  private final Var batch;
  private final int width;
  private final int depth;
  private final boolean alongDepth;
  private final int lanes;
  private final boolean depthIsFirst;
  private final Buffer tile;

  /**
   * Memory for slices.
   *
   * @param name of the memory
   * @param extent of the operand along its rows or columns
   * @param fullDepth of the operand
   * @param width of a slice along the rows or columns
   * @param shape says how deep a slice is and how many there are
   * @param asInMemory whether elements that are neighbours along the depth may stay neighbours, as
   *     they lie in memory of the device; else those along the rows or columns are
   */
  OperandSlots(
      String name,
      Gemm.Operand operand,
      PrimExpr extent,
      PrimExpr fullDepth,
      Var batch,
      int width,
      BlockShape shape,
      boolean asInMemory) {
    this.operand = operand;
    this.extent = extent;
    this.fullDepth = fullDepth;
    this.batch = batch;
    this.width = width;
    this.depth = shape.depth();
    Var along = Var.index("along");
    Var k = Var.index("k");
    PrimExpr element = operand.at(batch, along, k);
    int bytes = element.dtype().elementByteSize();
    boolean alongWidth = isStepOne(element, along);
    this.alongDepth = !alongWidth && isStepOne(element, k);
    this.depthIsFirst = !(asInMemory && alongDepth);
    boolean together = alongWidth || !depthIsFirst;
    this.lanes = together ? CHUNK_BYTES / bytes : 1;
    int gap = CHUNK_BYTES / bytes;
    this.tile =
        Buffer.of(
            name,
            element.dtype(),
            List.of(
                IntImm.of(shape.slots()),
                IntImm.of(depthIsFirst ? depth : width),
                IntImm.of((depthIsFirst ? width : depth) + gap)),
            MemoryScope.SHARED);
  }

  /** Whether all elements are adjacent along a counter. */
  static boolean isStepOne(PrimExpr element, Var counter) {
    List<BufferLoad> loads = loads(element);
    return !loads.isEmpty()
        && loads.stream()
            .allMatch(
                load ->
                    new Access(load.buffer(), load.indices(), false)
                        .step(counter)
                        .filter(step -> step.equals(IntImm.of(1)))
                        .isPresent());
  }

  private static List<BufferLoad> loads(PrimExpr expr) {
    List<BufferLoad> loads = new ArrayList<>();
    if (expr instanceof BufferLoad load) {
      loads.add(load);
    } else {
      expr.operands().forEach(operand -> loads.addAll(loads(operand)));
    }
    return loads;
  }

  /** The memory, with an axis for the slices. */
  Buffer memory() {
    return tile;
  }

  /** An element of a slice. */
  PrimExpr at(PrimExpr slot, PrimExpr inDepth, PrimExpr inWidth) {
    return tile.load(indices(slot, inDepth, inWidth));
  }

  private List<PrimExpr> indices(PrimExpr slot, PrimExpr inDepth, PrimExpr inWidth) {
    return depthIsFirst ? List.of(slot, inDepth, inWidth) : List.of(slot, inWidth, inDepth);
  }

  /**
   * A work-item's part of bringing a slice: neighbours in memory are brought by neighbours.
   *
   * @param slot where it goes
   * @param from where the slice starts along the rows or columns
   * @param depthFrom where it starts along the depth
   * @param inDepth whether the slice surely is inside of the operand along the depth
   */
  Stmt bring(
      PrimExpr slot, PrimExpr from, PrimExpr depthFrom, boolean inDepth, Var item, int items) {
    int across = (alongDepth ? depth : width) / lanes;
    int chunks = width * depth / lanes;
    Var iteration = Var.index("turn");
    Var chunk = Var.index("chunk");
    PrimExpr near = Exprs.mul(Exprs.floorMod(chunk, across), lanes);
    PrimExpr far = Exprs.floorDiv(chunk, across);
    PrimExpr toDepth = alongDepth ? near : far;
    PrimExpr toWidth = alongDepth ? far : near;
    Var at = Var.index("at");
    Var k = Var.index("k");
    Var lane = Var.index("lane");
    PrimExpr step = lanes == 1 ? IntImm.of(0) : lane;
    PrimExpr depthStep = alongDepth ? step : IntImm.of(0);
    PrimExpr widthStep = alongDepth ? IntImm.of(0) : step;
    PrimExpr value = inside(Exprs.add(at, widthStep), Exprs.add(k, depthStep), inDepth);
    List<PrimExpr> to = indices(slot, Exprs.add(toDepth, depthStep), Exprs.add(toWidth, widthStep));
    Stmt body = new BufferStore(tile, value, to);
    body = lanes == 1 ? body : For.of(ForKind.VECTORIZED, lane, IntImm.of(lanes), body);
    body = new Let(k, Exprs.add(depthFrom, toDepth), body);
    body = new Let(at, Exprs.add(from, toWidth), body);
    if (chunks % items != 0) {
      body = WorkGroups.guarded(Exprs.lt(chunk, IntImm.of(chunks)), body);
    }
    body = new Let(chunk, Exprs.add(Exprs.mul(iteration, items), item), body);
    return For.of(ForKind.UNROLLED, iteration, IntImm.of((chunks + items - 1) / items), body);
  }

  /** An element of the operand, or 0 where there is none. */
  private PrimExpr inside(PrimExpr at, PrimExpr k, boolean inDepth) {
    PrimExpr inside = IntImm.of(true);
    if (!(extent instanceof IntImm known && known.value() % width == 0)) {
      inside = Exprs.lt(at, extent);
    }
    if (!inDepth) {
      inside = Exprs.and(inside, Exprs.lt(k, fullDepth));
    }
    PrimExpr value = operand.at(batch, at, k);
    return inside.equals(IntImm.of(true))
        ? value
        : Exprs.ifThenElse(inside, value, Exprs.constant(tile.dtype(), 0));
  }

  /** Copies that may be under way while work-items go on. */
  static Stmt asCopies(Stmt copies) {
    return WorkGroups.annotated(List.of(), Map.of(ScheduleAnnotations.COPIES, true), copies);
  }

  /** Bytes of slices of a shape, in any layout. */
  static long bytes(int width, BlockShape shape, int elementBytes) {
    int gap = CHUNK_BYTES / elementBytes;
    long line =
        Math.max((long) (width + gap) * shape.depth(), (long) width * (shape.depth() + gap));
    return line * shape.slots() * elementBytes;
  }
}
