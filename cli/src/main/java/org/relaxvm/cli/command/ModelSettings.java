package org.relaxvm.cli.command;

import java.util.List;
import org.relaxvm.vmcore.program.LoadOptions;
import picocli.CommandLine.Option;

/** What a model is specialized to when it is loaded. */
final class ModelSettings {
  @Option(
      names = "--shape",
      paramLabel = "INPUT=SHAPE",
      description = "Give an input of an ONNX model a fixed shape, such as x=1x3x224x224.")
  List<String> shapes = List.of();

  @Option(
      names = "--value",
      paramLabel = "INPUT=VALUE",
      description =
          "Make an input of a model a constant: a .npy file, or a literal such as 3 or"
              + " [[1, 2], [3, 4]].")
  List<String> values = List.of();

  @Option(
      names = "--outputs",
      paramLabel = "A,B",
      description = "Compute only these outputs of an ONNX model.")
  List<String> outputs = List.of();

  /** The options with these settings. */
  LoadOptions in(LoadOptions options) {
    LoadOptions result = options;
    for (String shape : shapes) {
      result = result.withSetting("shape", shape);
    }
    for (String value : values) {
      result = result.withSetting("value", value);
    }
    for (String names : outputs) {
      result = result.withSetting("outputs", names);
    }
    return result;
  }
}
