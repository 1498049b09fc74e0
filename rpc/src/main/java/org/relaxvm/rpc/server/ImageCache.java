package org.relaxvm.rpc.server;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.wire.Sha256;

/**
 * Kernels that clients sent, by digest, so that a program is sent once and not by each session. The
 * least recently used are dropped beyond a bound. Thread-safe.
 */
final class ImageCache {
  private static final long MAX_BYTES = 256L << 20;

  /** What an image takes beside its bytes. */
  private static final int OVERHEAD = 1 << 9;

  private final LinkedHashMap<String, byte[]> images = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /** The image of a digest. */
  synchronized Optional<byte[]> find(String digest) {
    return Optional.ofNullable(images.get(digest));
  }

  /**
   * Keeps an image.
   *
   * @throws CallException a {@code ValueError} when it has another digest
   */
  void put(String digest, byte[] image) {
    if (!Sha256.of(MemorySegment.ofArray(image)).equals(digest)) {
      throw new CallException(ErrorKind.VALUE, "an image has another digest than it says");
    }
    synchronized (this) {
      byte[] before = images.put(digest, image);
      bytes += before == null ? image.length + OVERHEAD : 0;
      var oldest = images.entrySet().iterator();
      while (bytes > MAX_BYTES && oldest.hasNext()) {
        Map.Entry<String, byte[]> dropped = oldest.next();
        bytes -= dropped.getValue().length + OVERHEAD;
        oldest.remove();
      }
    }
  }
}
