package org.relaxvm.objects.graph;

/** How the text of a graph is laid out. Readers take both. */
public enum JsonLayout {
  /** Without blanks. */
  COMPACT,
  /** A line for each name and each element, indented by two blanks a level. */
  INDENTED
}
