package org.relaxvm.vmcore.link;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;

/**
 * A function and who provides it.
 *
 * @param origin for messages: a module, a device's library, a provider with its jar
 * @param device the device that it runs on; null when it belongs to none
 * @param effects what calls read and write
 */
public record Located(
    PackedFunc function, String origin, @Nullable String device, CallEffects effects) {
  /** A function that belongs to no device. */
  Located(PackedFunc function, String origin, CallEffects effects) {
    this(function, origin, null, effects);
  }
}
