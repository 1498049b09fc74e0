package org.relaxvm.backendvulkan.kernels;

/**
 * What a device has that decides how kernels are written.
 *
 * @param hasFloat64 whether it computes with doubles
 * @param pushConstantBytes the most bytes of push constants; arguments that need more are given in
 *     a uniform buffer
 * @param addressed whether kernels address their buffers, and not bind them
 */
public record GlslTarget(boolean hasFloat64, int pushConstantBytes, boolean addressed) {}
