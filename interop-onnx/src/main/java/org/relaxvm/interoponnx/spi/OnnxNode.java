package org.relaxvm.interoponnx.spi;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A node that is being translated: its inputs, its attributes, and where bindings go. A leaf is an
 * expression that needs no binding, such as what {@link #tensor} and {@link #emit} return;
 * operators of Relax IR take leaves. Not thread-safe; valid while the node is translated.
 */
public interface OnnxNode {
  /** The name of the operator. */
  String operator();

  /** The version of the operator's domain that the model imports. */
  long version();

  /** The node in messages: its name, or its operator and first output. */
  String label();

  /** The attributes. */
  OnnxAttributes attributes();

  /** The number of inputs, absent ones included. */
  int inputs();

  /** The number of outputs, those that nobody wants included. */
  int outputs();

  /** Whether an optional input is there. */
  boolean has(int input);

  /**
   * An input as a leaf of a tensor type.
   *
   * @throws InvalidProgramException when it is absent, or is no tensor
   */
  Expr tensor(int input);

  /** The integers of an input, if they are known while the model is imported. */
  Optional<List<Long>> integers(int input);

  /** The type of a leaf. */
  TensorType type(Expr leaf);

  /** The dtype of a leaf. */
  DType dtype(Expr leaf);

  /** The number of axes of a leaf. */
  int rank(Expr leaf);

  /** The extents of a leaf; those that are not known become symbols, bound at run time. */
  List<PrimExpr> dims(Expr leaf);

  /** A number as a tensor without axes. */
  Expr scalar(DType dtype, double value);

  /** Binds an expression to a variable named after the first output. */
  Expr emit(Expr value);

  /**
   * A call of a packed function, which gets the arguments and the result to write to. It is found
   * by name when the program is linked: among functions of the builder and of function providers.
   */
  Expr callPacked(String function, List<? extends Expr> args, TensorType result);

  /**
   * The leaves with extents that broadcast. Extents that are neither 1 nor surely equal are taken
   * to be equal, which is checked at run time.
   */
  List<Expr> broadcast(List<Expr> leaves);

  /**
   * The error for a node that cannot be translated.
   *
   * @param problem what is wrong
   * @param remedy what to do; the empty string when nothing is known
   */
  InvalidProgramException unsupported(String problem, String remedy);
}
