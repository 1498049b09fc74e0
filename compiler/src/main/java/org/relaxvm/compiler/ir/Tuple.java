package org.relaxvm.compiler.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;

/**
 * Several values.
 *
 * @param fields the values; in normal form leaves
 */
public record Tuple(List<Expr> fields) implements Expr {
  /** The tuple of nothing, which stands for no value. */
  public static final Tuple EMPTY = new Tuple(List.of());

  /** Copies the list. */
  public Tuple {
    fields = List.copyOf(fields);
  }

  /** Several values. */
  public static Tuple of(Expr... fields) {
    return new Tuple(List.of(fields));
  }

  @Override
  public Optional<Type> knownType() {
    List<Type> types = new ArrayList<>();
    for (Expr field : fields) {
      field.knownType().ifPresent(types::add);
    }
    return types.size() == fields.size() ? Optional.of(new TupleType(types)) : Optional.empty();
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
