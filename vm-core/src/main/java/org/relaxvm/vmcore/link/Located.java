package org.relaxvm.vmcore.link;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;

/**
 * A function and who provides it.
 *
 * @param origin for messages: a module, a device's library, a provider with its jar
 * @param device the device that it runs on; null when it belongs to none
 */
public record Located(PackedFunc function, String origin, @Nullable String device) {
  /** A function that belongs to no device. */
  Located(PackedFunc function, String origin) {
    this(function, origin, null);
  }
}
