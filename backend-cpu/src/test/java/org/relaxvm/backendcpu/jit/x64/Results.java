package org.relaxvm.backendcpu.jit.x64;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalLong;
import org.relaxvm.backendcpu.jit.lir.Type;

/** Comparisons of lanes in memory. All NaN are equal, since processors and Java choose others. */
final class Results {
  private Results() {}

  /** The offset of the first difference between {@code start} and {@code end}. */
  static OptionalLong difference(
      Type type, MemorySegment expected, MemorySegment got, long start, long end) {
    int step = step(type);
    for (long at = start; at < end; at += step) {
      boolean isSame =
          switch (step) {
            case 4 -> Float.compare(float32(expected, at), float32(got, at)) == 0;
            case 8 -> Double.compare(float64(expected, at), float64(got, at)) == 0;
            default ->
                expected.get(ValueLayout.JAVA_BYTE, at) == got.get(ValueLayout.JAVA_BYTE, at);
          };
      if (!isSame) {
        return OptionalLong.of(at);
      }
    }
    return OptionalLong.empty();
  }

  private static int step(Type type) {
    return type.isFloat() ? type.bits() / 8 : 1;
  }

  private static float float32(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_FLOAT, at);
  }

  private static double float64(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_DOUBLE, at);
  }

  /** The element at an offset, in hexadecimal digits. */
  static String hex(Type type, MemorySegment memory, long at) {
    StringBuilder text = new StringBuilder();
    for (int i = step(type) - 1; i >= 0; i--) {
      text.append("%02x".formatted(memory.get(ValueLayout.JAVA_BYTE, at + i)));
    }
    return text.toString();
  }
}
