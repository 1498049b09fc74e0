package org.relaxvm.vmcore.program;

import org.relaxvm.api.spi.ModuleImage;

/**
 * Kernels that a program contains.
 *
 * @param device the device that they are for: its kind, such as {@code cuda}, or, where a program
 *     has several of a kind, its name, such as {@code opencl:1}; empty for the first device of the
 *     virtual machine that takes the format
 * @param image format, symbols and content; the content stays valid as long as it is referenced
 */
public record KernelModule(String device, ModuleImage image) {}
