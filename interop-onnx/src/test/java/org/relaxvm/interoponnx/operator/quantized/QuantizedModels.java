package org.relaxvm.interoponnx.operator.quantized;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.Value;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Models of one node, and tensors of few bits. */
final class QuantizedModels {
  static final String MICROSOFT = "com.microsoft";
  static final DType INT4 = new DType(TypeCode.INT, 4, 1);
  static final DType UINT4 = new DType(TypeCode.UINT, 4, 1);

  private final String domain;
  private final String operator;
  private final OnnxModels models;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<Tensor> arguments = new ArrayList<>();

  private QuantizedModels(String domain, String operator, long version) {
    this.domain = domain;
    this.operator = operator;
    this.models = new OnnxModels(version).opset(MICROSOFT, 1);
  }

  static QuantizedModels of(String operator, long version) {
    return new QuantizedModels("", operator, version);
  }

  static QuantizedModels ofMicrosoft(String operator) {
    return new QuantizedModels(MICROSOFT, operator, 21);
  }

  QuantizedModels with(String attribute, Object value) {
    attributes.put(attribute, value);
    return this;
  }

  /** An input, with extents that are those of the tensor, or others. */
  QuantizedModels input(Tensor tensor, Object... dims) {
    String name = "x" + names.size();
    Object[] own = Arrays.stream(tensor.shape().toArray()).boxed().toArray();
    models.input(name, tensor.dtype(), dims.length == 0 ? own : dims);
    names.add(name);
    arguments.add(tensor);
    return this;
  }

  QuantizedModels constant(Tensor tensor) {
    String name = "x" + names.size();
    models.initializer(name, tensor);
    names.add(name);
    return this;
  }

  QuantizedModels absent() {
    names.add("");
    return this;
  }

  private OnnxModel model() {
    models.node(domain, operator, names, List.of("y"), attributes);
    return models.output("y", DType.FLOAT32).model();
  }

  /** The only output. */
  Tensor run() {
    Program program = model().compile(OnnxOptions.DEFAULT);
    return run(program, 1, arguments.toArray(Tensor[]::new)).getFirst();
  }

  /** The outputs of a program, in memory of the garbage collector. */
  static List<Tensor> run(Program program, int outputs, Tensor... inputs) {
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu:0").build();
        Value result = vm.function("main").call((Object[]) inputs)) {
      return result.object() instanceof Tuple tuple
          ? IntStream.range(0, outputs).mapToObj(i -> copy(tuple.get(i))).toList()
          : List.of(copy(result.object()));
    }
  }

  private static Tensor copy(@Nullable Object tensor) {
    if (!(tensor instanceof Tensor from)) {
      throw new AssertionError("the result is " + tensor);
    }
    try (Tensor host = from.toHost()) {
      byte[] bytes = host.segment().asSlice(0, host.byteSize()).toArray(ValueLayout.JAVA_BYTE);
      return Tensor.of(bytes, host.dtype(), host.shape());
    }
  }

  /** The bytes of a tensor as they lie in memory. */
  static int[] memory(Tensor tensor) {
    byte[] bytes = tensor.segment().asSlice(0, tensor.byteSize()).toArray(ValueLayout.JAVA_BYTE);
    return IntStream.range(0, bytes.length).map(i -> bytes[i] & 0xFF).toArray();
  }

  static Tensor bytes(DType dtype, long[] dims, int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Tensor.of(bytes, dtype, Shape.of(dims));
  }

  static Tensor floats(long[] dims, float... values) {
    return Tensor.of(values, Shape.of(dims));
  }

  static Tensor scalar(float value) {
    return Tensor.of(new float[] {value}, Shape.of());
  }

  static Tensor scalar(DType dtype, int value) {
    return bytes(dtype, dims(), value);
  }

  static long[] dims(long... dims) {
    return dims;
  }
}
