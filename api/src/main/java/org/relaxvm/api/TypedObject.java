package org.relaxvm.api;

/**
 * A value whose type key its class does not determine. Classes with one key have the annotation
 * {@link TypeKey} instead.
 */
public interface TypedObject {
  /** The type key, such as {@code ir.IRModule}. */
  String typeKey();
}
