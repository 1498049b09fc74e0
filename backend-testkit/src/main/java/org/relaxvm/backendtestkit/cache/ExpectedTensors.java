package org.relaxvm.backendtestkit.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.slf4j.LoggerFactory;

/**
 * Runs kernels in the evaluator, or takes what it computed in an earlier run from a cache.
 *
 * <p>The key of an entry is a digest of everything that the result depends on: the classes of the
 * evaluator and of the API, the version of the JVM, the text of the kernel, the arguments before
 * the run and which of them share memory. An entry holds the elements of all tensors after the run.
 * Results that take less than a millisecond are not stored.
 *
 * <p>The environment variable {@value #FOLDER} names the folder; without it nothing is cached.
 * Immutable and thread-safe.
 */
public final class ExpectedTensors {
  /** The environment variable that names the folder of caches of tests. */
  public static final String FOLDER = "RELAXVM_TEST_CACHE";

  private static final long WORTH_STORING_NANOS = 1_000_000;
  private static final long MOST_BYTES = 256L << 20;

  private final Optional<EntryFolder> folder;
  private final byte[] code;

  private ExpectedTensors(Optional<EntryFolder> folder, byte[] code) {
    this.folder = folder;
    this.code = code;
  }

  /** The cache that the environment names. */
  public static ExpectedTensors ofEnvironment() {
    return Holder.SHARED;
  }

  /** A cache in a folder. */
  static ExpectedTensors in(Path folder, byte[] code) {
    return new ExpectedTensors(Optional.of(new EntryFolder(folder, MOST_BYTES)), code);
  }

  /**
   * Does to arguments what the kernel does.
   *
   * @param arguments tensors of the host, longs, doubles and booleans; changed in place
   */
  public void run(PrimFunc kernel, List<Object> arguments) {
    Evaluator evaluator = new Evaluator();
    if (folder.isEmpty()) {
      evaluator.run(kernel, arguments);
      return;
    }
    byte[] key = key(kernel, arguments);
    Optional<byte[]> known = folder.get().find(key);
    if (known.isPresent() && restore(known.get(), arguments)) {
      return;
    }
    long start = System.nanoTime();
    evaluator.run(kernel, arguments);
    if (System.nanoTime() - start >= WORTH_STORING_NANOS) {
      folder.get().store(key, elements(arguments));
    }
  }

  private byte[] key(PrimFunc kernel, List<Object> arguments) {
    MessageDigest digest = Digests.sha256();
    digest.update(code);
    add(digest, TirText.print(kernel).getBytes(UTF_8));
    for (Object argument : arguments) {
      String type =
          argument instanceof Tensor tensor
              ? tensor.dtype() + " " + tensor.shape()
              : argument.getClass().getName() + " " + argument;
      add(digest, type.getBytes(UTF_8));
    }
    add(digest, aliases(arguments).getBytes(UTF_8));
    add(digest, elements(arguments));
    return digest.digest();
  }

  /**
   * Which tensors are in overlapping memory, with the distance of their first elements: writing one
   * then changes the other.
   */
  private static String aliases(List<Object> arguments) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < arguments.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (arguments.get(i) instanceof Tensor tensor
            && arguments.get(j) instanceof Tensor other
            && memory(tensor).asOverlappingSlice(memory(other)).isPresent()) {
          text.append(i)
              .append(Arrays.toString(tensor.strides()))
              .append(" shares memory with ")
              .append(j)
              .append(Arrays.toString(other.strides()))
              .append(" at distance ")
              .append(firstElement(tensor) - firstElement(other))
              .append('\n');
        }
      }
    }
    return text.toString();
  }

  private static MemorySegment memory(Tensor tensor) {
    return HostDevice.segmentOf(tensor.storage().memory());
  }

  private static long firstElement(Tensor tensor) {
    return memory(tensor).address() + tensor.byteOffset();
  }

  /** Bytes after their count, so that no two sequences of texts look the same. */
  private static void add(MessageDigest digest, byte[] bytes) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
    digest.update(bytes);
  }

  /** The elements of all tensors, one tensor after the other, each in row-major order. */
  private static byte[] elements(List<Object> arguments) {
    byte[] bytes = new byte[Math.toIntExact(byteSize(arguments))];
    MemorySegment target = MemorySegment.ofArray(bytes);
    long offset = 0;
    for (Object argument : arguments) {
      if (argument instanceof Tensor tensor) {
        try (Tensor compact = Tensor.zeros(tensor.dtype(), tensor.shape())) {
          tensor.copyInto(compact);
          MemorySegment.copy(compact.segment(), 0, target, offset, compact.byteSize());
        }
        offset += tensor.byteSize();
      }
    }
    return bytes;
  }

  /** Writes stored elements into tensors; false, and nothing written, where the sizes differ. */
  private static boolean restore(byte[] bytes, List<Object> arguments) {
    if (bytes.length != byteSize(arguments)) {
      return false;
    }
    int offset = 0;
    for (Object argument : arguments) {
      if (argument instanceof Tensor tensor) {
        int size = Math.toIntExact(tensor.byteSize());
        try (Tensor compact = Tensor.zeros(tensor.dtype(), tensor.shape())) {
          MemorySegment.copy(bytes, offset, compact.segment(), ValueLayout.JAVA_BYTE, 0, size);
          compact.copyInto(tensor);
        }
        offset += size;
      }
    }
    return true;
  }

  private static long byteSize(List<Object> arguments) {
    return arguments.stream()
        .mapToLong(argument -> argument instanceof Tensor tensor ? tensor.byteSize() : 0)
        .sum();
  }

  /** The digest of the classes takes a tenth of a second, so all tests of a JVM share it. */
  private static final class Holder {
    static final ExpectedTensors SHARED = open(System.getenv().getOrDefault(FOLDER, ""));

    private static ExpectedTensors open(String folder) {
      if (!folder.isEmpty()) {
        try {
          byte[] code = Digests.ofCode(Evaluator.class, Tensor.class);
          return in(Path.of(folder, "expected"), code);
        } catch (IOException e) {
          LoggerFactory.getLogger(ExpectedTensors.class)
              .warn("{}={} is not used: {}", FOLDER, folder, e.toString());
        }
      }
      return new ExpectedTensors(Optional.empty(), new byte[0]);
    }
  }
}
