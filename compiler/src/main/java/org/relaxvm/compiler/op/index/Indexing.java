package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.compiler.op.OpDef;

/** All operators on indices. */
public final class Indexing {
  private Indexing() {}

  /** All of them. */
  public static List<OpDef> all() {
    return Stream.of(
            Takes.all(),
            Gathers.all(),
            Slices.all(),
            DynamicSlices.all(),
            RowUpdates.all(),
            Scatters.all(),
            Searches.all(),
            DataDependent.all())
        .flatMap(List::stream)
        .toList();
  }
}
