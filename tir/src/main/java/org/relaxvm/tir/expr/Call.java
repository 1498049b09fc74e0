package org.relaxvm.tir.expr;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** A function of scalars. Has no effect. */
public record Call(Intrinsic op, List<PrimExpr> args) implements PrimExpr {
  /** Checks number and dtypes of the arguments. */
  public Call {
    args = List.copyOf(args);
    if (args.size() != op.arity()) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          op.text() + " takes " + Count.arguments(op.arity()) + ", but got " + args.size());
    }
    DType first = args.getFirst().dtype();
    if (op.rule() == Intrinsic.Rule.CHOICE) {
      DTypes.requireBool(first, "the condition of " + op.text());
    }
    DType last = args.getLast().dtype();
    if (args.size() > 1) {
      DTypes.requireSame(args.get(args.size() - 2).dtype(), last, op.text());
    }
    if (op.rule() != Intrinsic.Rule.CHOICE) {
      DTypes.requireComputable(last, op.text());
    }
    boolean right =
        switch (op.rule()) {
          case FLOAT, FLOAT_TEST -> last.isFloat();
          case INTEGER -> DTypes.isInteger(last);
          case NUMBER -> last.isFloat() || DTypes.isInteger(last);
          case CHOICE -> true;
        };
    if (!right) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, op.text() + " cannot work on arguments of dtype " + last);
    }
  }

  @Override
  public DType dtype() {
    return op.rule() == Intrinsic.Rule.FLOAT_TEST ? DType.BOOL : args.getLast().dtype();
  }

  @Override
  public List<PrimExpr> operands() {
    return args;
  }

  @Override
  public PrimExpr withOperands(List<PrimExpr> operands) {
    return new Call(op, operands);
  }
}
