package org.relaxvm.objects.graph;

import java.util.Map;
import java.util.Set;
import org.relaxvm.api.object.ObjectTypes;

/** Chooses the types that a graph is read with, by what its text says. */
@FunctionalInterface
public interface TypeChoice {
  /**
   * The types of a graph.
   *
   * @param keys of the types of its nodes
   * @param metadata texts, integers and booleans by name
   */
  ObjectTypes of(Set<String> keys, Map<String, Object> metadata);
}
