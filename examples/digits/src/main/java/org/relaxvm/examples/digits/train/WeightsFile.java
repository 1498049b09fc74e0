package org.relaxvm.examples.digits.train;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes parameters as a NumPy {@code .npz} file of float32 arrays. Stateless. */
final class WeightsFile {
  /** Fixed, so that the same weights give the same file. */
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

  private WeightsFile() {}

  /** Writes one array per parameter under the parameter's name; replaces the file. */
  static void write(Path file, List<Parameter> parameters) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Parameter parameter : parameters) {
        ZipEntry entry = new ZipEntry(parameter.name() + ".npy");
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        zip.write(npy(parameter));
        zip.closeEntry();
      }
    }
  }

  private static byte[] npy(Parameter parameter) {
    String shape =
        Arrays.stream(parameter.shape()).mapToObj(n -> n + ",").collect(Collectors.joining(" "));
    String dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
    // Ten bytes of magic, version and length, the text, a line feed: a multiple of 64.
    int headerSize = (10 + dictionary.length() + 1 + 63) / 64 * 64;
    ByteBuffer bytes =
        ByteBuffer.allocate(headerSize + 4 * parameter.values().length)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.put("\u0093NUMPY\u0001\0".getBytes(StandardCharsets.ISO_8859_1));
    bytes.putShort((short) (headerSize - 10));
    bytes.put(dictionary.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.position() < headerSize - 1) {
      bytes.put((byte) ' ');
    }
    bytes.put((byte) '\n');
    bytes.asFloatBuffer().put(parameter.values());
    return bytes.array();
  }
}
