package org.relaxvm.compiler.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.rewrite.ExprVisitor;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;

/** Arguments to call operators with, and what the rules say of the calls. */
public final class Rules {
  private Rules() {}

  /** A parameter named {@code x}. */
  public static RelaxVar of(Type type) {
    return new RelaxVar("x", type);
  }

  /** A float32 tensor of these extents. */
  public static RelaxVar floats(Object... dims) {
    return of(TensorType.of(DType.FLOAT32, dims));
  }

  /** An int64 tensor of these extents. */
  public static RelaxVar ints(Object... dims) {
    return of(TensorType.of(DType.INT64, dims));
  }

  /** A tensor of a dtype of these extents. */
  public static RelaxVar tensor(DType dtype, Object... dims) {
    return of(TensorType.of(dtype, dims));
  }

  /** A float32 tensor with a number of axes. */
  public static RelaxVar ofRank(int ndim) {
    return of(TensorType.ofRank(DType.FLOAT32, ndim));
  }

  /** An int64 tensor with a number of axes. */
  public static RelaxVar intsOfRank(int ndim) {
    return of(TensorType.ofRank(DType.INT64, ndim));
  }

  /** A float32 tensor of which nothing else is known. */
  public static RelaxVar someFloats() {
    return ofRank(-1);
  }

  /** A tensor of which nothing is known. */
  public static RelaxVar unknown() {
    return of(TensorType.unknown());
  }

  /** A value of which nothing is known. */
  public static RelaxVar any() {
    return of(AnyType.ANY);
  }

  /** A scalar that the program computes. */
  public static RelaxVar scalar(DType dtype) {
    return of(new PrimType(dtype));
  }

  /** A float32 vector on a virtual device. */
  public static RelaxVar onDevice(String kind) {
    VDevice vdevice = new VDevice(kind, 0, "global");
    return of(TensorType.of(DType.FLOAT32, 2).withVDevice(Optional.of(vdevice)));
  }

  /** What an expression is; its variables are parameters of the function around it. */
  public static Type typeOf(Expr expr) {
    BlockBuilder builder = new BlockBuilder();
    builder.beginFunction("main", params(expr));
    builder.beginBlock(false);
    return builder.normalize(expr).type();
  }

  /** Expects a type by its text. */
  public static void is(Expr expr, String type) {
    assertThat(typeOf(expr)).hasToString(type);
  }

  /** Expects that a call is refused. */
  public static void refused(Expr expr, String message) {
    assertThatThrownBy(() -> typeOf(expr))
        .isInstanceOf(InvalidProgramException.class)
        .extracting(e -> ((InvalidProgramException) e).summary())
        .isEqualTo(message);
  }

  /** The variables of an expression, each once. */
  static List<RelaxVar> params(Expr expr) {
    Set<RelaxVar> found = new LinkedHashSet<>();
    new ExprVisitor() {
      @Override
      public void visit(Expr part) {
        if (part instanceof RelaxVar var) {
          found.add(var);
        }
        super.visit(part);
      }
    }.visit(expr);
    return new ArrayList<>(found);
  }
}
