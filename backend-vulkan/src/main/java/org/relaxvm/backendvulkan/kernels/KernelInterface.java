package org.relaxvm.backendvulkan.kernels;

/**
 * How a shader is called: what a pipeline layout and a launch have to know.
 *
 * <p>Numbers of 4 and 8 bytes lie in the block of arguments in the order of the parameters, each at
 * the next offset that its size divides. Addresses of buffers lie there as numbers of 8 bytes.
 *
 * <p>Rationale: docs/rationale/backend-vulkan.md, "Why are buffers bound with 32-bit indices and
 * addressed with 64-bit ones?"
 *
 * @param entryPoint its name in the shader
 * @param buffers how many storage buffers are bound, from binding 0 of descriptor set 0 on; of
 *     kernels that address them how many addresses there are
 * @param addressed whether buffers are given by addresses
 * @param argumentBytes the size of the block of arguments
 * @param uniform whether that is a uniform buffer, at the binding after the storage buffers; else
 *     it is push constants from offset 0 on
 * @param slots whether each number has 8 bytes, as {@link org.relaxvm.api.spi.SpirvBindings} says
 * @param workGroupSize work-items of a work-group along x, which specialization constant 0 is
 *     given; 0 when the shader says itself
 */
public record KernelInterface(
    String entryPoint,
    int buffers,
    boolean addressed,
    int argumentBytes,
    boolean uniform,
    boolean slots,
    int workGroupSize) {
  /** The binding of the uniform buffer, where there is one. */
  public int uniformBinding() {
    return addressed ? 0 : buffers;
  }
}
