package org.relaxvm.cli.input;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The input form {@code random:SHAPE[:DTYPE[:SEED]]}: floats are uniform in [-1, 1), integers in
 * [0, 100), booleans even. The same text gives the same tensor.
 */
final class RandomInput {
  private static final Pattern FORM =
      Pattern.compile("random:([0-9]+(?:x[0-9]+)*|scalar)(?::([a-z0-9_]+))?(?::([0-9]+))?");
  private static final long MAX_BYTES = 1L << 34;

  private RandomInput() {}

  static Tensor parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw malformed(text);
    }
    Shape shape = ShapeText.parse(matcher.group(1).equals("scalar") ? "" : matcher.group(1));
    DType dtype = matcher.group(2) == null ? DType.FLOAT32 : DType.parse(matcher.group(2));
    long seed = matcher.group(3) == null ? 0 : ShapeText.number(matcher.group(3));
    requireSize(text, dtype, shape);
    Tensor tensor = Tensor.zeros(dtype, shape);
    fill(text, tensor, new SplittableRandom(seed));
    return tensor;
  }

  /** Refuses an input that is too large to be made from a few characters. */
  static void requireSize(String text, DType dtype, Shape shape) {
    if (dtype.byteSize(shape.elementCount()) > MAX_BYTES) {
      throw new CallException(ErrorKind.VALUE, "input '" + text + "' is larger than 16 GiB");
    }
  }

  private static void fill(String text, Tensor tensor, SplittableRandom random) {
    MemorySegment memory = tensor.segment();
    DType dtype = tensor.dtype();
    long count = tensor.elementCount();
    boolean floating = dtype.code() == TypeCode.FLOAT && dtype.lanes() == 1;
    boolean integral = dtype.isInteger() || dtype.equals(DType.BOOL);
    if ((!floating && !integral) || dtype.bits() % 8 != 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "input '"
              + text
              + "': random values exist for float16/32/64, int8..64, uint8..64 and"
              + " bool, not for "
              + dtype);
    }
    for (long i = 0; i < count; i++) {
      if (floating) {
        double value = random.nextDouble(-1, 1);
        switch (dtype.bits()) {
          case 16 ->
              memory.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((float) value));
          case 32 -> memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
          default -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
        }
      } else {
        int value = random.nextInt(dtype.equals(DType.BOOL) ? 2 : 100);
        switch (dtype.bits()) {
          case 8 -> memory.setAtIndex(ValueLayout.JAVA_BYTE, i, (byte) value);
          case 16 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
          case 32 -> memory.setAtIndex(ValueLayout.JAVA_INT, i, value);
          default -> memory.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }
      }
    }
  }

  private static CallException malformed(String text) {
    return new CallException(
        ErrorKind.VALUE,
        "malformed input '"
            + text
            + "': expected random:SHAPE[:DTYPE[:SEED]], such as random:3x5:float32 or"
            + " random:scalar:int64:7");
  }
}
