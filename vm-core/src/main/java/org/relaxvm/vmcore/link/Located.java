package org.relaxvm.vmcore.link;

import org.relaxvm.api.PackedFunc;

/**
 * A function and who provides it.
 *
 * @param origin for messages: a module, a device's library, a provider with its jar
 */
public record Located(PackedFunc function, String origin) {}
