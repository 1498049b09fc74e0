package org.relaxvm.interoponnx.convert;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoponnx.proto.AttributeProto;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.TensorProto;

/** The attributes of a node, those of an enclosing function put in. Immutable. */
public final class Attributes {
  private final Map<String, AttributeValue> values = new HashMap<>();

  Attributes(List<AttributeProto> attributes, Scope scope) {
    for (AttributeProto attribute : attributes) {
      resolved(attribute, scope).ifPresent(value -> values.put(attribute.name(), value));
    }
  }

  /** The value of an attribute; empty when it refers to one that the caller does not give. */
  static Optional<AttributeValue> resolved(AttributeProto attribute, Scope scope) {
    return attribute.refName().isEmpty()
        ? Optional.of(attribute.value())
        : scope.attribute(attribute.refName()).map(AttributeProto::value);
  }

  /** Whether there is an attribute. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  private <T> Optional<T> find(String name, Class<T> kind, String expected) {
    AttributeValue value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!kind.isInstance(value)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the attribute '"
              + name
              + "' is "
              + value.getClass().getSimpleName()
              + "; expected "
              + expected);
    }
    return Optional.of(kind.cast(value));
  }

  /** An integer, if there is one. */
  public Optional<Long> integer(String name) {
    return find(name, AttributeValue.Int.class, "an integer").map(AttributeValue.Int::value);
  }

  /** An integer, or what it is when it is missing. */
  public long integer(String name, long missing) {
    return integer(name).orElse(missing);
  }

  /** Whether an integer is not 0. */
  public boolean flag(String name, boolean missing) {
    return integer(name).map(value -> value != 0).orElse(missing);
  }

  /** A float32, if there is one. */
  public Optional<Float> real(String name) {
    return find(name, AttributeValue.Real.class, "a number").map(AttributeValue.Real::value);
  }

  /** A float32, or what it is when it is missing. */
  public float real(String name, float missing) {
    return real(name).orElse(missing);
  }

  /** A string, if there is one. */
  public Optional<String> string(String name) {
    return find(name, AttributeValue.OfString.class, "a string")
        .map(AttributeValue.OfString::value);
  }

  /** A string, or what it is when it is missing. */
  public String string(String name, String missing) {
    return string(name).orElse(missing);
  }

  /** Integers, if there are any. */
  public Optional<List<Long>> integers(String name) {
    return find(name, AttributeValue.Ints.class, "integers").map(AttributeValue.Ints::values);
  }

  /** Numbers, if there are any. */
  public Optional<List<Float>> reals(String name) {
    return find(name, AttributeValue.Reals.class, "numbers").map(AttributeValue.Reals::values);
  }

  /** Strings, if there are any. */
  public Optional<List<String>> strings(String name) {
    return find(name, AttributeValue.Strings.class, "strings").map(AttributeValue.Strings::values);
  }

  /** A tensor, if there is one. */
  public Optional<TensorProto> tensor(String name) {
    return find(name, AttributeValue.OfTensor.class, "a tensor")
        .map(AttributeValue.OfTensor::value);
  }

  /** The value of an attribute, whatever its kind, if there is one. */
  public Optional<AttributeValue> value(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** A subgraph, which must be there. */
  public GraphProto graph(String name) {
    return find(name, AttributeValue.OfGraph.class, "a graph")
        .map(AttributeValue.OfGraph::value)
        .orElseThrow(() -> missing(name));
  }

  private static InvalidProgramException missing(String name) {
    return new InvalidProgramException(ErrorKind.VALUE, "the attribute '" + name + "' is missing");
  }

  /** An integer that must be there. */
  public long requiredInteger(String name) {
    return integer(name).orElseThrow(() -> missing(name));
  }
}
