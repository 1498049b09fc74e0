package org.relaxvm.vmcore.vm;

import java.util.ArrayDeque;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tuple;

/** Makes values of nested tuples, without recursion: a program decides how deep it nests them. */
final class NestedTuples {
  private NestedTuples() {}

  /** A tuple whose fields up to {@code next} are mapped. */
  private static final class Pending {
    private final Tuple source;
    private final @Nullable Object[] fields;
    private int next;

    Pending(Tuple source) {
      this.source = source;
      this.fields = new Object[source.size()];
    }
  }

  /**
   * Maps what is no tuple, and makes tuples of it.
   *
   * @param leaf maps a value that is no tuple
   * @param tuple makes a value of a tuple and its mapped fields, of which it takes the array
   * @param abandoned gets the mapped fields of tuples that were not made when something failed
   */
  static @Nullable Object map(
      @Nullable Object value,
      UnaryOperator<@Nullable Object> leaf,
      BiFunction<Tuple, @Nullable Object[], Object> tuple,
      Consumer<@Nullable Object[]> abandoned) {
    if (!(value instanceof Tuple outermost)) {
      return leaf.apply(value);
    }
    ArrayDeque<Pending> path = new ArrayDeque<>();
    path.push(new Pending(outermost));
    Object made = null;
    try {
      while (!path.isEmpty()) {
        Pending pending = path.element();
        if (pending.next == pending.fields.length) {
          made = tuple.apply(pending.source, pending.fields);
          path.pop();
          if (!path.isEmpty()) {
            Pending outer = path.element();
            outer.fields[outer.next++] = made;
          }
        } else if (pending.source.get(pending.next) instanceof Tuple inner) {
          path.push(new Pending(inner));
        } else {
          pending.fields[pending.next] = leaf.apply(pending.source.get(pending.next));
          pending.next++;
        }
      }
      return made;
    } finally {
      path.forEach(pending -> abandoned.accept(pending.fields));
    }
  }
}
