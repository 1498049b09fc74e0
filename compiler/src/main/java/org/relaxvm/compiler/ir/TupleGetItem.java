package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;

/**
 * One of several values.
 *
 * @param tuple what has them; in normal form a leaf
 * @param index from 0
 */
public record TupleGetItem(Expr tuple, int index) implements Expr {
  /** Checks the index. */
  public TupleGetItem {
    Type type = tuple.knownType().orElse(AnyType.ANY);
    boolean outside = type instanceof TupleType(var fields) && index >= fields.size();
    if (index < 0 || outside) {
      throw new InvalidProgramException(
          ErrorKind.INDEX,
          "there is no value " + index + " in " + ExprText.print(tuple) + ", which is " + type);
    }
    if (!(type instanceof TupleType || type instanceof AnyType)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "only a tuple has values by number, but " + ExprText.print(tuple) + " is " + type);
    }
  }

  @Override
  public Optional<Type> knownType() {
    return tuple
        .knownType()
        .map(type -> type instanceof TupleType(var fields) ? fields.get(index) : AnyType.ANY);
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
