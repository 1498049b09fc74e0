package org.relaxvm.tir.analysis;

import java.util.HashSet;
import java.util.Set;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallEffects.Trait;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;

/** Which parameters a kernel writes, for engines that run independent calls at the same time. */
public final class KernelEffects {
  private KernelEffects() {}

  /**
   * The effects of a kernel: the buffers that it stores to are written, and the outputs of
   * functions of the kernel library that it calls. Nothing is known of a kernel that calls another
   * function.
   */
  public static CallEffects of(PrimFunc kernel) {
    Set<Buffer> written = new HashSet<>();
    boolean[] callsUnknown = {false};
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BufferStore store) {
          written.add(store.buffer());
        } else if (stmt instanceof CallPacked call) {
          CallEffects effects =
              KernelLibrary.standard()
                  .find(call.name())
                  .map(KernelSignature::effects)
                  .orElse(CallEffects.UNKNOWN);
          callsUnknown[0] |= !effects.has(Trait.KNOWN);
          for (int i = 0; i < call.args().size(); i++) {
            if (call.args().get(i) instanceof PackedArg.OfBuffer(Buffer buffer)
                && effects.writes(i)) {
              written.add(buffer);
            }
          }
        }
        super.visit(stmt);
      }
    }.visit(kernel);
    if (callsUnknown[0]) {
      return CallEffects.UNKNOWN;
    }
    Set<Integer> indices = new HashSet<>();
    for (int i = 0; i < kernel.params().size(); i++) {
      if (kernel.params().get(i) instanceof Param.OfBuffer(Buffer buffer)
          && written.contains(buffer)) {
        indices.add(i);
      }
    }
    return CallEffects.writing(indices);
  }
}
