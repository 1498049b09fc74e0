package org.relaxvm.interoponnx.value;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.tir.expr.PrimExpr;

/** What the name of a value of a graph stands for while the graph is imported. Immutable. */
public sealed interface Operand
    permits Known,
        Operand.Weight,
        Operand.Computed,
        Operand.LowBit,
        Operand.Strings,
        Operand.Text,
        Operand.Sequence,
        Operand.Listed,
        Operand.Mapped,
        Operand.Maybe,
        Operand.Possible,
        Operand.Unavailable {
  /**
   * A tensor of the file that is not read yet.
   *
   * @param where for messages, such as {@code initializer 'w'}
   */
  record Weight(TensorProto proto, String where, DType dtype, Shape shape) implements Operand {}

  /**
   * A value that the program computes.
   *
   * @param expr a leaf
   */
  record Computed(Expr expr, Type type) implements Operand {}

  /**
   * A computed tensor of a dtype that kernels do not compute with, one byte for each element.
   * Integers of less than 8 bits are int8 or uint8 of the same value; floating-point numbers are
   * uint8 with their codes in the low bits.
   *
   * @param bytes a leaf of int8 or uint8
   * @param dtype such as {@code int4} or {@code float8_e8m0fnu}
   */
  record LowBit(Expr bytes, DType dtype) implements Operand {}

  /** Strings that are known, in row-major order. */
  record Strings(Shape shape, List<String> elements) implements Operand {
    /** Copies the list. */
    public Strings {
      elements = List.copyOf(elements);
    }
  }

  /**
   * Strings that the program computes.
   *
   * @param expr a leaf whose value is a tuple of a shape and of strings in row-major order
   */
  record Text(Expr expr, List<PrimExpr> dims) implements Operand {
    /** Copies the list. */
    public Text {
      dims = List.copyOf(dims);
    }
  }

  /** A sequence whose length is known. */
  record Sequence(List<Operand> elements) implements Operand {
    /** Copies the list. */
    public Sequence {
      elements = List.copyOf(elements);
    }
  }

  /**
   * A sequence whose length is known at run time.
   *
   * @param expr a leaf whose value is a tuple of the elements
   * @param element what all elements are; empty when there is none
   */
  record Listed(Expr expr, Optional<ValueType> element) implements Operand {}

  /**
   * A map.
   *
   * @param expr a leaf whose value is a tuple of the keys and of the values
   */
  record Mapped(Expr expr, ValueType.OfMap type) implements Operand {}

  /** An optional value, of which it is known whether it is there. */
  record Maybe(Optional<Operand> value) implements Operand {}

  /**
   * An optional value, of which it is known at run time whether it is there.
   *
   * @param expr a leaf whose value is null when it is absent
   * @param element what it is when it is there; empty when it never is
   */
  record Possible(Expr expr, Optional<ValueType> element) implements Operand {}

  /** A value of a node that is not supported; the reason was reported. */
  record Unavailable() implements Operand {}
}
