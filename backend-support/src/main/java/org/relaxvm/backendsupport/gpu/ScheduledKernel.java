package org.relaxvm.backendsupport.gpu;

import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A kernel as launches that follow each other.
 *
 * <p>A launch is a nest of loops bound to {@code blockIdx} axes, the work-groups, with loops bound
 * to {@code threadIdx.x} inside, the work-items. Each of the latter is a phase: all work-items of a
 * work-group do it before the next one starts. So the launches also mean the same when they are
 * read as loops that run one iteration after the other. What is around phases is the same for all
 * work-items of a work-group.
 *
 * <p>A buffer of local scope that lies around phases has a first axis with an element for each
 * work-item, which uses no other.
 *
 * @param kernel the kernel that was scheduled, with bounds checked where they may not hold
 * @param launches in order; no statement of one is shared with another
 * @param temporaries buffers in the memory of the device that launches share
 */
public record ScheduledKernel(PrimFunc kernel, List<Stmt> launches, List<Buffer> temporaries) {
  /** Copies the lists. */
  public ScheduledKernel {
    launches = List.copyOf(launches);
    temporaries = List.copyOf(temporaries);
  }

  /** The same as one kernel of the kernel IR. */
  public PrimFunc asKernel() {
    return kernel.withBody(Block.root(temporaries, Seq.of(launches)));
  }
}
