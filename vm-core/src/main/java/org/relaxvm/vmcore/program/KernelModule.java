package org.relaxvm.vmcore.program;

import org.relaxvm.api.spi.ModuleImage;

/**
 * Kernels that a program brings along.
 *
 * @param device the kind of device that they are for, such as {@code cuda}; empty when any device
 *     that takes the format may load them
 * @param image format, symbols and content; the content stays valid as long as it is referenced
 */
public record KernelModule(String device, ModuleImage image) {}
