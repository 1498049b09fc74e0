package org.relaxvm.api.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes the bytes of {@code .npy} files, valid and not. */
final class NpyFile {
  private NpyFile() {}

  /** A file of version 1.0 with the header text as it is given. */
  static byte[] of(String header, byte... elements) {
    return of(1, header, elements);
  }

  static byte[] of(int version, String header, byte... elements) {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(12 + text.length + elements.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    bytes.put((byte) version).put((byte) 0);
    if (version == 1) {
      bytes.putShort((short) text.length);
    } else {
      bytes.putInt(text.length);
    }
    bytes.put(text).put(elements);
    byte[] exact = new byte[bytes.position()];
    bytes.flip().get(exact);
    return exact;
  }

  static String header(String descr, boolean columnMajor, String shape) {
    return "{'descr': '"
        + descr
        + "', 'fortran_order': "
        + (columnMajor ? "True" : "False")
        + ", 'shape': "
        + shape
        + ", }\n";
  }

  static Path write(Path folder, byte[] bytes) {
    try {
      return Files.write(folder.resolve("a.npy"), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
