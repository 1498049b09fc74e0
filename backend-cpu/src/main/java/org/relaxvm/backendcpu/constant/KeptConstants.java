package org.relaxvm.backendcpu.constant;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;

/**
 * What kernels make of constants and keep, such as weights in the order in which a tile reads them.
 * It lies on the Java heap, so there is a limit to all of it together: a quarter of the largest
 * heap, or as {@link #SETTING} says. Beyond the limit nothing more is kept, and kernels make it
 * anew at each call.
 *
 * <p>A kept value belongs to the storage of its constant and goes with it. Thread-safe.
 */
public final class KeptConstants {
  /** System property: the limit in MiB; 0 to keep nothing. */
  public static final String SETTING = "relaxvm.cpu.keptConstants";

  private static final class Once {
    private static final KeptConstants ALL =
        new KeptConstants(
            KeepLimit.bytes(System.getProperty(SETTING), Runtime.getRuntime()::maxMemory));
  }

  private final long limit;
  private final AtomicLong bytes = new AtomicLong();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
  // Kept so that the queue gets them.
  private final Set<Kept> kept = ConcurrentHashMap.newKeySet();

  private static final class Kept extends WeakReference<Object> {
    private final long bytes;

    Kept(Object value, long bytes, ReferenceQueue<Object> queue) {
      super(value, queue);
      this.bytes = bytes;
    }
  }

  /** With a limit in bytes. */
  KeptConstants(long limit) {
    this.limit = limit;
  }

  /** The values of this JVM. */
  public static KeptConstants get() {
    return Once.ALL;
  }

  /**
   * A value made from a constant, by this call or an earlier one.
   *
   * @param tensor a constant or not; its elements are all that the value depends on, beside the key
   * @param key tells the value from others made from the same storage: it names the kind of value,
   *     the place of the elements, their shape and strides, by {@code equals}
   * @param size of the value in bytes
   * @return null where nothing is kept: the tensor is no constant, or the limit is reached
   */
  public <K, V> @Nullable V derive(
      Tensor tensor, K key, long size, Function<? super K, ? extends V> make) {
    if (limit == 0 || !tensor.isConstant()) {
      return null;
    }
    return tensor.storage().<K, V>derive(key, k -> keep(k, size, make));
  }

  private <K, V> @Nullable V keep(K key, long size, Function<? super K, ? extends V> make) {
    forget();
    if (bytes.addAndGet(size) > limit) {
      bytes.addAndGet(-size);
      return null;
    }
    boolean done = false;
    try {
      V value = make.apply(key);
      kept.add(new Kept(value, size, gone));
      done = true;
      return value;
    } finally {
      if (!done) {
        bytes.addAndGet(-size);
      }
    }
  }

  /** Counts out what the garbage collector took. */
  private void forget() {
    for (Object next = gone.poll(); next != null; next = gone.poll()) {
      if (next instanceof Kept last && kept.remove(last)) {
        bytes.addAndGet(-last.bytes);
      }
    }
  }

  /** Bytes that are kept, or were until the garbage collector took them. */
  long bytes() {
    forget();
    return bytes.get();
  }
}
