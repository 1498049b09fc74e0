package org.relaxvm.api.object;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Declares the types of a jar. Found by {@link java.util.ServiceLoader}: named in {@code
 * META-INF/services/org.relaxvm.api.object.ObjectTypeProvider}, and in {@code provides} of the
 * module.
 */
@FunctionalInterface
public interface ObjectTypeProvider {
  /** The types, in any order. */
  List<ObjectDeclaration> types();

  /**
   * The names that objects of a type may have, by type key, for types that are saved as a text;
   * names of several jars add up. Types without an entry take any name.
   */
  default Map<String, Set<String>> names() {
    return Map.of();
  }
}
