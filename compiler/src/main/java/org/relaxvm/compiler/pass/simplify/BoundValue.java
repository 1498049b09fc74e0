package org.relaxvm.compiler.pass.simplify;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.type.Type;

/**
 * What a binding gives a name; two are equal when they certainly have the same value. Large
 * constants are equal to themselves only: comparing them would read weights that are in a file.
 *
 * @param target of a match_cast; empty for other bindings
 */
record BoundValue(Expr value, Optional<Type> target) {
  /** Bytes of a constant that is compared by its data. */
  private static final long COMPARED = 1024;

  @Override
  public boolean equals(Object other) {
    return other instanceof BoundValue(Expr otherValue, Optional<Type> otherTarget)
        && target.equals(otherTarget)
        && StructuralEquality.areEqual(value, otherValue, BoundValue::areEqual);
  }

  @Override
  public int hashCode() {
    return 31 * hash(value) + target.hashCode();
  }

  private static boolean areEqual(Constant a, Constant b) {
    boolean isByIdentity = isLarge(a) || isLarge(b);
    return isByIdentity
        ? a.data().equals(b.data()) && a.tensorType().equals(b.tensorType())
        : StructuralEquality.areEqual(a, b);
  }

  private static boolean isLarge(Constant constant) {
    return constant.data().byteSize() > COMPARED;
  }

  /** Of what has variables of its own only the kind counts: that is cheap. */
  private static int hash(Expr expr) {
    return switch (expr) {
      case Constant constant ->
          isLarge(constant)
              ? constant.data().hashCode()
              : 31 * constant.tensorType().hashCode() + bytesHash(constant);
      case Tuple(List<Expr> fields) -> hash(fields);
      case TupleGetItem(Expr tuple, int index) -> 31 * hash(tuple) + index;
      case Call call ->
          31 * (31 * hash(call.callee()) + hash(call.args())) + call.attrs().hashCode();
      case If choice -> hash(choice.condition());
      case SeqExpr seq -> 1;
      case RelaxFunction function -> 2;
      default -> expr.hashCode();
    };
  }

  private static int bytesHash(Constant constant) {
    return Arrays.hashCode(constant.data().segment().toArray(JAVA_BYTE));
  }

  private static int hash(List<Expr> exprs) {
    int hash = 1;
    for (Expr expr : exprs) {
      hash = 31 * hash + hash(expr);
    }
    return hash;
  }
}
