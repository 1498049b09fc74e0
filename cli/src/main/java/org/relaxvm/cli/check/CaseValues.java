package org.relaxvm.cli.check;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.io.Npy;

/**
 * Values in the notation of a case: {@code {"npy": file}}, {@code {"value": scalar}}, {@code
 * {"shape": [..]}}, {@code {"string": s}}, {@code {"null": true}}, {@code {"tuple": [..]}}.
 *
 * @param folder where tensor files lie
 */
record CaseValues(Path folder) {
  /** The value of a notation; the caller closes it. */
  @Nullable Object read(@Nullable Object notation) {
    if (notation instanceof Map<?, ?> map && map.size() == 1) {
      Map.Entry<?, ?> entry = map.entrySet().iterator().next();
      Object content = entry.getValue();
      switch (String.valueOf(entry.getKey())) {
        case "npy" -> {
          return Npy.read(folder.resolve(String.valueOf(content)));
        }
        case "value" -> {
          return content instanceof Integer number ? (Object) number.longValue() : content;
        }
        case "shape" -> {
          if (content instanceof List<?> list) {
            return Shape.of(list.stream().mapToLong(dim -> ((Number) dim).longValue()).toArray());
          }
        }
        case "string" -> {
          return String.valueOf(content);
        }
        case "null" -> {
          return null;
        }
        case "tuple" -> {
          if (content instanceof List<?> list) {
            return Tuple.ofOwned(list.stream().map(this::read).toArray());
          }
        }
        default -> {}
      }
    }
    throw new MalformedFileException(
        ErrorKind.VALUE,
        "'"
            + folder.resolve("case.json")
            + "': unknown value "
            + notation
            + "; expected an object with one of npy, value, shape, string, null, tuple");
  }
}
