package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * What function of the kernel library computes the same as a kernel, for devices that have a fast
 * one: two attributes of the kernel.
 *
 * <p>In a kernel that was put together of several, the function does the same as the stages up to
 * the buffer that is its last argument; that buffer need not be a parameter then.
 *
 * <p>{@value #FUNCTION} is the name of the function. {@value #ARGS} lists its arguments in order,
 * separated by commas: names of parameters of the kernel, {@code true}, {@code 3}, {@code 0.5},
 * {@code 'none'}, {@code [1;1]} for extents, and {@code null} for an option that is not given.
 *
 * @param function such as {@code relaxvm.matmul}
 */
public record LibraryHint(String function, List<LibraryArg> args) {
  /** The attribute with the name of the function. */
  public static final String FUNCTION = "library";

  /** The attribute with the arguments. */
  public static final String ARGS = "library.args";

  private static final Pattern ARG =
      Pattern.compile("\\s*('[^']*'|\\[[^\\]]*\\]|[^,'\\[\\]]+?)\\s*(,|$)");

  /** Copies the list. */
  public LibraryHint {
    args = List.copyOf(args);
  }

  /**
   * The hint of a kernel; empty when it has none.
   *
   * @throws InvalidProgramException a {@code ValueError} that names the kernel, for an argument
   *     that is none
   */
  public static Optional<LibraryHint> of(PrimFunc kernel) {
    return kernel.attrs().get(FUNCTION) instanceof String function
            && kernel.attrs().get(ARGS) instanceof String args
        ? Optional.of(new LibraryHint(function, parse(args, " of the kernel " + kernel.name())))
        : Optional.empty();
  }

  /**
   * The buffer that the function of a kernel's hint writes, which is its last argument: a parameter
   * or a temporary. Empty without a hint, and where several buffers have that name.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the hint cannot be read
   */
  public static Optional<Buffer> output(KernelAnalysis kernel) {
    return of(kernel.kernel())
        .filter(hint -> !hint.args().isEmpty())
        .flatMap(
            hint ->
                hint.args().getLast() instanceof LibraryArg.OfParam(String output)
                    ? kernel.buffer(output)
                    : Optional.empty());
  }

  /** The two attributes. */
  public Map<String, Object> attrs() {
    Map<String, Object> attrs = new LinkedHashMap<>();
    attrs.put(FUNCTION, function);
    attrs.put(ARGS, args.stream().map(LibraryArg::text).collect(Collectors.joining(", ")));
    return attrs;
  }

  /**
   * The arguments of a text.
   *
   * @throws InvalidProgramException a {@code ValueError} for an argument that is none
   */
  public static List<LibraryArg> parse(String text) {
    return parse(text, "");
  }

  private static List<LibraryArg> parse(String text, String owner) {
    List<LibraryArg> args = new ArrayList<>();
    Matcher matcher = ARG.matcher(text);
    int position = 0;
    boolean more = !text.isBlank();
    while (more) {
      if (!matcher.find(position) || matcher.start() != position) {
        throw wrong(text, owner, text.substring(position), null);
      }
      args.add(arg(text, owner, matcher.group(1)));
      position = matcher.end();
      more = matcher.group(2).equals(",");
    }
    return args;
  }

  private static LibraryArg arg(String text, String owner, String part) {
    if (part.startsWith("'")) {
      return new LibraryArg.OfText(part.substring(1, part.length() - 1));
    }
    try {
      if (part.startsWith("[")) {
        String inner = part.substring(1, part.length() - 1).strip();
        List<Long> extents = new ArrayList<>();
        for (String extent : inner.isEmpty() ? new String[0] : inner.split(";", -1)) {
          extents.add(Long.parseLong(extent.strip()));
        }
        return new LibraryArg.OfShape(extents);
      }
      return switch (part) {
        case "null" -> new LibraryArg.OfNull();
        case "true", "false" -> new LibraryArg.OfBoolean(part.equals("true"));
        case "nan" -> new LibraryArg.OfDouble(Double.NaN);
        case "inf" -> new LibraryArg.OfDouble(Double.POSITIVE_INFINITY);
        case "-inf" -> new LibraryArg.OfDouble(Double.NEGATIVE_INFINITY);
        default ->
            LibraryArg.OfParam.isName(part)
                ? new LibraryArg.OfParam(part)
                : part.matches("-?[0-9]+")
                    ? new LibraryArg.OfLong(Long.parseLong(part))
                    : new LibraryArg.OfDouble(Double.parseDouble(part));
      };
    } catch (NumberFormatException e) {
      throw wrong(text, owner, part, e);
    }
  }

  private static InvalidProgramException wrong(
      String text, String owner, String part, @Nullable Throwable cause) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "'"
            + part
            + "' in the library arguments \""
            + text
            + "\""
            + owner
            + " is none: expected a name, true, false, null, a number, 'text' or [1;2]",
        cause);
  }

  /**
   * Gives a kernel this hint if the output turns out to be its only one. Does nothing unless all
   * inputs are parameters, since else the kernel computes more.
   *
   * @param inputs the tensors that the arguments name, but for the output
   */
  public void recordOn(KernelBuilder k, List<TensorExpr> inputs, TensorExpr output) {
    List<String> names = new ArrayList<>();
    inputs.forEach(input -> names.add(input.name()));
    names.add(output.name());
    boolean named = names.stream().distinct().count() == names.size();
    if (named && inputs.stream().allMatch(k::isInput)) {
      k.annotate(output, attrs());
    }
  }

  /**
   * Whether tensors can be arguments of a function that computes: by their names, and as no
   * function computes with floats of 8 bits.
   */
  public static boolean canName(List<TensorExpr> tensors) {
    return tensors.stream()
        .allMatch(tensor -> LibraryArg.OfParam.isName(tensor.name()) && !tensor.dtype().isFloat8());
  }

  /** The argument of a tensor. */
  public static LibraryArg param(TensorExpr tensor) {
    return new LibraryArg.OfParam(tensor.name());
  }
}
