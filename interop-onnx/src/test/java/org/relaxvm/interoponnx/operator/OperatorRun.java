package org.relaxvm.interoponnx.operator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs a model of one node. Not thread-safe. */
public final class OperatorRun {
  private final String domain;
  private final String operator;
  private final List<Tensor> arguments = new ArrayList<>();
  private final List<String> inputs = new ArrayList<>();
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final OnnxModels models;

  private OperatorRun(String domain, String operator, long version) {
    this.domain = domain;
    this.operator = operator;

    this.models = new OnnxModels(domain.isEmpty() ? version : 21);
    if (!domain.isEmpty()) {
      models.opset(domain, version);
    }
  }

  /** A node of {@code ai.onnx}. */
  public static OperatorRun of(String operator, long version) {
    return new OperatorRun("", operator, version);
  }

  /** A node of {@code com.microsoft}. */
  public static OperatorRun microsoft(String operator) {
    return new OperatorRun("com.microsoft", operator, 1);
  }

  /** An input whose extents are known. */
  public OperatorRun input(Tensor value) {
    return input(value, dims(value));
  }

  /**
   * An input.
   *
   * @param dims numbers, or names of symbolic extents
   */
  public OperatorRun input(Tensor value, Object... dims) {
    String name = "x" + inputs.size();
    models.input(name, value.dtype(), dims);
    inputs.add(name);
    arguments.add(value);
    return this;
  }

  /** An input that is a constant of the model. */
  public OperatorRun constant(Tensor value) {
    String name = "x" + inputs.size();
    models.initializer(name, value);
    inputs.add(name);
    return this;
  }

  /** An input that is absent. */
  public OperatorRun absent() {
    inputs.add("");
    return this;
  }

  /** An attribute. */
  public OperatorRun with(String name, Object value) {
    attributes.put(name, value);
    return this;
  }

  private static Object[] dims(Tensor value) {
    long[] shape = value.shape().toArray();
    Object[] dims = new Object[shape.length];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = shape[i];
    }
    return dims;
  }

  /** The model with so many outputs. */
  public OnnxModel model(int outputs) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < outputs; i++) {
      names.add("y" + i);
    }
    models.node(domain, operator, inputs, names, attributes);
    names.forEach(name -> models.output(name, DType.FLOAT32));
    return models.model();
  }

  /** The outputs, on the host. */
  public List<Tensor> run(int outputs) {
    try (VirtualMachine vm =
            VirtualMachine.builder(model(outputs).compile(OnnxOptions.DEFAULT))
                .device("cpu:0")
                .build();
        Value result = vm.function("main").call(arguments.toArray())) {
      List<Tensor> tensors = new ArrayList<>();
      for (int i = 0; i < outputs; i++) {
        Object value =
            outputs == 1
                ? result.object()
                : ((Tuple) Objects.requireNonNull(result.object())).get(i);
        Tensor tensor = (Tensor) Objects.requireNonNull(value);
        tensors.add(copy(tensor));
      }
      return tensors;
    }
  }

  /** The output. */
  public Tensor run() {
    return run(1).getFirst();
  }

  /** The elements of the output. */
  public double[] numbers() {
    return run().toDoubleArray();
  }

  private static Tensor copy(Tensor tensor) {
    Tensor copy = Tensor.zeros(tensor.dtype(), tensor.shape());
    copy.segment().copyFrom(tensor.segment().asSlice(0, copy.byteSize()));
    return copy;
  }

  // ---------------------------------------------------------------- operands

  /** Numbers from -1 to 1, the same for each seed. */
  public static float[] random(int seed, int count) {
    Random random = new Random(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat() * 2 - 1;
    }
    return values;
  }

  /** Numbers from -1 to 1, the same for each seed, in a shape. */
  public static Tensor randomTensor(int seed, long... dims) {
    Shape shape = Shape.of(dims);
    return Tensor.of(random(seed, (int) shape.elementCount()), shape);
  }

  /** Integers on one axis. */
  public static Tensor ints(int... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
