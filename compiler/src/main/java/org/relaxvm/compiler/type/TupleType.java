package org.relaxvm.compiler.type;

import java.util.List;

/**
 * Several values. That of none is the type of what gives no result.
 *
 * @param fields the types of the values, in order
 */
public record TupleType(List<Type> fields) implements Type {
  /** The type of what gives no result. */
  public static final TupleType VOID = new TupleType(List.of());

  /** Copies the list. */
  public TupleType {
    fields = List.copyOf(fields);
  }

  /** The type of several values. */
  public static TupleType of(Type... fields) {
    return new TupleType(List.of(fields));
  }

  /** Whether a type is that of what gives no result. */
  public static boolean isVoid(Type type) {
    return type.equals(VOID);
  }

  @Override
  public String toString() {
    return TypeText.print(this);
  }
}
