package org.relaxvm.api.io;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * What stands in front of the elements.
 *
 * @param dataOffset of the first element, in bytes
 */
record NpyHeader(NpyType type, boolean columnMajor, Shape shape, long dataOffset) {
  /** Longest header text that is read, in bytes; NumPy itself stops at 10000. */
  static final int MAX_TEXT = 1 << 16;

  static final int ALIGNMENT = 64;
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int PREFIX_V1 = 10;
  private static final int PREFIX_V2 = 12;

  /** As many bytes as a header that is read can have. */
  static final int MAX_BYTES = PREFIX_V2 + MAX_TEXT;

  // NumPy leaves room for the first extent to grow to this many digits without moving the elements.
  private static final int EXTENT_DIGITS = 21;

  static NpyHeader parse(MemorySegment bytes, NpySource where) {
    requireMagic(bytes, where);
    requireBytes(bytes, PREFIX_V1, where);
    int major = bytes.get(ValueLayout.JAVA_BYTE, 6) & 0xFF;
    int minor = bytes.get(ValueLayout.JAVA_BYTE, 7) & 0xFF;
    if (major < 1 || major > 3 || minor != 0) {
      throw where.unsupported(
          "it has version " + major + "." + minor + "; expected 1.0, 2.0 or 3.0");
    }
    int prefix = major == 1 ? PREFIX_V1 : PREFIX_V2;
    requireBytes(bytes, prefix, where);
    long length =
        major == 1
            ? bytes.get(little(ValueLayout.JAVA_SHORT_UNALIGNED), 8) & 0xFFFF
            : bytes.get(little(ValueLayout.JAVA_INT_UNALIGNED), 8) & 0xFFFFFFFFL;
    if (length > MAX_TEXT) {
      throw where.malformed("its header claims " + length + " bytes; expected at most " + MAX_TEXT);
    }
    requireBytes(bytes, prefix + length, where);
    Charset charset = major == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    byte[] text = bytes.asSlice(prefix, length).toArray(ValueLayout.JAVA_BYTE);
    return new NpyHeaderText(new String(text, charset), where).parse(prefix + length);
  }

  private static ValueLayout.OfShort little(ValueLayout.OfShort layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  private static ValueLayout.OfInt little(ValueLayout.OfInt layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  /** The header of a compact, row-major tensor. */
  static NpyHeader of(Tensor tensor) {
    return new NpyHeader(NpyType.of(tensor.dtype()), false, tensor.shape(), 0);
  }

  /** The bytes in front of the elements, as NumPy 2 writes them. */
  byte[] format() {
    String dims =
        Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
    String text =
        "{'descr': '"
            + type
            + "', 'fortran_order': False, 'shape': ("
            + dims
            + (shape.rank() == 1 ? ",), }" : "), }");
    if (shape.rank() > 0) {
      text += " ".repeat(EXTENT_DIGITS - Long.toString(shape.dim(0)).length());
    }
    boolean small = text.length() + PREFIX_V1 + ALIGNMENT < MAX_TEXT;
    int prefix = small ? PREFIX_V1 : PREFIX_V2;
    int padding = ALIGNMENT - (prefix + text.length() + 1) % ALIGNMENT;
    text += " ".repeat(padding) + "\n";
    byte[] bytes = new byte[prefix + text.length()];
    MemorySegment header = MemorySegment.ofArray(bytes);
    System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
    bytes[6] = (byte) (small ? 1 : 2);
    if (small) {
      header.set(little(ValueLayout.JAVA_SHORT_UNALIGNED), 8, (short) text.length());
    } else {
      header.set(little(ValueLayout.JAVA_INT_UNALIGNED), 8, text.length());
    }
    System.arraycopy(text.getBytes(StandardCharsets.ISO_8859_1), 0, bytes, prefix, text.length());
    return bytes;
  }

  private static void requireMagic(MemorySegment bytes, NpySource where) {
    long shared = Math.min(bytes.byteSize(), MAGIC.length);
    boolean same =
        bytes.asSlice(0, shared).mismatch(MemorySegment.ofArray(MAGIC).asSlice(0, shared)) < 0;
    if (!same || shared == 0) {
      throw where.malformed(
          shared == 0
              ? "it is empty"
              : "it does not start with the magic bytes 93 'NUMPY'; is it a .npy file?");
    }
  }

  private static void requireBytes(MemorySegment bytes, long needed, NpySource where) {
    if (bytes.byteSize() < needed) {
      throw where.malformed(
          "its header needs "
              + needed
              + " bytes, but there are only "
              + bytes.byteSize()
              + "; the file is truncated");
    }
  }
}
