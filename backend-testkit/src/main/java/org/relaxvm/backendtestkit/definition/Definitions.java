package org.relaxvm.backendtestkit.definition;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** The definitions of all kernels of the table {@link org.relaxvm.api.kernels.KernelLibrary}. */
public final class Definitions {
  private Definitions() {}

  /** The definitions by the full names of the kernels, such as {@code relaxvm.add}. */
  public static Map<String, Definition> standard() {
    Map<String, Definition> definitions = new HashMap<>();
    ElementwiseDefinitions.addTo(definitions);
    FunctionDefinitions.addTo(definitions);
    MovementDefinitions.addTo(definitions);
    LayoutDefinitions.addTo(definitions);
    IndexingDefinitions.addTo(definitions);
    ScatterDefinitions.addTo(definitions);
    OrderingDefinitions.addTo(definitions);
    ReductionDefinitions.addTo(definitions);
    NeuralDefinitions.addTo(definitions);
    NormalizationDefinitions.addTo(definitions);
    AttentionDefinition.addTo(definitions);
    Map<String, Definition> all = new HashMap<>();
    definitions.forEach((name, definition) -> all.put("relaxvm." + name, definition));
    return Collections.unmodifiableMap(all);
  }
}
