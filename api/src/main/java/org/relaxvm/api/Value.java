package org.relaxvm.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A result as a user sees it: null, an integer, a boolean, a float, or an object. The kinds of
 * objects are {@link Tensor}, {@link Shape}, {@link Tuple}, {@link String}, {@link DType}, {@link
 * DeviceId}, {@link Storage}, {@link Closure}, {@link PackedFunc}, {@code byte[]}, and objects of
 * other types (docs/objects.md), which the virtual machine passes on as they are.
 *
 * <p>Closing a value closes what it holds; closing what it holds is enough too:
 *
 * <pre>{@code
 * try (Tensor scores = vm.function("main").call(image).asTensor()) { ... }
 * }</pre>
 *
 * <p>Immutable; thread-safe.
 */
public final class Value implements AutoCloseable {
  private final @Nullable Object object;
  private final boolean owned;

  private Value(@Nullable Object object, boolean owned) {
    this.object = object;
    this.owned = owned;
  }

  /** A value that owns what it holds; where it cannot be made, that is closed. */
  public static Value owned(@Nullable Object object) {
    boolean made = false;
    try {
      Value value = new Value(object, true);
      made = true;
      return value;
    } finally {
      if (!made && object instanceof Managed managed) {
        managed.close();
      }
    }
  }

  /** A value that somebody else closes. */
  public static Value borrowed(@Nullable Object object) {
    return new Value(object, false);
  }

  /** The value itself; scalars are boxed as {@link Long}, {@link Boolean} or {@link Double}. */
  public @Nullable Object object() {
    return object;
  }

  /** Whether the value is null. */
  public boolean isNull() {
    return object == null;
  }

  /** The value as a tensor; closing it is enough. */
  public Tensor asTensor() {
    return object instanceof Tensor tensor ? tensor : refuse("a tensor");
  }

  /** The value as an integer; a boolean is 0 or 1. */
  public long asLong() {
    return switch (object) {
      case Long number -> number;
      case Boolean bool -> bool ? 1 : 0;
      case null, default -> refuse("an integer");
    };
  }

  /** The value as a float; integers and booleans convert. */
  public double asDouble() {
    return object instanceof Double number ? number : (double) asLong();
  }

  /** The value as a boolean; an integer is true when it is not 0. */
  public boolean asBoolean() {
    return asLong() != 0;
  }

  /** The value as a shape. */
  public Shape asShape() {
    return object instanceof Shape shape ? shape : refuse("a shape");
  }

  /** The value as a string. */
  public String asString() {
    return object instanceof String string ? string : refuse("a string");
  }

  /** The value as a tuple; closing it closes its fields. */
  public Tuple asTuple() {
    return object instanceof Tuple tuple ? tuple : refuse("a tuple");
  }

  /** The value as a closure; closing it is enough. */
  public Closure asClosure() {
    return object instanceof Closure closure ? closure : refuse("a closure");
  }

  /** The fields of a tuple as values that live as long as this one. */
  public List<Value> asList() {
    return asTuple().fields().stream().map(Value::borrowed).toList();
  }

  @Override
  public void close() {
    if (owned && object instanceof Managed managed) {
      managed.close();
    }
  }

  private <T> T refuse(String expected) {
    throw new CallException(
        ErrorKind.TYPE, "the value is " + TypeKeys.describe(object) + ", not " + expected);
  }

  @Override
  public String toString() {
    return String.valueOf(object);
  }
}
