package org.relaxvm.cli.input;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** The input forms {@code zeros:SHAPE[:DTYPE]} and {@code ones:SHAPE[:DTYPE]}. */
final class FilledInput {
  private static final Pattern FORM =
      Pattern.compile("(zeros|ones):([0-9]+(?:x[0-9]+)*|scalar)(?::([a-z0-9_]+))?");

  private FilledInput() {}

  static boolean isOne(String text) {
    return text.startsWith("zeros:") || text.startsWith("ones:");
  }

  static Tensor parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new CallException(
          ErrorKind.VALUE,
          "malformed input '"
              + text
              + "': expected zeros:SHAPE[:DTYPE] or ones:SHAPE[:DTYPE], such as zeros:3x5:float32"
              + " or ones:1x128:int64");
    }
    Shape shape = ShapeText.parse(matcher.group(2).equals("scalar") ? "" : matcher.group(2));
    DType dtype = matcher.group(3) == null ? DType.FLOAT32 : DType.parse(matcher.group(3));
    RandomInput.requireSize(text, dtype, shape);
    Tensor tensor = Tensor.zeros(dtype, shape);
    if (matcher.group(1).equals("ones")) {
      tensor.fill(1);
    }
    return tensor;
  }
}
