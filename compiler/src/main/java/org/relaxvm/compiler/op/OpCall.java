package org.relaxvm.compiler.op;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A call of an operator as its rule sees it: arguments by their types, attributes with their
 * defaults. Each question about an argument that is of another kind is a {@code TypeError}.
 *
 * @param op the operator
 * @param call the call; its arguments have types
 * @param context the program around it
 */
public record OpCall(OpDef op, Call call, OpContext context) {
  /** Compares extents. */
  public Analyzer analyzer() {
    return context.analyzer();
  }

  /** The number of arguments. */
  public int size() {
    return call.args().size();
  }

  /** An argument. */
  public Expr arg(int index) {
    return call.args().get(index);
  }

  /** The type of an argument. */
  public Type type(int index) {
    return TypeInference.of(arg(index), context);
  }

  /** The type of an argument that is a tensor. */
  public TensorType tensor(int index) {
    if (type(index) instanceof TensorType tensor) {
      return tensor;
    }
    throw wrong(index, "a tensor");
  }

  /** The types of the fields of an argument that is a tuple of tensors. */
  public List<TensorType> tensors(int index) {
    if (type(index) instanceof TupleType(var fields)
        && fields.stream().allMatch(field -> field instanceof TensorType)) {
      return fields.stream().map(TensorType.class::cast).toList();
    }
    throw wrong(index, "a tuple of tensors");
  }

  /** The type of an argument that is a shape. */
  public ShapeType shape(int index) {
    if (type(index) instanceof ShapeType shape) {
      return shape;
    }
    throw wrong(index, "a shape");
  }

  /** The type of an argument that is a scalar. */
  public PrimType scalar(int index) {
    if (type(index) instanceof PrimType scalar) {
      return scalar;
    }
    throw wrong(index, "a scalar");
  }

  /** The expression of an argument that is a scalar; empty when it is a variable of the program. */
  public Optional<PrimExpr> value(int index) {
    scalar(index);
    return resolved(index) instanceof PrimValue(PrimExpr value)
        ? Optional.of(value)
        : Optional.empty();
  }

  /** The extents of an argument that is a shape; empty when they are not known. */
  public Optional<List<PrimExpr>> dims(int index) {
    return resolved(index) instanceof ShapeExpr(var values)
        ? Optional.of(values)
        : shape(index).dims();
  }

  /** The fields of an argument that is a tuple in the call or in a binding; else empty. */
  public Optional<List<Expr>> fields(int index) {
    return resolved(index) instanceof Tuple(var fields) ? Optional.of(fields) : Optional.empty();
  }

  /** An argument, or what it is bound to when it is a variable. */
  public Expr resolved(int index) {
    Expr arg = arg(index);
    while (arg instanceof RelaxVar var) {
      Optional<Expr> value = context.lookup(var);
      if (value.isEmpty()) {
        return arg;
      }
      arg = value.get();
    }
    return arg;
  }

  /** The attributes; those that are not given have their defaults. */
  public Attrs attrs() {
    return op.withDefaults(call.attrs());
  }

  /** An error about an argument. */
  public InvalidProgramException wrong(int index, String expected) {
    return new InvalidProgramException(
        ErrorKind.TYPE,
        op.name()
            + ": the argument "
            + op.argName(index)
            + " must be "
            + expected
            + ", but is "
            + type(index));
  }

  /** An error about values, extents or attributes. */
  public InvalidProgramException error(String message) {
    return new InvalidProgramException(ErrorKind.VALUE, op.name() + ": " + message);
  }

  /** An error about dtypes and kinds. */
  public InvalidProgramException typeError(String message) {
    return new InvalidProgramException(ErrorKind.TYPE, op.name() + ": " + message);
  }
}
