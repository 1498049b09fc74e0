package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/**
 * A call of {@code relaxvm.max_pool2d} or {@code relaxvm.avg_pool2d} whose arguments fit together.
 * Immutable; used by several threads during the call.
 *
 * @param max whether the largest element is wanted, not the mean
 * @param countPadding whether means count elements of the padding
 * @param dtype of both operands
 * @param floats how to compute in float32
 * @param in {@code [n, c, h, w]}
 * @param out {@code [n, c, oh, ow]}
 * @param workers null outside of a VM
 */
public record Pooling(
    boolean max,
    boolean countPadding,
    DType dtype,
    Lanes<float[]> floats,
    Operand in,
    Operand out,
    Window.Pair windows,
    @Nullable WorkerPool workers) {

  /** Checks the arguments of a call. */
  static Pooling of(KernelCall call, boolean max) {
    call.requireRank(0, 4);
    Window.Pair windows = Window.pair(call, 0, call.extents(1, 2, 1), 2);
    boolean roundUp = call.booleanAt(5);
    long rows = windows.vertical().positions(roundUp);
    long columns = windows.horizontal().positions(roundUp);
    Shape shape = call.tensor(0).shape();
    call.requireShape(call.count() - 1, Shape.of(shape.dim(0), shape.dim(1), rows, columns));
    return new Pooling(
        max,
        !max && call.booleanAt(6),
        call.output().dtype(),
        call.floats(),
        Operand.of(call.tensor(0)),
        Operand.of(call.output()),
        windows,
        call.workers());
  }
}
