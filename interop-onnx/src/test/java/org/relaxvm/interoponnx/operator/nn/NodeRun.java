package org.relaxvm.interoponnx.operator.nn;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs a model of one node. */
final class NodeRun {
  private final String domain;
  private final String operator;
  private final OnnxModels models;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<Tensor> arguments = new ArrayList<>();

  private NodeRun(String domain, String operator, long version) {
    this.domain = domain;
    this.operator = operator;
    this.models = new OnnxModels(domain.isEmpty() ? version : 13);
    if (!domain.isEmpty()) {
      models.opset(domain, version);
    }
  }

  static NodeRun of(String operator, long version) {
    return new NodeRun("", operator, version);
  }

  static NodeRun of(String domain, String operator, long version) {
    return new NodeRun(domain, operator, version);
  }

  NodeRun with(String attribute, Object value) {
    attributes.put(attribute, value);
    return this;
  }

  /** An input whose extents are known. */
  NodeRun input(Tensor tensor) {
    return input(tensor, LongStream.of(tensor.shape().toArray()).boxed().toArray());
  }

  /** An input with extents that are numbers, or names of symbols. */
  NodeRun input(Tensor tensor, Object... dims) {
    String name = "x" + names.size();
    models.input(name, tensor.dtype(), dims);
    names.add(name);
    arguments.add(tensor);
    return this;
  }

  NodeRun input(float[] values, long... dims) {
    return input(floats(values, dims));
  }

  NodeRun constant(Tensor tensor) {
    String name = "x" + names.size();
    models.initializer(name, tensor);
    names.add(name);
    return this;
  }

  NodeRun absent() {
    names.add("");
    return this;
  }

  static Tensor floats(float[] values, long... dims) {
    return Tensor.of(values, Shape.of(dims));
  }

  /** Floats as float16. */
  static Tensor halves(Tensor floats) {
    float[] values = floats.toFloatArray();
    ByteBuffer bytes = ByteBuffer.allocate(2 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putShort(Float.floatToFloat16(value));
    }
    return Tensor.of(bytes.array(), DType.FLOAT16, floats.shape());
  }

  /** The numbers 0, 1, 2, ... each divided by 4 and without order. */
  static Tensor varied(long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 37 % 101 - 50) / 4f;
    }
    return Tensor.of(values, shape);
  }

  OnnxModel model(int outputs) {
    List<String> results = IntStream.range(0, outputs).mapToObj(i -> "y" + i).toList();
    models.node(domain, operator, names, results, attributes);
    results.forEach(result -> models.output(result, DType.FLOAT32));
    return models.model();
  }

  /** The only output. */
  Tensor run() {
    return run(1).getFirst();
  }

  /** All outputs, in memory of the garbage collector. */
  List<Tensor> run(int outputs) {
    OnnxModel model = model(outputs);
    try (VirtualMachine vm =
            VirtualMachine.builder(model.compile(OnnxOptions.DEFAULT)).device("cpu:0").build();
        Value result = vm.function("main").call(arguments.toArray())) {
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
}
