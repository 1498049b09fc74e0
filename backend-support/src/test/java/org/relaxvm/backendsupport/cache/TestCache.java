package org.relaxvm.backendsupport.cache;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** A cache whose warnings and time are at hand. */
final class TestCache {
  static final Supplier<byte[]> NOT_TO_BE_COMPILED =
      () -> {
        throw new AssertionError("compiled again");
      };

  final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
  final KernelCache cache;

  TestCache(CacheSettings settings) {
    this(settings, Instant.now());
  }

  TestCache(CacheSettings settings, Instant now) {
    this.cache = new KernelCache(settings, warnings::add, () -> now);
  }

  static TestCache in(Path folder) {
    return new TestCache(CacheSettings.in(folder));
  }

  static KernelKey key(int number) {
    return new KernelKey("kernel void f" + number + "() {}", "a device", "1.2", "-O3");
  }

  static Path file(Path folder, KernelKey key) {
    return new CacheFolder(folder).entry(key.id());
  }

  /** What a compiler makes of a key: the same each time. */
  static byte[] compiled(KernelKey key, int length) {
    byte[] bytes = new byte[length];
    new Random(key.hashCode()).nextBytes(bytes);
    return bytes;
  }

  byte[] get(KernelKey key) {
    return cache.get(key, () -> compiled(key, 1000));
  }
}
