package org.relaxvm.cli.output;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;

/** Results of calls, for people and as JSON. */
public final class ValueText {
  private static final int MAX_ELEMENTS = 1000;

  private ValueText() {}

  /** A value for people; large tensors are abbreviated. */
  public static String display(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Tensor tensor -> header(tensor) + "\n" + tensor.toDisplayString(MAX_ELEMENTS);
      case Shape shape -> "shape" + shape;
      case String string -> '"' + string + '"';
      case DType dtype -> "dtype " + dtype;
      case byte[] bytes -> "bytes " + HexFormat.of().formatHex(bytes);
      case Tuple tuple -> displayTuple(tuple);
      default -> value.toString();
    };
  }

  /** Dtype, shape and device of a tensor. */
  public static String header(Tensor tensor) {
    return tensor.dtype() + tensor.shape().toString() + " on " + tensor.device();
  }

  private static String displayTuple(Tuple tuple) {
    StringBuilder text = new StringBuilder("tuple of " + tuple.size());
    for (int i = 0; i < tuple.size(); i++) {
      text.append("\n(").append(i).append(") ").append(display(tuple.get(i)).indent(4).strip());
    }
    return text.toString();
  }

  /** A value as JSON: tensors with dtype, shape and at most 1,000 elements of data. */
  public static @Nullable Object json(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Long _, Double _, Boolean _, String _ -> value;
      case Tensor tensor -> jsonTensor(tensor);
      case Shape shape -> Map.of("shape", boxed(shape.toArray()));
      case DType dtype -> Map.of("dtype", dtype.toString());
      case Tuple tuple -> {
        List<@Nullable Object> fields = new ArrayList<>();
        for (Object field : tuple.fields()) {
          fields.add(json(field));
        }
        yield Map.of("tuple", fields);
      }
      case byte[] bytes -> Map.of("bytes", HexFormat.of().formatHex(bytes));
      default -> Map.of("kind", TypeKeys.of(value));
    };
  }

  private static Map<String, Object> jsonTensor(Tensor tensor) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("dtype", tensor.dtype().toString());
    object.put("shape", boxed(tensor.shape().toArray()));
    if (tensor.elementCount() > MAX_ELEMENTS) {
      object.put("elements_omitted", tensor.elementCount());
    } else if (tensor.dtype().isFloat()) {
      List<Object> data = new ArrayList<>();
      for (double element : tensor.toDoubleArray()) {
        data.add(element);
      }
      object.put("data", data);
    } else {
      object.put("data", boxed(tensor.toLongArray()));
    }
    return object;
  }

  private static List<Long> boxed(long[] values) {
    List<Long> list = new ArrayList<>(values.length);
    for (long value : values) {
      list.add(value);
    }
    return list;
  }
}
