package org.relaxvm.interoponnx.cases;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
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
   * Runs a data set of a case as {@link #run(OnnxCase, OnnxCase.DataSet, Set)} does.
   *
   * @return what differs, or the first line of why the model is not supported or fails; empty when
   *     all results are right
   */
  public Optional<String> problem(OnnxCase testCase, OnnxCase.DataSet set, Set<String> frozen) {
    try {
      return run(testCase, set, frozen).map(difference -> "difference: " + difference);
    } catch (RelaxException e) {
      List<String> lines = e.getMessage().lines().toList();
      boolean isReport = lines.getFirst().contains("cannot be imported") && lines.size() > 1;
      return Optional.of(lines.get(isReport ? 1 : 0).strip());
    }
  }

  /**
   * Runs a data set of a case, as {@link #run(OnnxCase, OnnxCase.DataSet, Set)} does, with all
   * inputs as the model says.
   */
  public Optional<String> run(OnnxCase testCase, OnnxCase.DataSet set) {
    return run(testCase, set, Set.of());
  }

  /**
   * Runs a data set of a case. Of results that depend on random numbers only what is determined is
   * compared: the dtype, the shape, and for dropout and masks that each element is one of the two
   * that it can be.
   *
   * @param frozen names of inputs that become constants of the model
   * @return what differs first; empty when all results are right
   * @throws RelaxException when the model is not supported, or fails
   */
  public Optional<String> run(OnnxCase testCase, OnnxCase.DataSet set, Set<String> frozen) {
    OnnxModel model = OnnxModel.of(testCase.name(), testCase.model(), testCase.folder());
    CaseValues values = new CaseValues();
    OnnxOptions options = OnnxOptions.DEFAULT;
    Map<String, Tensor> given = new HashMap<>();
    List<@Nullable Object> arguments = new ArrayList<>();
    List<ValueInfoProto> inputs = inputs(model.proto());
    for (int i = 0; i < set.inputs().size() && i < inputs.size(); i++) {
      ValueInfoProto input = inputs.get(i);
      Object value = values.value(set.inputs().get(i), input.type(), "input " + i);
      if (value instanceof Tensor tensor) {
        given.put(input.name(), tensor);
        if (frozen.contains(input.name())) {
          options = options.value(input.name(), tensor);
          continue;
        }
        if (hasNoRank(input.type())) {
          options = options.shape(input.name(), tensor.shape().toArray());
        }
      }
      arguments.add(value);
    }
    List<Determination> determined =
        RandomResults.of(model.proto(), name -> values.number(model.proto(), given, name));
    try (VirtualMachine vm = link.apply(model.compile(options))) {
      try (Value result = vm.function("main").call(arguments.toArray())) {
        return compare(model.proto().graph(), determined, set, values, result.object());
      }
    }
  }

  private static boolean hasNoRank(TypeProto type) {
    return type instanceof TypeProto.OfTensor tensor && tensor.shape().isEmpty();
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
      GraphProto graph,
      List<Determination> determined,
      OnnxCase.DataSet set,
      CaseValues values,
      @Nullable Object result) {
    List<ValueInfoProto> outputs = graph.outputs();
    for (int i = 0; i < set.outputs().size(); i++) {
      TypeProto type = outputs.get(i).type();
      Object expected = values.value(set.outputs().get(i), type, "output " + i);
      Object actual =
          outputs.size() == 1 ? result : ((Tuple) Objects.requireNonNull(result)).get(i);
      Optional<String> difference = difference(determined.get(i), expected, actual);
      if (difference.isPresent()) {
        return Optional.of("output " + i + ": " + difference.get());
      }
    }
    return Optional.empty();
  }

  private Optional<String> difference(
      Determination determined, @Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Tensor want && actual instanceof Tensor got) {
      try (Tensor host = got.toHost()) {
        return new Tolerance(relativeTolerance, absoluteTolerance)
            .difference(determined, want, host);
      }
    }
    if (expected instanceof Tuple want && actual instanceof Tuple got) {
      if (want.size() != got.size()) {
        return Optional.of(
            "expected a sequence of " + want.size() + ", but got one of " + got.size());
      }
      for (int i = 0; i < want.size(); i++) {
        Optional<String> difference = difference(determined, want.get(i), got.get(i));
        if (difference.isPresent()) {
          return Optional.of("element " + i + ": " + difference.get());
        }
      }
      return Optional.empty();
    }
    return determined != Determination.ALL || Objects.equals(expected, actual)
        ? Optional.empty()
        : Optional.of("expected " + expected + ", but got " + actual);
  }
}
