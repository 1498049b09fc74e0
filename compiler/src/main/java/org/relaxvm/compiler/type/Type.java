package org.relaxvm.compiler.type;

/**
 * What is known of a value before the program runs. Immutable; two are equal when they say the
 * same, with symbolic variables compared by identity and extents not simplified.
 *
 * <p>Source: docs/spec/relax-ir.md, section 4.
 */
public sealed interface Type
    permits AnyType, PrimType, ShapeType, TensorType, TupleType, FuncType {}
