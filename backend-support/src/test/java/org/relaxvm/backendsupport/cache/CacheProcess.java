package org.relaxvm.backendsupport.cache;

import static org.relaxvm.backendsupport.cache.TestCache.compiled;
import static org.relaxvm.backendsupport.cache.TestCache.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.relaxvm.api.io.AtomicFile;

/** What other processes do with a cache: {@code ACTION FOLDER}. */
final class CacheProcess {
  static final int KERNELS = 40;
  static final int LARGE_KERNEL = 16 << 20;
  static final int HALTED = 9;

  private CacheProcess() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[1]);
    switch (args[0]) {
      case "use" -> use(folder);
      case "keep" -> keep(folder, Integer.parseInt(args[2]));
      case "keepForever" -> {
        for (int i = 0; ; i++) {
          keep(folder, i);
        }
      }
      case "haltHalfWay" -> haltHalfWay(folder);
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Asks for each kernel several times, in an order of its own, with little room. */
  private static void use(Path folder) {
    TestCache opened = new TestCache(CacheSettings.in(folder, 25 * 10_084L));
    Random random = new Random();
    for (int i = 0; i < 10 * KERNELS; i++) {
      KernelKey key = key(random.nextInt(KERNELS));
      byte[] got = opened.cache.get(key, () -> compiled(key, 10_000));
      if (!Arrays.equals(got, compiled(key, 10_000))) {
        throw new AssertionError("wrong bytes for " + key);
      }
    }
    if (!opened.warnings.isEmpty()) {
      throw new AssertionError(opened.warnings.toString());
    }
    System.out.println(opened.cache.state().hits() + " " + opened.cache.state().misses());
  }

  /** Keeps one large kernel, and prints the warnings. */
  private static void keep(Path folder, int number) {
    TestCache opened = TestCache.in(folder);
    opened.cache.get(key(number), () -> compiled(key(number), LARGE_KERNEL));
    opened.warnings.forEach(System.out::println);
  }

  /** Ends when half of an entry is in its temporary file. */
  private static void haltHalfWay(Path folder) {
    KernelKey key = key(0);
    byte[] content = compiled(key, LARGE_KERNEL);
    AtomicFile.write(
        TestCache.file(folder, key),
        channel -> {
          channel.write(ByteBuffer.wrap(content, 0, content.length / 2));
          Runtime.getRuntime().halt(HALTED);
        });
  }
}
