package org.relaxvm.backendtestkit;

import org.relaxvm.api.spi.ModuleImage;

/**
 * A module that the devices of a backend load.
 *
 * @param image in one of their formats
 * @param symbol a function of the image that is called {@code (x, out)} with float32 vectors of one
 *     length and writes {@code -x}
 */
public record SampleModule(ModuleImage image, String symbol) {}
