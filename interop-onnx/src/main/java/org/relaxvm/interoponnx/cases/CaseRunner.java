package org.relaxvm.interoponnx.cases;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.ValueInfoProto;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs cases and compares results. Thread-safe. */
public final class CaseRunner {
  private final Function<Program, VirtualMachine> link;
  private final double relativeTolerance;
  private final double absoluteTolerance;

  /**
   * @param link a virtual machine for a program; the runner closes it
   */
  public CaseRunner(
      Function<Program, VirtualMachine> link, double relativeTolerance, double absoluteTolerance) {
    this.link = link;
    this.relativeTolerance = relativeTolerance;
    this.absoluteTolerance = absoluteTolerance;
  }

  /**
   * Runs a data set of a case.
   *
   * @param freezes whether integer inputs of at most 64 elements become constants of the model:
   *     axes, shapes and the like
   * @return what differs first; empty when all results are right
   * @throws org.relaxvm.api.error.RelaxException when the model is not supported, or fails
   */
  public Optional<String> run(OnnxCase testCase, OnnxCase.DataSet set, boolean freezes) {
    OnnxModel model = OnnxModel.of(testCase.name(), testCase.model(), testCase.folder());
    CaseValues values = new CaseValues();
    OnnxOptions options = OnnxOptions.DEFAULT;
    List<@Nullable Object> arguments = new ArrayList<>();
    List<ValueInfoProto> inputs = inputs(model.proto());
    for (int i = 0; i < set.inputs().size() && i < inputs.size(); i++) {
      ValueInfoProto input = inputs.get(i);
      Object value = values.value(set.inputs().get(i), input.type(), "input " + i);
      if (value instanceof Tensor tensor && (freezes && isSmallInteger(tensor))) {
        options = options.value(input.name(), tensor);
      } else {
        if (value instanceof Tensor tensor && hasNoRank(input.type())) {
          options = options.shape(input.name(), tensor.shape().toArray());
        }
        arguments.add(value);
      }
    }
    try (VirtualMachine vm = link.apply(model.compile(options))) {
      try (Value result = vm.function("main").call(arguments.toArray())) {
        return compare(model.proto().graph(), set, values, result.object());
      }
    }
  }

  private static boolean hasNoRank(TypeProto type) {
    return type instanceof TypeProto.OfTensor tensor && tensor.shape().isEmpty();
  }

  private static boolean isSmallInteger(Tensor tensor) {
    return tensor.dtype().isInteger() && tensor.elementCount() <= 64;
  }

  private static List<ValueInfoProto> inputs(ModelProto model) {
    Set<String> initialized = new HashSet<>();
    for (TensorProto tensor : model.graph().initializers()) {
      initialized.add(tensor.name());
    }
    return model.graph().inputs().stream()
        .filter(input -> !initialized.contains(input.name()))
        .toList();
  }

  private Optional<String> compare(
      GraphProto graph, OnnxCase.DataSet set, CaseValues values, @Nullable Object result) {
    List<ValueInfoProto> outputs = graph.outputs();
    for (int i = 0; i < set.outputs().size(); i++) {
      TypeProto type = outputs.get(i).type();
      Object expected = values.value(set.outputs().get(i), type, "output " + i);
      Object actual =
          outputs.size() == 1 ? result : ((Tuple) Objects.requireNonNull(result)).get(i);
      Optional<String> difference = difference(expected, actual);
      if (difference.isPresent()) {
        return Optional.of("output " + i + ": " + difference.get());
      }
    }
    return Optional.empty();
  }

  private Optional<String> difference(@Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Tensor want && actual instanceof Tensor got) {
      try (Tensor host = got.toHost()) {
        return new Tolerance(relativeTolerance, absoluteTolerance).difference(want, host);
      }
    }
    if (expected instanceof Tuple want && actual instanceof Tuple got) {
      if (want.size() != got.size()) {
        return Optional.of(
            "expected a sequence of " + want.size() + ", but got one of " + got.size());
      }
      for (int i = 0; i < want.size(); i++) {
        Optional<String> difference = difference(want.get(i), got.get(i));
        if (difference.isPresent()) {
          return Optional.of("element " + i + ": " + difference.get());
        }
      }
      return Optional.empty();
    }
    return Objects.equals(expected, actual)
        ? Optional.empty()
        : Optional.of("expected " + expected + ", but got " + actual);
  }
}
