package org.relaxvm.vmcore.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Base64;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.InstructionText;

/** Prints constants in the notation that {@link LiteralParser} reads. */
final class LiteralPrinter {
  private static final int MAX_LISTED_ELEMENTS = 64;
  private static final int BYTES_PER_LINE = 66;

  private LiteralPrinter() {}

  static void print(StringBuilder out, Object constant) {
    switch (constant) {
      case Long number -> out.append(number);
      case Double number -> out.append(text(number));
      case String text -> out.append(Quoting.quote(text));
      case DType dtype -> out.append("dtype ").append(text(dtype));
      case Shape shape -> out.append("shape").append(shape);
      case Tensor tensor -> tensor(out, tensor);
      default -> throw InstructionText.unsupportedConstant(constant);
    }
  }

  private static String text(double number) {
    long bits = Double.doubleToRawLongBits(number);
    boolean exact = !Double.isNaN(number) || bits == Double.doubleToLongBits(Double.NaN);
    return exact ? Numbers.print(number) : "float bits 0x" + Long.toHexString(bits);
  }

  private static String text(DType dtype) {
    if (dtype.equals(DType.VOID)) {
      return "void";
    }
    try {
      String name = dtype.toString();
      if (DType.parse(name).equals(dtype)) {
        return name;
      }
    } catch (CallException e) {
      // A dtype without a name is printed by its numbers.
    }
    return "(" + dtype.code().code() + ", " + dtype.bits() + ", " + dtype.lanes() + ")";
  }

  private static void tensor(StringBuilder out, Tensor constant) {
    boolean plain = constant.device().isHost() && constant.isContiguous();
    Tensor tensor = plain ? constant : constant.toHost();
    out.append("tensor ").append(text(tensor.dtype())).append(tensor.shape());
    Optional<String> listed = listed(tensor);
    if (listed.isPresent()) {
      out.append(" = ").append(listed.get());
    } else {
      base64(out.append(" base64"), tensor.segment());
    }
  }

  /** All elements, when they are few and every one has an exact text. */
  private static Optional<String> listed(Tensor tensor) {
    if (tensor.elementCount() > MAX_LISTED_ELEMENTS || !Elements.supports(tensor.dtype())) {
      return Optional.empty();
    }
    MemorySegment memory = tensor.segment();
    StringBuilder out = new StringBuilder("[");
    for (long i = 0; i < tensor.elementCount(); i++) {
      Optional<String> element = Elements.print(tensor.dtype(), memory, i);
      if (element.isEmpty()) {
        return Optional.empty();
      }
      out.append(i == 0 ? "" : ", ").append(element.get());
    }
    return Optional.of(out.append(']').toString());
  }

  private static void base64(StringBuilder out, MemorySegment memory) {
    Base64.Encoder encoder = Base64.getEncoder();
    // Lines of a multiple of three bytes join to one base64 text without padding inside.
    long at = 0;
    do {
      long length = Math.min(BYTES_PER_LINE, memory.byteSize() - at);
      byte[] line = memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
      out.append("\n    \"").append(encoder.encodeToString(line)).append('"');
      at += length;
    } while (at < memory.byteSize());
  }
}
