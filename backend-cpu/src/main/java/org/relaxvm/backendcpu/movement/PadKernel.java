package org.relaxvm.backendcpu.movement;

import java.util.List;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.KernelCall;

/**
 * {@code relaxvm.pad}: copies the input into the middle of the output, then gives the output its
 * margins axis by axis, each from elements that are there already.
 */
final class PadKernel {
  private static final List<String> MODES = List.of("constant", "reflect", "replicate", "circular");

  private final KernelCall call;
  private final String mode;
  private final Operand value;
  private final Operand out;

  private PadKernel(KernelCall call, String mode) {
    this.call = call;
    this.mode = mode;
    this.value = FillKernels.constant(call, 3);
    this.out = Operand.of(call.output());
  }

  static void run(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    String mode = call.args().stringAt(2);
    if (!MODES.contains(mode)) {
      throw call.wrong(2, "'constant', 'reflect', 'replicate' or 'circular'", "'" + mode + "'");
    }
    long[] width = widths(call, x, mode);
    long[] padded = x.dims().clone();
    for (int axis = 0; axis < padded.length; axis++) {
      long margins = width[2 * axis] + width[2 * axis + 1];
      // Too large a sum is negative or wraps to a shape that no output has.
      padded[axis] = margins < 0 ? Long.MAX_VALUE : padded[axis] + margins;
    }
    call.requireShape(4, Shape.of(padded));
    new PadKernel(call, mode).fill(x, width);
  }

  private static long[] widths(KernelCall call, Operand x, String mode) {
    Shape given = call.args().shapeAt(1);
    boolean fits = given.rank() == 2 * x.rank();
    for (int i = 0; fits && i < given.rank(); i++) {
      fits = given.dim(i) >= 0;
    }
    if (!fits) {
      throw call.wrong(1, 2 * x.rank() + " numbers of at least 0", given.toString());
    }
    for (int i = 0; i < given.rank(); i++) {
      long extent = x.dim(i / 2);
      long most =
          switch (mode) {
            case "reflect" -> Math.max(0, extent - 1);
            case "circular" -> extent;
            case "replicate" -> extent == 0 ? 0 : Long.MAX_VALUE;
            default -> Long.MAX_VALUE;
          };
      if (given.dim(i) > most) {
        throw call.wrong(
            1,
            "at most " + most + " beside axis " + i / 2 + " of extent " + extent + " for " + mode,
            given.toString());
      }
    }
    return given.toArray();
  }

  private void fill(Operand x, long[] width) {
    long[] dims = x.dims().clone();
    long offset = out.offset();
    for (int axis = 0; axis < dims.length; axis++) {
      offset += width[2 * axis] * out.stride(axis);
    }
    Moves.run(call, x, part(offset, dims, out.strides()));
    for (int axis = dims.length - 1; axis >= 0; axis--) {
      long extent = dims[axis];
      long before = width[2 * axis];
      long after = width[2 * axis + 1];
      long stride = out.stride(axis);
      margin(axis, dims, before, offset - before * stride, offset + start(before, extent) * stride);
      margin(axis, dims, after, offset + extent * stride, offset + end(extent) * stride);
      offset -= before * stride;
      dims[axis] = before + extent + after;
    }
  }

  /** The place in the axis of what comes first before it. */
  private long start(long before, long extent) {
    return switch (mode) {
      case "reflect" -> before;
      case "circular" -> extent - before;
      default -> 0;
    };
  }

  /** The place in the axis of what comes first after it. */
  private long end(long extent) {
    return switch (mode) {
      case "reflect" -> extent - 2;
      case "replicate" -> extent - 1;
      default -> 0;
    };
  }

  private void margin(int axis, long[] region, long width, long target, long source) {
    if (width == 0) {
      return;
    }
    long[] dims = region.clone();
    dims[axis] = width;
    Operand to = part(target, dims, out.strides());
    if (mode.equals("constant")) {
      Moves.run(call, Moves.everywhere(value, dims), to);
      return;
    }
    long[] strides = out.strides().clone();
    if (mode.equals("reflect")) {
      strides[axis] = -strides[axis];
    } else if (mode.equals("replicate")) {
      strides[axis] = 0;
    }
    Moves.run(call, part(source, dims, strides), to);
  }

  private Operand part(long offset, long[] dims, long[] strides) {
    return new Operand(out.memory(), offset, dims.clone(), strides);
  }
}
