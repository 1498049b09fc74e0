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
import org.relaxvm.interoponnx.spi.OnnxAttributes;

/** The attributes of a node, those of an enclosing function put in. Immutable. */
public final class Attributes implements OnnxAttributes {
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

  @Override
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

  @Override
  public Optional<Long> integer(String name) {
    return find(name, AttributeValue.Int.class, "an integer").map(AttributeValue.Int::value);
  }

  @Override
  public long integer(String name, long missing) {
    return integer(name).orElse(missing);
  }

  /** An integer of 32 bits, or what it is when it is missing. */
  public int number(String name, int missing) {
    return narrow(name, integer(name, missing));
  }

  private static int narrow(String name, long value) {
    if (value != (int) value) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the attribute '" + name + "' is " + value + "; expected an integer of 32 bits");
    }
    return (int) value;
  }

  /** Whether an integer is not 0. */
  public boolean flag(String name, boolean missing) {
    return integer(name).map(value -> value != 0).orElse(missing);
  }

  @Override
  public Optional<Float> real(String name) {
    return find(name, AttributeValue.Real.class, "a number").map(AttributeValue.Real::value);
  }

  @Override
  public float real(String name, float missing) {
    return real(name).orElse(missing);
  }

  @Override
  public Optional<String> string(String name) {
    return find(name, AttributeValue.OfString.class, "a string")
        .map(AttributeValue.OfString::value);
  }

  @Override
  public String string(String name, String missing) {
    return string(name).orElse(missing);
  }

  @Override
  public Optional<List<Long>> integers(String name) {
    return find(name, AttributeValue.Ints.class, "integers")
        .map(found -> new RequiredList<>(found.values(), "integers in '" + name + "'"));
  }

  @Override
  public Optional<List<Float>> reals(String name) {
    return find(name, AttributeValue.Reals.class, "numbers")
        .map(found -> new RequiredList<>(found.values(), "numbers in '" + name + "'"));
  }

  @Override
  public Optional<List<String>> strings(String name) {
    return find(name, AttributeValue.Strings.class, "strings")
        .map(found -> new RequiredList<>(found.values(), "strings in '" + name + "'"));
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

  /** An integer of 32 bits that must be there. */
  public int requiredNumber(String name) {
    return narrow(name, requiredInteger(name));
  }
}
