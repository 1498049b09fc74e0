package org.relaxvm.api.object;

/** How two objects of a type are compared structurally. The order is that of the original. */
public enum ComparisonKind {
  /** Not at all: an attempt is an error. */
  UNSUPPORTED,
  /** Equal when all fields are; whether parts are shared makes no difference. */
  TREE,
  /** A variable: equal to the variable that stands for it on the other side. */
  FREE_VARIABLE,
  /** As {@link #TREE}, and each object of one side corresponds to one of the other. */
  DAG,
  /** As {@link #TREE}; the same object is equal to itself at once. */
  CONSTANT_TREE,
  /** Equal to itself only. */
  UNIQUE
}
