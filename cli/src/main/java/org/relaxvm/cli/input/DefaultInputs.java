package org.relaxvm.cli.input;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.program.TensorSpec;

/** Inputs where none are given. Stateless. */
public final class DefaultInputs {
  private DefaultInputs() {}

  /**
   * A random tensor for each input that the program describes, with 1 for symbolic extents; nothing
   * for a function that it does not describe.
   */
  public static List<String> of(ProgramMetadata metadata, String function) {
    List<String> inputs = new ArrayList<>();
    if (metadata.function().equals(function)) {
      for (TensorSpec input : metadata.inputs()) {
        inputs.add("random:" + shape(input.shape()) + ":" + input.dtype());
      }
    }
    return inputs;
  }

  private static String shape(List<Dim> dims) {
    return dims.isEmpty()
        ? "scalar"
        : dims.stream().map(DefaultInputs::extent).collect(Collectors.joining("x"));
  }

  private static String extent(Dim dim) {
    return switch (dim) {
      case Dim.Fixed(long extent) -> Long.toString(extent);
      case Dim.Symbol _ -> "1";
    };
  }
}
