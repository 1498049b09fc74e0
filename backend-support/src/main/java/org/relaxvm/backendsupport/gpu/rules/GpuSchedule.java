package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.analysis.BoundsGuards;
import org.relaxvm.backendsupport.gpu.analysis.Independence;
import org.relaxvm.backendsupport.gpu.analysis.Stage;
import org.relaxvm.backendsupport.gpu.analysis.StageReader;
import org.relaxvm.backendsupport.gpu.analysis.Uses;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Stages;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.Attempt;
import org.relaxvm.tir.schedule.InlineProducers;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Verified;

/**
 * Arranges kernels for devices with groups of work-items. Stateless; safe for concurrent use.
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
    requireDeviceCode(function);
    boolean apart = Stages.areApart(function);
    PrimFunc inlined = apart ? InlineProducers.in(function, Attempt.HOPEFUL) : function;
    Verified verified = Verified.of(inlined);
    PrimFunc guarded = BoundsGuards.in(inlined, verified.unproven().accesses());
    Set<Var> independent = apart ? Independence.of(inlined) : Set.of();
    List<Buffer> temporaries = new ArrayList<>();
    List<Unit> units = new ArrayList<>();
    for (Stmt statement : statements(guarded, temporaries)) {
      Optional<Stage> stage =
          apart ? StageReader.read(guarded, statement, independent) : Optional.empty();
      units.add(new Unit(statement, stage));
    }
    List<Stmt> launches = new Launches(limits, Unit.joined(units), temporaries).all();
    Set<Buffer> used = new HashSet<>();
    launches.forEach(launch -> used.addAll(Uses.of(launch)));
    List<Buffer> left =
        new ArrayList<>(temporaries.stream().distinct().filter(used::contains).toList());
    List<Stmt> moved = new GroupMemory(limits).in(launches, left);
    return new ScheduledKernel(guarded, moved, left);
  }

  /** What follows each other in a kernel, without the block around all. */
  private static List<Stmt> statements(PrimFunc function, List<Buffer> temporaries) {
    Stmt body = function.body();
    if (body instanceof BlockRealize root && root.block().name().equals(Block.ROOT)) {
      temporaries.addAll(root.block().allocBuffers());
      body = root.block().body();
    }
    return body instanceof Seq seq ? seq.statements() : List.of(body);
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
