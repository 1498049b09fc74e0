package org.relaxvm.vmcore.text;

import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.InstructionText;

/**
 * What an executable holds, in a few lines. Source: docs/spec/executable-format.md, section 5.3.
 * Stateless and thread-safe.
 */
public final class Stats {
  private Stats() {}

  /**
   * The text of Apache TVM, byte for byte, with its quirks: an empty shape prints as {@code
   * shapetupl]}, strings are not escaped.
   *
   * @throws InvalidProgramException an {@code InternalError} with TVM's text when the pool has a
   *     float
   */
  public static String compatible(Executable executable) {
    return print(executable, true);
  }

  /** The same without the quirks: empty shapes and floats print as they should. */
  public static String corrected(Executable executable) {
    return print(executable, false);
  }

  /** Counts and sizes for people: functions by kind, instructions, constants by kind. */
  public static String summary(Executable executable) {
    StringBuilder out = new StringBuilder();
    out.append("functions:    ");
    out.append(count(executable, FunctionKind.VM)).append(" bytecode, ");
    out.append(count(executable, FunctionKind.VMTIR)).append(" native, ");
    out.append(count(executable, FunctionKind.PACKED)).append(" packed\n");
    out.append("instructions: ").append(executable.instructionCount());
    out.append(" in ").append(8L * executable.wordCount()).append(" bytes\n");
    long tensors = executable.constants().stream().filter(Tensor.class::isInstance).count();
    long bytes =
        executable.constants().stream()
            .filter(Tensor.class::isInstance)
            .mapToLong(tensor -> ((Tensor) tensor).byteSize())
            .sum();
    out.append("constants:    ").append(executable.constants().size());
    out.append(", of which ").append(tensors).append(" tensors with ");
    out.append(bytes).append(" bytes\n");
    return out.toString();
  }

  private static long count(Executable executable, FunctionKind kind) {
    return executable.functions().stream().filter(f -> f.kind() == kind).count();
  }

  private static String print(Executable executable, boolean compatible) {
    String constants =
        executable.constants().stream()
            .map(constant -> item(constant, compatible))
            .collect(Collectors.joining(", ", "[", "]"));
    String names =
        executable.functions().stream()
            .map(FunctionInfo::name)
            .collect(Collectors.joining(", ", "[", "]"));
    return "Relax VM executable statistics:\n"
        + "  Constant pool (# "
        + executable.constants().size()
        + "): "
        + constants
        + "\n  Globals (#"
        + executable.functions().size()
        + "): "
        + names
        + "\n";
  }

  private static String item(Object constant, boolean compatible) {
    return switch (constant) {
      case Tensor tensor -> tensor.shape().rank() == 0 ? "scalar" : tensor.shape().toString();
      case Shape shape when shape.rank() == 0 && compatible -> "shapetupl]";
      case Shape shape -> "shapetuple" + shape;
      case String text -> "\"" + text + "\"";
      case Long number -> number.toString();
      case DType dtype -> dtype.toString();
      case Double number when !compatible -> number.toString();
      case Double _ ->
          throw new InvalidProgramException(
                  ErrorKind.INTERNAL, "the statistics of TVM list no constants of type float64")
              .withTvmMessage("Unsupported constant pool type float");
      default -> throw InstructionText.unsupportedConstant(constant);
    };
  }
}
