package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.loops.BoundsGuards;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.BufferUses;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.Stage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.Attempt;
import org.relaxvm.tir.schedule.InlineProducers;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Verified;

/**
 * Arranges kernels for devices with work-groups. Stateless; safe for concurrent use.
 *
 * <p>Results are those of the kernel, except for the rounding of reductions that work-items share.
 */
public final class GpuSchedule {
  private GpuSchedule() {}

  /**
   * The launches of a kernel.
   *
   * @param function of any shapes, not scheduled
   * @param limits of the device
   * @throws InvalidProgramException when the kernel is not valid, calls functions of the host, or
   *     gives a result other than through its parameters
   */
  public static ScheduledKernel of(PrimFunc function, GpuLimits limits) {
    return of(KernelAnalysis.of(function), limits);
  }

  /** As {@link #of(PrimFunc, GpuLimits)}, for a kernel that is analyzed already. */
  public static ScheduledKernel of(KernelAnalysis given, GpuLimits limits) {
    requireDeviceCode(given.kernel());
    KernelAnalysis analysis =
        given.isUnscheduled()
            ? KernelAnalysis.of(
                InlineProducers.in(given, Attempt.HOPEFUL, SharedTemporaries::isOfUnknownSize))
            : given;
    Verified verified = Verified.of(analysis.kernel());
    PrimFunc guarded = BoundsGuards.in(analysis.kernel(), verified.unproven().accesses());
    List<Stage> stages = analysis.parallelStages(KernelAnalysis.of(guarded));
    List<Buffer> temporaries = new ArrayList<>(temporaries(guarded));
    List<Stmt> launches = new Launches(limits, stages, temporaries).all();
    Set<Buffer> used = new HashSet<>();
    launches.forEach(launch -> used.addAll(BufferUses.of(launch)));
    List<Buffer> left =
        new ArrayList<>(temporaries.stream().distinct().filter(used::contains).toList());
    List<Stmt> moved = new SharedTemporaries(limits).in(launches, left);
    return new ScheduledKernel(guarded, moved, left);
  }

  /** The buffers that the root block allocates. */
  private static List<Buffer> temporaries(PrimFunc function) {
    return function.body() instanceof BlockRealize root && root.block().name().equals(Block.ROOT)
        ? root.block().allocBuffers()
        : List.of();
  }

  private static void requireDeviceCode(PrimFunc function) {
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        for (Buffer buffer : block.allocBuffers()) {
          if (buffer.scope() != MemoryScope.GLOBAL
              && !buffer.shape().stream().allMatch(IntImm.class::isInstance)) {
            throw new InvalidProgramException(
                ErrorKind.VALUE,
                "the kernel "
                    + function.name()
                    + " needs an array "
                    + buffer
                    + " of scope "
                    + buffer.scope().text()
                    + ", which must have a known size on a device");
          }
        }
        super.visit(block);
      }

      @Override
      public void visit(Stmt stmt) {
        switch (stmt) {
          case CallPacked call ->
              throw new InvalidProgramException(
                  ErrorKind.VALUE,
                  "the kernel "
                      + function.name()
                      + " calls the function "
                      + call.name()
                      + ", which runs on the host and not on a device");
          case Return result ->
              throw new InvalidProgramException(
                  ErrorKind.VALUE,
                  "the kernel "
                      + function.name()
                      + " returns a number, which only functions of the host can");
          default -> super.visit(stmt);
        }
      }
    }.visit(function.body());
  }
}
