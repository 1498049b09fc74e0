package org.relaxvm.backendcpu.vector.gemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.MemoryLanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Epilogue;
import org.relaxvm.backendcpu.kernel.MatrixProduct;

/**
 * What happens to the sums of a row: residual, bias, activation. Where sums are adjacent in the
 * output they are finished there, by the loops of the functions on their own. Immutable.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why is the epilogue applied in the output and not
 * in arrays?"
 *
 * @param <A> the array type
 */
public final class RowFinish<A> {
  /** Shorter rows are brought into an array once, not a few times. */
  private static final int LEAST_IN_MEMORY = 64;

  private final Codec<A> codec;
  private final MatrixProduct product;
  private final Epilogue<A> epilogue;
  private final Operand out;
  private final int axis;

  /** Arrays of one thread. */
  public interface Lines<A> {
    /** An array for a row of the output. */
    A line(int length);

    /** An array for what is added to it, as long as the line. */
    A extra();
  }

  /** What a product does to its sums. */
  public RowFinish(Codec<A> codec, MatrixProduct product) {
    this.codec = codec;
    this.product = product;
    epilogue = Epilogue.of(codec, product.bias(), product.residual(), product.activation());
    out = product.out();
    axis = product.rowAxis();
  }

  /** Whether sums are results as they are. */
  public boolean isEmpty() {
    return epilogue.isEmpty();
  }

  /** Finishes a piece of a row whose sums are neighbours in the output. */
  public void inPlace(Lines<A> scratch, long batch, long row, long column, int width) {
    MemoryLanes memory = codec.memory();
    if (memory == null || width < LEAST_IN_MEMORY) {
      A line = scratch.line(width);
      codec.load(out.memory(), place(out, batch, row, column), codec.bytes(), line, 0, width);
      store(scratch, line, batch, row, column, width);
      return;
    }
    add(memory, scratch, epilogue.residual(), batch, row, column, width);
    add(memory, scratch, epilogue.bias(), batch, row, column, width);
    if (epilogue.activation() != null) {
      long at = place(out, batch, row, column);
      int done = memory.unary(epilogue.activation(), out.memory(), at, out.memory(), at, width);
      int rest = width - done;
      if (rest > 0) {
        A line = scratch.line(rest);
        at += done * (long) codec.bytes();
        codec.load(out.memory(), at, codec.bytes(), line, 0, rest);
        codec.lanes().unary(epilogue.activation(), line, rest);
        codec.store(line, 0, rest, out.memory(), at, codec.bytes());
      }
    }
  }

  private void add(
      MemoryLanes memory,
      Lines<A> scratch,
      @Nullable Operand summand,
      long batch,
      long row,
      long column,
      int width) {
    if (summand == null) {
      return;
    }
    long at = place(out, batch, row, column);
    long from = place(summand, batch, row, column);
    long step = summand.stride(axis + 1);
    int done = 0;
    if (step == codec.bytes()) {
      done =
          memory.binary(
              BinaryOp.ADD, out.memory(), at, summand.memory(), from, out.memory(), at, width);
    } else if (step == 0) {
      done =
          memory.binaryWithOne(
              BinaryOp.ADD, out.memory(), at, summand.memory(), from, out.memory(), at, width);
    }
    int rest = width - done;
    if (rest > 0) {
      A line = scratch.line(rest);
      at += done * (long) codec.bytes();
      codec.load(out.memory(), at, codec.bytes(), line, 0, rest);
      codec.load(summand.memory(), from + done * step, step, scratch.extra(), 0, rest);
      codec.lanes().binary(BinaryOp.ADD, line, scratch.extra(), 0, rest);
      codec.store(line, 0, rest, out.memory(), at, codec.bytes());
    }
  }

  /** Finishes a piece of a row and brings it to the output. */
  public void store(Lines<A> scratch, A line, long batch, long row, long column, int width) {
    Operand residual = epilogue.residual();
    if (residual != null) {
      long from = place(residual, batch, row, column);
      epilogue.addResidual(line, 0, width, from, residual.stride(axis + 1), scratch.extra());
    }
    Operand bias = epilogue.bias();
    long biasAt = bias == null ? 0 : place(bias, batch, row, column);
    long biasStep = bias == null ? 0 : bias.stride(axis + 1);
    epilogue.finish(line, width, biasAt, biasStep, scratch.extra());
    long at = place(out, batch, row, column);
    codec.store(line, 0, width, out.memory(), at, out.stride(axis + 1));
  }

  private long place(Operand operand, long batch, long row, long column) {
    return product.place(operand, batch)
        + row * operand.stride(axis)
        + column * operand.stride(axis + 1);
  }
}
