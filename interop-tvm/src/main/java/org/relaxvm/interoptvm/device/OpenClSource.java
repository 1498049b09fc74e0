package org.relaxvm.interoptvm.device;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * The OpenCL C of a module, which is a program for each kernel, one after the other.
 *
 * <p>Source: docs/spec/device-modules.md, section 4.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why does each kernel of an OpenCL module become an
 * image of its own?"
 */
final class OpenClSource {
  private static final String MARKER = "// Function: ";

  private OpenClSource() {}

  /**
   * Splits the source. What stands in front of the first marker belongs to no kernel.
   *
   * @param kernels the names that must come out
   * @return views of the source by kernel, in its order
   * @throws InvalidProgramException when there are others
   */
  static SequencedMap<String, MemorySegment> split(MemorySegment source, Set<String> kernels) {
    // One char for each byte, so that indexes are offsets whatever comments are written in.
    String text = new String(source.toArray(ValueLayout.JAVA_BYTE), ISO_8859_1);
    int marker = text.indexOf(MARKER);
    if (marker < 0) {
      throw new InvalidProgramException(
              ErrorKind.INTERNAL,
              "the OpenCL source of the library does not say where its kernels begin"
                  + "\n  expected: a line '"
                  + MARKER
                  + "<name>' in front of each of "
                  + kernels
                  + "\n  what to do: build the library again")
          .withTvmMessage(
              "The OpenCL module expects a kernel delimited source from code generation, but no"
                  + " kernel delimiter was found.");
    }
    SequencedMap<String, MemorySegment> parts = new LinkedHashMap<>();
    while (marker >= 0) {
      int nameStart = marker + MARKER.length();
      int lineEnd = text.indexOf('\n', nameStart);
      int nameEnd = lineEnd < 0 ? text.length() : lineEnd;
      int start = lineEnd < 0 ? text.length() : lineEnd + 1;
      marker = text.indexOf(MARKER, start);
      int end = marker < 0 ? text.length() : marker;
      String name = new String(text.substring(nameStart, nameEnd).getBytes(ISO_8859_1), UTF_8);
      if (parts.putLast(name, source.asSlice(start, end - start)) != null) {
        throw mismatch("the source has '" + name + "' twice");
      }
    }
    if (!parts.keySet().equals(kernels)) {
      throw mismatch("the source has " + parts.keySet() + ", the module " + kernels);
    }
    return parts;
  }

  private static InvalidProgramException mismatch(String how) {
    return new InvalidProgramException(
            ErrorKind.INTERNAL,
            "the OpenCL source of the library does not have one part for each kernel\n  got: "
                + how
                + "\n  what to do: build the library again")
        .withTvmMessage(
            "The number of parsed kernel sources does not match the number of kernel functions");
  }
}
