package org.relaxvm.compiler.type;

/**
 * A variable of a program that holds a shape, as part of the type of a tensor that has this shape.
 * Equal to itself only.
 */
public interface ShapeVar {
  /** The name, for people. */
  String name();

  /** What is known of the shape. */
  ShapeType shapeType();
}
