package org.relaxvm.compiler.op.create;

import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.compiler.op.OpDef;

/** All operators that make tensors. */
public final class Creation {
  private Creation() {}

  /** All of them. */
  public static List<OpDef> all() {
    return Stream.of(Fills.all(), Ranges.all(), Matrices.all(), RandomNumbers.all())
        .flatMap(List::stream)
        .toList();
  }
}
