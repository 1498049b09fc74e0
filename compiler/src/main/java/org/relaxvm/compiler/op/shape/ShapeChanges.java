package org.relaxvm.compiler.op.shape;

import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.compiler.op.OpDef;

/** All operators that give elements another order or shape. */
public final class ShapeChanges {
  private ShapeChanges() {}

  /** All of them. */
  public static List<OpDef> all() {
    return Stream.of(
            Reshapes.all(),
            UnitAxes.all(),
            Orders.all(),
            Repeats.all(),
            Joins.all(),
            Splits.all(),
            CollapseSums.all(),
            Layouts.all())
        .flatMap(List::stream)
        .toList();
  }
}
