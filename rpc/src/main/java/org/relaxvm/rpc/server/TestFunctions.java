package org.relaxvm.rpc.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;

/**
 * The functions that Apache TVM's own server registers for its tests, {@code rpc.test.*} and {@code
 * rpc.testing.*}, and {@code golden.*}, with which its conversations were recorded.
 */
final class TestFunctions {
  private TestFunctions() {}

  /** All of them, by name. */
  static Map<String, PackedFunc> all() {
    Map<String, PackedFunc> all = new HashMap<>();
    all.put("rpc.test.addone", TestFunctions::addOne);
    all.put("rpc.test.strcat", (args, result) -> result.set(args.at(0) + ":" + args.at(1)));
    all.put(
        "rpc.test.runtime_str_concat",
        (args, result) -> result.set(args.stringAt(0) + args.stringAt(1)));
    all.put(
        "rpc.test.except",
        (args, result) -> {
          throw new CallException(ErrorKind.VALUE, args.stringAt(0));
        });
    all.put("rpc.test.add_to_lhs", TestFunctions::addToLhs);
    all.put("rpc.test.remote_return_nd", TestFunctions::returnTensor);
    all.put("rpc.testing.GetShapeSize", TestFunctions::shapeSize);
    all.put("rpc.testing.GetShapeElem", TestFunctions::shapeElement);
    all.putAll(GoldenFunctions.all());
    return Map.copyOf(all);
  }

  private static void addOne(CallArgs args, CallResult result) {
    if (args.at(0) instanceof Double number) {
      result.setDouble(number + 1);
    } else {
      result.setLong(args.longAt(0) + 1);
    }
  }

  private static void addToLhs(CallArgs args, CallResult result) {
    long left = args.longAt(0);
    result.set((PackedFunc) (inner, sum) -> sum.setLong(left + inner.longAt(0)));
  }

  /** A function that gives the same tensor each time. */
  private static void returnTensor(CallArgs args, CallResult result) {
    if (!args.stringAt(0).equals("get_arr")) {
      throw new CallException(ErrorKind.VALUE, "unknown name " + args.stringAt(0));
    }
    Tensor same = Tensor.of(new float[10], Shape.of(10));
    result.set(
        (PackedFunc)
            (inner, tensor) -> {
              same.retain();
              tensor.set(same);
            });
  }

  private static void shapeSize(CallArgs args, CallResult result) {
    if (!(args.at(0) instanceof Shape shape)) {
      throw new CallException(
          ErrorKind.TYPE,
          "Mismatched type on argument #0 when calling: `rpc.testing.GetShapeSize(0: ffi.Shape) ->"
              + " int`. Expected `ffi.Shape` but got `"
              + args.typeKeyAt(0)
              + "`");
    }
    result.setLong(shape.rank());
  }

  private static void shapeElement(CallArgs args, CallResult result) {
    if (args.count() != 2) {
      throw new CallException(
          ErrorKind.TYPE,
          "Mismatched number of arguments when calling: `rpc.testing.GetShapeElem(0: ffi.Shape, 1:"
              + " int) -> int`. Expected 2 but got "
              + args.count()
              + " arguments");
    }
    Shape shape = args.shapeAt(0);
    int index = args.intAt(1);
    if (index < 0 || index >= shape.rank()) {
      throw new CallException(
          ErrorKind.INDEX, "idx < shape.size() (" + index + " vs. " + shape.rank() + ") : ");
    }
    result.setLong(shape.dim(index));
  }

  /** The functions with which conversations were recorded. */
  private static final class GoldenFunctions {
    private static final long MATRIX_MODULUS = 7;

    private GoldenFunctions() {}

    static Map<String, PackedFunc> all() {
      Map<String, PackedFunc> all = new HashMap<>();
      all.put("golden.echo", GoldenFunctions::echo);
      all.put("golden.none", GoldenFunctions::none);
      all.put("golden.count", (args, result) -> result.setLong(args.count()));
      all.put("golden.describe", (args, result) -> result.set(Description.of(args)));
      all.put("golden.bytes", GoldenFunctions::bytes);
      all.put(
          "golden.shape",
          (args, result) ->
              result.set(
                  Shape.of(IntStream.range(0, args.count()).mapToLong(args::longAt).toArray())));
      all.put("golden.array", (args, result) -> result.set(Tuple.of(args.toArray())));
      all.put("golden.map", (args, result) -> result.set(new RemoteMap(Map.of("a", 1L, "b", 2.5))));
      all.put("golden.item", GoldenFunctions::item);
      all.put("golden.shape_size", (args, result) -> result.setLong(args.shapeAt(0).rank()));
      all.put("golden.dtype", (args, result) -> result.set(DType.parse(args.stringAt(0))));
      all.put("golden.device", GoldenFunctions::device);
      all.put("golden.scale", GoldenFunctions::scale);
      all.put("golden.tensor", GoldenFunctions::tensor);
      all.put("golden.matrix", GoldenFunctions::matrix);
      all.put("golden.sum", GoldenFunctions::sum);
      all.put("golden.fill", GoldenFunctions::fill);
      all.put("golden.fail", GoldenFunctions::fail);
      all.put(
          "golden.deep",
          (args, result) -> {
            throw new CallException(ErrorKind.VALUE, args.stringAt(1));
          });
      all.put("golden.sleep", GoldenFunctions::sleep);
      return all;
    }

    private static void echo(CallArgs args, CallResult result) {
      if (args.at(0) instanceof byte[] bytes) {
        result.set(new BytesObject(bytes));
      } else {
        result.setArgument(args, 0);
      }
    }

    private static void none(CallArgs args, CallResult result) {
      args.requireCount("golden.none()", 0);
      result.setNull();
    }

    private static void bytes(CallArgs args, CallResult result) {
      byte[] bytes = new byte[args.intAt(0)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) i;
      }
      result.set(bytes);
    }

    private static void item(CallArgs args, CallResult result) {
      Object value =
          switch (args.at(0)) {
            case Tuple tuple -> tuple.get(index(args, tuple.size()));
            case Shape shape -> shape.dim(index(args, shape.rank()));
            case RemoteMap map -> map.content().get(args.stringAt(1));
            case null, default -> throw args.mismatch(0, "ffi.Array");
          };
      Managed.retain(value);
      result.set(value);
    }

    private static int index(CallArgs args, int size) {
      int index = args.intAt(1);
      if (index < 0 || index >= size) {
        throw new CallException(ErrorKind.INDEX, "index " + index + " of " + size);
      }
      return index;
    }

    private static void device(CallArgs args, CallResult result) {
      Object kind = args.at(0);
      String name =
          kind instanceof String text
              ? text
              : DeviceTypeCodes.kindOf(args.intAt(0))
                  .orElseThrow(
                      () -> new CallException(ErrorKind.VALUE, "unknown type = " + args.at(0)));
      result.set(new DeviceId(name, args.intAt(1)));
    }

    private static void scale(CallArgs args, CallResult result) {
      Object factor = args.at(0);
      result.set(
          (PackedFunc)
              (inner, product) -> {
                if (factor instanceof Long left && inner.at(0) instanceof Long right) {
                  product.setLong(left * right);
                } else {
                  product.setDouble(((Number) args(factor)).doubleValue() * inner.doubleAt(0));
                }
              });
    }

    private static Object args(@Nullable Object value) {
      if (value instanceof Number number) {
        return number;
      }
      throw new CallException(ErrorKind.TYPE, "the factor must be a number");
    }

    private static void tensor(CallArgs args, CallResult result) {
      float[] elements = new float[args.intAt(0)];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = i / 2f;
      }
      result.set(onServer(args, Tensor.of(elements, Shape.of(elements.length))));
    }

    private static void matrix(CallArgs args, CallResult result) {
      long rows = args.longAt(0);
      long columns = args.longAt(1);
      DType dtype = DType.parse(args.stringAt(2));
      Tensor made = allocate(args, dtype, Shape.of(rows, columns));
      fill(made, i -> i % MATRIX_MODULUS);
      result.set(made);
    }

    /** Memory of the session, so that its limit holds. */
    private static Tensor allocate(CallArgs args, DType dtype, Shape shape) {
      VmContext context = args.context();
      return DeviceTensors.allocate(context.allocator(-1), dtype, shape, context.stream(-1));
    }

    private static Tensor onServer(CallArgs args, Tensor made) {
      VmContext context = args.context();
      try (made) {
        return DeviceTensors.copyTo(made, context.allocator(-1), context.stream(-1));
      }
    }

    /** An element by its index. */
    private interface Element {
      long at(long index);
    }

    private static void fill(Tensor tensor, Element element) {
      for (long i = 0; i < tensor.elementCount(); i++) {
        try (Tensor one =
            tensor.reinterpret(Shape.of(1), tensor.dtype(), i * tensor.dtype().elementByteSize())) {
          one.fill(element.at(i));
        }
      }
    }

    private static void sum(CallArgs args, CallResult result) {
      double sum = 0;
      for (double element : args.tensorAt(0).toDoubleArray()) {
        sum += element;
      }
      result.setDouble(sum);
    }

    private static void fill(CallArgs args, CallResult result) {
      args.tensorAt(0).fill(args.doubleAt(1));
      result.setNull();
    }

    private static void fail(CallArgs args, CallResult result) {
      String kind = args.stringAt(0);
      String text = args.stringAt(1);
      for (ErrorKind known : ErrorKind.values()) {
        if (known.text().equals(kind)) {
          throw new CallException(known, text);
        }
      }
      throw new NamedErrorException(kind, text);
    }

    private static void sleep(CallArgs args, CallResult result) {
      long end = System.nanoTime() + Duration.ofMillis((long) (args.doubleAt(0) * 1e3)).toNanos();
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
        if (Thread.currentThread().isInterrupted()) {
          throw new CallException(ErrorKind.RUNTIME, "interrupted");
        }
      }
      result.setNull();
    }
  }

  /** Arguments as the recorded server describes them, in Python's notation. */
  private static final class Description {
    private Description() {}

    static String of(CallArgs args) {
      return IntStream.range(0, args.count())
          .mapToObj(i -> describe(args.at(i)))
          .collect(Collectors.joining("; "));
    }

    private static String describe(@Nullable Object value) {
      return switch (value) {
        case null -> "NoneType=None";
        case Long number -> "int=" + number;
        case Double number -> "float=" + text(number);
        case Boolean bool -> "bool=" + text(bool);
        case String text -> "str='" + text + "'";
        case byte[] bytes -> "bytes=" + java.util.HexFormat.of().formatHex(bytes);
        case DType dtype -> "dtype=dtype('" + dtype + "')";
        case DeviceId device -> "Device=" + device;
        case Tuple tuple ->
            tuple.fields().stream()
                .map(Description::text)
                .collect(Collectors.joining(", ", "Array=(", ")"));
        case Shape shape -> "Shape=" + shape;
        case Tensor tensor -> {
          double sum = 0;
          for (double element : tensor.toDoubleArray()) {
            sum += element;
          }
          yield "tensor=" + tensor.dtype() + extents(tensor.shape()) + " sum=" + text(sum);
        }
        default -> value.getClass().getSimpleName() + "=" + value;
      };
    }

    private static String extents(Shape shape) {
      String inside =
          IntStream.range(0, shape.rank())
              .mapToObj(i -> String.valueOf(shape.dim(i)))
              .collect(Collectors.joining(", "));
      return "(" + inside + (shape.rank() == 1 ? ",)" : ")");
    }

    private static String text(@Nullable Object value) {
      return switch (value) {
        case null -> "None";
        case Boolean bool -> bool ? "True" : "False";
        case Double number when number.isNaN() -> "nan";
        case Double number when number.isInfinite() -> number > 0 ? "inf" : "-inf";
        case Double number when Math.abs(number) >= 1e16 ->
            number.toString().replace(".0E", "e+").replace("E", "e+");
        case String text -> '"' + text + '"';
        default -> String.valueOf(value);
      };
    }
  }
}
