package org.relaxvm.api.spi;

import java.util.List;

/**
 * An opened backend: the devices of one kind.
 *
 * <p>Thread-safe. The registry that opened it closes it, after every VM that uses its devices.
 */
public interface Backend extends AutoCloseable {
  /** The same name as the provider's. */
  String name();

  /**
   * The devices in a stable order: device {@code i} has the id {@code name:i}. May be empty. The
   * list and its devices are owned by the backend.
   */
  List<Device> devices();

  /** Closes the devices and unloads what was loaded; closing again does nothing. */
  @Override
  void close();
}
