package org.relaxvm.api.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Writes an archive of arrays. */
final class NpzWriter {
  // A fixed time, zip's first, so that the same tensors give the same bytes.
  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private NpzWriter() {}

  static void write(FileChannel channel, Map<String, Tensor> tensors, boolean compressed)
      throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(keptOpen(channel))) {
      for (Map.Entry<String, Tensor> named : tensors.entrySet()) {
        ZipEntry entry = new ZipEntry(entryName(named.getKey()));
        entry.setTimeLocal(TIME);
        Tensor host = NpyData.compactOnHost(named.getValue());
        if (!compressed) {
          declareStored(entry, host);
        }
        zip.putNextEntry(entry);
        Npy.write(zip, host);
        zip.closeEntry();
      }
    }
  }

  /** A stream into a channel that is still open when the stream is closed. */
  private static OutputStream keptOpen(FileChannel channel) {
    return new BufferedOutputStream(Channels.newOutputStream(channel)) {
      @Override
      public void close() throws IOException {
        flush();
      }
    };
  }

  private static String entryName(String name) {
    if (name.isEmpty() || name.length() > 1024) {
      throw new CallException(
          ErrorKind.VALUE,
          "an array in a .npz file needs a name of 1 to 1024 characters, but '"
              + name
              + "' has "
              + name.length());
    }
    return name + ".npy";
  }

  /** A stored entry's size and checksum stand in front of it. */
  private static void declareStored(ZipEntry entry, Tensor host) throws IOException {
    CRC32 checksum = new CRC32();
    Npy.write(new CheckedOutputStream(OutputStream.nullOutputStream(), checksum), host);
    long size = NpyHeader.of(host).format().length + host.byteSize();
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(size);
    entry.setCompressedSize(size);
    entry.setCrc(checksum.getValue());
  }
}
