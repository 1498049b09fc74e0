package org.relaxvm.backendsupport.gpu.codegen;

import java.util.List;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The kernel of a launch and how it is called.
 *
 * @param name of the kernel in its program
 * @param text the kernel in its language, without what {@link ProgramSource} puts in front
 * @param parameters in order
 * @param workGroups the number of work-groups along x, y and z, in terms of the extents of the
 *     kernel
 * @param workGroupSize work-items of a work-group, all along x
 * @param sharedBytes memory that the work-items of a work-group share
 * @param launchBytes that have to be given at the launch; 0 where the kernel declares all of it
 */
public record LaunchSource(
    String name,
    String text,
    List<Parameter> parameters,
    List<PrimExpr> workGroups,
    int workGroupSize,
    long sharedBytes,
    long launchBytes) {
  /** Copies the lists. */
  public LaunchSource {
    parameters = List.copyOf(parameters);
    workGroups = List.copyOf(workGroups);
  }

  /** A parameter of a launch. */
  public sealed interface Parameter {
    /**
     * The memory that a buffer of the kernel, or one of its temporaries, lies in; the first element
     * of it where {@linkplain Dialect#addressesIncludeOffsets addresses include offsets}.
     */
    record Memory(Buffer buffer) implements Parameter {}

    /** Where in that memory the buffer starts, in elements; of the type of indices. */
    record Offset(Buffer buffer) implements Parameter {}

    /**
     * A variable of the kernel.
     *
     * @param index whether it has the type of indices, and not that of its dtype
     */
    record Number(Var var, boolean index) implements Parameter {}

    /**
     * Which work-group the first one of a launch is, of the type of indices: work-groups that may
     * be more than one launch has are launched in several.
     *
     * @param axis 0 for x
     * @param most how many work-groups along this axis one launch has at most
     */
    record FirstWorkGroup(int axis, long most) implements Parameter {}
  }
}
