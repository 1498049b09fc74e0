package org.relaxvm.backendcpu.codegen.loops;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** The flat buffers of a kernel's buffers, and where elements are in them. Not thread-safe. */
final class FlatBuffers {
  private record Flat(Buffer buffer, List<PrimExpr> strides, PrimExpr offset) {}

  private final Map<Buffer, Flat> known = new IdentityHashMap<>();

  /** A parameter: its memory starts at its first element. */
  Buffer parameter(Buffer buffer) {
    return add(buffer, IntImm.of(0), size(buffer));
  }

  /** Memory of the kernel itself. */
  Buffer allocated(Buffer buffer) {
    return add(buffer, buffer.elemOffset(), size(buffer));
  }

  private Buffer add(Buffer buffer, PrimExpr offset, PrimExpr size) {
    List<PrimExpr> strides =
        buffer.strides().isEmpty() ? Exprs.rowMajorStrides(buffer.shape()) : buffer.strides();
    Buffer flat = Buffer.of(buffer.name(), buffer.dtype(), List.of(size), buffer.scope());
    known.put(buffer, new Flat(flat, strides, offset));
    return flat;
  }

  /** The flat buffer of a buffer that was added. */
  Buffer of(Buffer buffer) {
    return flat(buffer).buffer();
  }

  /**
   * Where an element is, in terms of what the indices are made of.
   *
   * @param value what a stride or offset of the buffer is in those terms
   */
  PrimExpr place(Buffer buffer, List<PrimExpr> indices, UnaryOperator<PrimExpr> value) {
    Flat flat = flat(buffer);
    List<PrimExpr> strides = flat.strides().stream().map(value).toList();
    return Exprs.add(Exprs.dot(indices, strides), value.apply(flat.offset()));
  }

  private Flat flat(Buffer buffer) {
    Flat flat = known.get(buffer);
    if (flat == null) {
      throw new IllegalStateException("the buffer " + buffer + " of a verified kernel is unknown");
    }
    return flat;
  }

  /** The elements from the start of the memory to the last one. */
  private static PrimExpr size(Buffer buffer) {
    if (buffer.strides().isEmpty()) {
      PrimExpr size = IntImm.of(1);
      for (PrimExpr extent : buffer.shape()) {
        size = Exprs.mul(size, extent);
      }
      return Exprs.add(size, buffer.elemOffset());
    }
    PrimExpr last = buffer.elemOffset();
    for (int axis = 0; axis < buffer.rank(); axis++) {
      PrimExpr steps = Exprs.max(Exprs.sub(buffer.shape().get(axis), 1), IntImm.of(0));
      last = Exprs.add(last, Exprs.mul(steps, buffer.strides().get(axis)));
    }
    return Exprs.add(last, 1);
  }
}
