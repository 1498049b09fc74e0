package org.relaxvm.interoponnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.file.ModuleSettings;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.ValueInfoProto;
import org.relaxvm.vmcore.program.FormatOption;
import org.relaxvm.vmcore.program.FormatSetting;
import org.relaxvm.vmcore.program.LoadOptions;

/** The options that ONNX models are loaded with, as text. Stateless; safe for concurrent use. */
public final class OnnxSettings {
  private static final FormatOption SHAPE =
      new FormatOption("shape", "INPUT=2x3", "Gives the input INPUT a fixed shape.");
  private static final FormatOption OUTPUTS =
      new FormatOption(
          "outputs", "A,B", "Computes only these outputs; any value of the graph may be one.");

  static final List<FormatOption> OPTIONS =
      List.of(ModuleSettings.BIND, SHAPE, ModuleSettings.VALUE, OUTPUTS);

  private OnnxSettings() {}

  /**
   * How a model is imported that is loaded with options.
   *
   * @throws InvalidProgramException a {@code ValueError} for a malformed setting, and for a value
   *     of an input that the model does not have
   */
  public static OnnxOptions of(OnnxModel model, LoadOptions options) {
    OnnxOptions result = OnnxOptions.DEFAULT.withProgress(options.progress());
    List<String> outputs = new ArrayList<>();
    for (FormatSetting setting : options.settings()) {
      switch (setting.option()) {
        case "bind" -> result = result.bind(setting.key(), setting.number(0));
        case "shape" -> result = result.shape(setting.key(), shape(setting));
        case "value" -> result = result.value(setting.key(), value(model, setting));
        case "outputs" -> outputs.addAll(Arrays.asList(setting.value().split(",", -1)));
        default ->
            throw new InvalidProgramException(
                ErrorKind.VALUE, "ONNX models have no option '" + setting.option() + "'");
      }
    }
    return outputs.isEmpty() ? result : result.withOutputs(outputs);
  }

  private static long[] shape(FormatSetting setting) {
    String text = setting.text();
    if (!text.matches("(\\d{1,18}(x\\d{1,18})*)?")) {
      throw setting.malformed("INPUT=SHAPE, such as x=1x3x224x224; x= for a shape without axes");
    }
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split("x", -1)).mapToLong(Long::parseLong).toArray();
  }

  private static Tensor value(OnnxModel model, FormatSetting setting) {
    GraphProto graph = model.proto().graph();
    for (ValueInfoProto input : graph.inputs()) {
      if (input.name().equals(setting.key())) {
        return ModuleSettings.tensor(setting, dtype(input));
      }
    }
    throw new InvalidProgramException(
        ErrorKind.VALUE,
        "the model has no input '"
            + setting.key()
            + "'\n  its inputs: "
            + String.join(", ", graph.inputs().stream().map(ValueInfoProto::name).toList())
            + "\n  what to do: name one of them");
  }

  private static DType dtype(ValueInfoProto input) {
    if (input.type() instanceof TypeProto.OfTensor tensor) {
      DType dtype = ElementType.of(tensor.elementType()).dtype();
      if (dtype != null) {
        return dtype;
      }
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE,
        "the input '" + input.name() + "' is no tensor of numbers, so no value can replace it");
  }
}
