package org.relaxvm.api.spi;

import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;

/**
 * Offers packed functions that belong to no device: builtins and host functions of third parties.
 * Found by {@link java.util.ServiceLoader}; an instance belongs to one registry, so state that its
 * functions share lives in the instance and never in a static field.
 *
 * <p>Constructing a provider and listing names must be cheap and free of side effects. Two
 * providers that offer the same name make every program that needs it fail to link, with both
 * named.
 *
 * <p>Thread-safe.
 */
public interface FunctionProvider {
  /**
   * The SPI version that the provider was compiled against: return {@link SpiVersion#CURRENT},
   * which the compiler copies into the provider's class file.
   */
  int spiVersion();

  /** A short name for messages, such as {@code builtins}. */
  String name();

  /** The names of all functions offered. */
  Set<String> functionNames();

  /** The function of a name, or empty when this provider has none. */
  Optional<PackedFunc> find(String name);

  /** What calls of a function of this provider read and write. */
  default CallEffects effectsOf(String function) {
    return CallEffects.UNKNOWN;
  }
}
