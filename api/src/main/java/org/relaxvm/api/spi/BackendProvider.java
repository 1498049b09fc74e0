package org.relaxvm.api.spi;

import java.util.List;

/**
 * The entry of a backend jar, found by {@link java.util.ServiceLoader}. List the class in {@code
 * META-INF/services/org.relaxvm.api.spi.BackendProvider} and, for the module path, in {@code
 * module-info}.
 *
 * <p><b>Discovery is cheap, opening is explicit.</b> The constructor, {@link #name()} and {@link
 * #probe()} load no native library, touch no device, start no thread and never throw. Only {@link
 * #open} does, and it may fail with a reason. One jar that misbehaves is reported and does not hide
 * the others.
 *
 * <p>Thread-safe.
 */
public interface BackendProvider {
  /**
   * The SPI version that the provider was compiled against: return {@link SpiVersion#CURRENT},
   * which the compiler copies into the provider's class file.
   */
  int spiVersion();

  /** The backend's name, which is the kind of its devices: {@code cpu}, {@code cuda}. */
  String name();

  /** Whether this backend is likely to work here; if not, why, and what to do. */
  Probe probe();

  /**
   * The options that {@link #open(BackendOptions)} understands. Loads nothing and never throws; the
   * same list each time.
   */
  default List<BackendOption> options() {
    return List.of();
  }

  /**
   * Loads what the backend needs and enumerates devices. Called at most once per registry; the
   * registry closes the backend.
   *
   * @param options the values of {@link #options()}; only declared ones are set
   * @throws org.relaxvm.api.error.BackendException with the reason and the remedy, when the
   *     library, the driver or every device is unusable
   */
  Backend open(BackendOptions options);

  /** Opens the backend with no option set, as {@link #open(BackendOptions)} does. */
  default Backend open() {
    return open(BackendOptions.of(name(), options()));
  }

  /**
   * Whether this backend's device is the host CPU itself, {@link Device#isHost()}: exactly one
   * backend says so. Known without opening, so that the host is found and no other backend opened.
   */
  default boolean host() {
    return false;
  }
}
