package org.relaxvm.cli.input;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.io.Npz;
import org.relaxvm.vmcore.program.ImageSpec;
import org.relaxvm.vmcore.program.ProgramMetadata;

/**
 * Reads the arguments of a call from the command line. An input is
 *
 * <ul>
 *   <li>{@code FILE.npy}: a tensor; {@code FILE.npz}: several, matched to parameters by name, or in
 *       order when no name matches;
 *   <li>{@code FILE.png}, {@code .jpg}, {@code .jpeg}, {@code .gif}, {@code .bmp}: an image, scaled
 *       and normalised as the program's metadata says;
 *   <li>{@code random:3x5:float32[:SEED]}: a random tensor;
 *   <li>{@code zeros:3x5:float32}, {@code ones:3x5:float32}: a tensor of one number;
 *   <li>{@code shape:2x3}, {@code str:TEXT}, {@code null}, {@code true}, {@code false}, an integer
 *       or a float.
 * </ul>
 *
 * <p>{@code NAME=INPUT} gives it to the parameter of that name.
 */
public final class InputReader {
  private final ProgramMetadata metadata;
  private final List<String> parameterNames;

  /**
   * Creates a reader.
   *
   * @param parameterNames the names of the function's parameters; empty when it has none
   */
  public InputReader(ProgramMetadata metadata, List<String> parameterNames) {
    this.metadata = metadata;
    this.parameterNames = parameterNames;
  }

  /** The arguments in order; the caller closes the tensors among them. */
  public List<@Nullable Object> read(List<String> inputs) {
    List<@Nullable Object> positional = new ArrayList<>();
    Map<String, @Nullable Object> named = new LinkedHashMap<>();
    for (String input : inputs) {
      String name = parameterOf(input);
      String text = name == null ? input : input.substring(name.length() + 1);
      if (hasSuffix(text, ".npz")) {
        addArchive(Path.of(text), positional, named);
      } else if (name != null) {
        named.put(name, value(text));
      } else {
        positional.add(value(text));
      }
    }
    return named.isEmpty() ? positional : ordered(positional, named);
  }

  private void addArchive(
      Path file, List<@Nullable Object> positional, Map<String, @Nullable Object> named) {
    Map<String, Tensor> tensors = Npz.read(file);
    boolean anyNamed = tensors.keySet().stream().anyMatch(parameterNames::contains);
    if (anyNamed) {
      named.putAll(tensors);
    } else {
      positional.addAll(tensors.values());
    }
  }

  /** Named arguments take their positions; the others fill the gaps in order. */
  private List<@Nullable Object> ordered(
      List<@Nullable Object> positional, Map<String, @Nullable Object> named) {
    for (String name : named.keySet()) {
      if (!parameterNames.contains(name)) {
        throw new CallException(
            ErrorKind.VALUE,
            "no parameter is named '"
                + name
                + "'; there are: "
                + String.join(", ", parameterNames));
      }
    }
    List<@Nullable Object> arguments = new ArrayList<>();
    int next = 0;
    for (String name : parameterNames) {
      if (named.containsKey(name)) {
        arguments.add(named.get(name));
      } else if (next < positional.size()) {
        arguments.add(positional.get(next++));
      } else {
        throw new CallException(ErrorKind.VALUE, "no input for parameter '" + name + "'");
      }
    }
    arguments.addAll(positional.subList(next, positional.size()));
    return arguments;
  }

  private @Nullable String parameterOf(String input) {
    int equals = input.indexOf('=');
    String name = equals < 0 ? "" : input.substring(0, equals);
    return parameterNames.contains(name)
            || (equals > 0
                && !Files.exists(Path.of(input))
                && name.matches("[A-Za-z_][A-Za-z0-9_.]*"))
        ? name
        : null;
  }

  private @Nullable Object value(String text) {
    if (text.startsWith("random:")) {
      return RandomInput.parse(text);
    }
    if (FilledInput.isOne(text)) {
      return FilledInput.parse(text);
    }
    if (text.startsWith("shape:")) {
      return ShapeText.parse(text.substring("shape:".length()));
    }
    if (text.startsWith("str:")) {
      return text.substring("str:".length());
    }
    if (hasSuffix(text, ".npy")) {
      return Npy.read(Path.of(text));
    }
    if (hasSuffix(text, ".png", ".jpg", ".jpeg", ".gif", ".bmp")) {
      return ImageInput.read(existing(Path.of(text)), imageSpec(text));
    }
    return switch (text) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> number(text);
    };
  }

  private static Path existing(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new CallException(ErrorKind.IO, "no file '" + file.toAbsolutePath().normalize() + "'");
    }
    return file;
  }

  private ImageSpec imageSpec(String text) {
    return metadata
        .image()
        .orElseThrow(
            () ->
                new CallException(
                    ErrorKind.VALUE,
                    "the program does not say how an image becomes its input, so '"
                        + text
                        + "' cannot be used; give a .npy file"));
  }

  private static Object number(String text) {
    try {
      if (text.matches("[-+]?[0-9]+")) {
        return Long.parseLong(text);
      }
      if (text.matches("[-+]?([0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?|[0-9]+\\.|inf|nan)")) {
        return switch (text) {
          case "inf", "+inf" -> Double.POSITIVE_INFINITY;
          case "-inf" -> Double.NEGATIVE_INFINITY;
          case "nan", "+nan", "-nan" -> Double.NaN;
          default -> Double.parseDouble(text);
        };
      }
    } catch (NumberFormatException e) {
      throw new CallException(
          ErrorKind.VALUE, "input '" + text + "' is not an integer of 64 bits", e);
    }
    throw new CallException(
        ErrorKind.VALUE,
        "cannot tell what input '"
            + text
            + "' is: expected FILE.npy, FILE.npz, an image (.png, .jpg), random:3x5:float32,"
            + " zeros:3x5:float32, ones:3x5:float32, shape:2x3, str:TEXT, null, true, false or a"
            + " number");
  }

  private static boolean hasSuffix(String text, String... suffixes) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (String suffix : suffixes) {
      if (lower.endsWith(suffix)) {
        return true;
      }
    }
    return false;
  }
}
