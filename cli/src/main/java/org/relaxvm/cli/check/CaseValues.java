package org.relaxvm.cli.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.io.Npy;

/**
 * Values in the notation of a case: {@code {"npy": file}}, {@code {"zeros": {"dtype": s, "shape":
 * [..]}}}, {@code {"value": scalar}}, {@code {"shape": [..]}}, {@code {"string": s}}, {@code
 * {"dtype": s}}, {@code {"null": true}}, {@code {"tuple": [..]}}.
 *
 * <p>A tensor file may have further fields: {@code "dtype"} for dtypes that the file format lacks,
 * whose bits the file has as unsigned integers; {@code "byte_offset"} for a tensor that begins
 * inside of its storage; {@code "device"} for a tensor on another device than the main one.
 *
 * @param file that the notation is in, for messages
 * @param extension reads values of further notations; it is asked first
 */
public record CaseValues(Path file, Extension extension) {
  private static final Set<String> OF_TENSORS = Set.of("npy", "dtype", "byte_offset", "device");

  /** Reads values of further notations. */
  @FunctionalInterface
  public interface Extension {
    /** No further notations. */
    Extension NONE = (key, content) -> Optional.empty();

    /**
     * A value with an owner for the caller.
     *
     * @param key the only field of the notation
     * @param content its value
     * @return empty for a notation that is none of these
     */
    Optional<Object> read(String key, @Nullable Object content);
  }

  /** The value of a notation, on the host; the caller closes it. */
  public @Nullable Object read(@Nullable Object notation) {
    if (notation instanceof Map<?, ?> map) {
      if (map.get("npy") instanceof String name && OF_TENSORS.containsAll(map.keySet())) {
        return tensor(name, map);
      }
      if (map.size() == 1) {
        Map.Entry<?, ?> entry = map.entrySet().iterator().next();
        return single(String.valueOf(entry.getKey()), entry.getValue(), notation);
      }
    }
    throw unknown(notation);
  }

  /** The device that a notation names for its tensor. */
  public static Optional<String> device(@Nullable Object notation) {
    return notation instanceof Map<?, ?> map && map.get("device") instanceof String device
        ? Optional.of(device)
        : Optional.empty();
  }

  private @Nullable Object single(String key, @Nullable Object content, Object notation) {
    Optional<Object> extended = extension.read(key, content);
    if (extended.isPresent()) {
      return extended.get();
    }
    return switch (key) {
      case "value" -> content instanceof Integer number ? (Object) number.longValue() : content;
      case "string" -> String.valueOf(content);
      case "dtype" -> DType.parse(String.valueOf(content));
      case "null" -> null;
      case "shape" -> shape(content, notation);
      case "zeros" -> {
        JsonFields fields = new JsonFields(file.toString(), JsonFields.object(content));
        yield Tensor.zeros(
            DType.parse(fields.string("dtype")), shape(fields.list("shape"), notation));
      }
      case "tuple" -> tuple(content, notation);
      default -> throw unknown(notation);
    };
  }

  private Shape shape(@Nullable Object content, Object notation) {
    if (content instanceof List<?> list && list.stream().allMatch(Number.class::isInstance)) {
      return Shape.of(list.stream().mapToLong(dim -> ((Number) dim).longValue()).toArray());
    }
    throw unknown(notation);
  }

  private Tuple tuple(@Nullable Object content, Object notation) {
    if (!(content instanceof List<?> list)) {
      throw unknown(notation);
    }
    @Nullable Object[] fields = new Object[list.size()];
    boolean done = false;
    try {
      for (int i = 0; i < fields.length; i++) {
        fields[i] = read(list.get(i));
      }
      done = true;
      return Tuple.ofOwned(fields);
    } finally {
      for (int i = 0; i < fields.length && !done; i++) {
        Managed.release(fields[i]);
      }
    }
  }

  private Tensor tensor(String name, Map<?, ?> map) {
    Tensor read = Npy.read(file.resolveSibling(name));
    if (map.get("dtype") instanceof String dtype) {
      try (Tensor bits = read) {
        read = bits.reinterpret(bits.shape(), DType.parse(dtype));
      }
    }
    if (map.get("byte_offset") instanceof Number offset) {
      try (Tensor first = read) {
        read = atOffset(first, offset.longValue());
      }
    }
    return read;
  }

  /** The same elements in a storage that begins before them. */
  private static Tensor atOffset(Tensor tensor, long offset) {
    long bytes = Math.addExact(offset, tensor.byteSize());
    try (Tensor storage = Tensor.zeros(DType.UINT8, Shape.of(bytes))) {
      Tensor inside = storage.reinterpret(tensor.shape(), tensor.dtype(), offset);
      tensor.copyInto(inside);
      return inside;
    }
  }

  private MalformedFileException unknown(@Nullable Object notation) {
    return new MalformedFileException(
        ErrorKind.VALUE,
        "'"
            + file
            + "': unknown value "
            + notation
            + "; expected an object with one of npy, zeros, value, shape, string, dtype, null,"
            + " tuple");
  }
}
