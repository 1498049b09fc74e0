package org.relaxvm.compiler.op.elementwise;

import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.compiler.op.OpDef;

/** All operators on elements. */
public final class Elementwise {
  private Elementwise() {}

  /** All of them. */
  public static List<OpDef> all() {
    return Stream.of(
            Functions.all(),
            Activations.all(),
            Conversions.all(),
            Arithmetic.all(),
            Comparisons.all(),
            Logic.all())
        .flatMap(List::stream)
        .toList();
  }
}
