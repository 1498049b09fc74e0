package org.relaxvm.tir.op;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Tensors to call operators with that they refuse. */
public final class Mistakes {
  /** What the tensors belong to. */
  public final KernelBuilder k = new KernelBuilder("k");

  private int tensors;

  /** A new tensor, the first one of which is named {@code a}, the second one {@code b}. */
  public TensorExpr of(DType dtype, long... extents) {
    List<IntImm> shape = Arrays.stream(extents).mapToObj(IntImm::of).toList();
    return k.input(Character.toString('a' + tensors++), dtype, shape);
  }

  /** A new tensor of float32. */
  public TensorExpr floats(long... extents) {
    return of(DType.FLOAT32, extents);
  }

  /** A new tensor of int64. */
  public TensorExpr ints(long... extents) {
    return of(DType.INT64, extents);
  }

  /** A new tensor of bool. */
  public TensorExpr bools(long... extents) {
    return of(DType.BOOL, extents);
  }

  /** Something of tensors. */
  public interface Call {
    /** Calls an operator. */
    void with(Mistakes m);
  }

  /** Expects that an operator refuses its arguments with a message. */
  public static void refused(Call call, String message) {
    ThrowingCallable work = () -> call.with(new Mistakes());
    assertThatThrownBy(work).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }
}
