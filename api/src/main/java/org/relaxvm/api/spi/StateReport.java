package org.relaxvm.api.spi;

import java.util.Map;

/**
 * Implemented by a {@link Backend} that has facts which change while it lives, such as how much it
 * keeps on disk: {@code doctor} shows them. What does not change belongs to {@link
 * DeviceProperties#details()}.
 *
 * <p>Rationale: docs/rationale/cli.md, "Why does `doctor` ask an opened backend through
 * `StateReport`?"
 */
public interface StateReport {
  /**
   * The facts by name, as they are now, in display order, such as {@code kernel cache}. May read
   * files; does not wait for devices.
   */
  Map<String, String> state();
}
