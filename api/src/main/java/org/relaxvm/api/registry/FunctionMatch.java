package org.relaxvm.api.registry;

import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;

/**
 * A function that a provider offers.
 *
 * @param name the function's global name
 * @param function the function itself
 * @param provider the name of its provider
 * @param origin the jar, folder or module that the provider comes from
 * @param effects what calls read and write
 */
public record FunctionMatch(
    String name, PackedFunc function, String provider, String origin, CallEffects effects) {}
