package org.relaxvm.backendsupport.gpu.codegen;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * What the head of a kernel is made of. Immutable.
 *
 * @param name of the kernel in its program
 * @param parameters in order
 * @param shared the declarations of the arrays that the work-items of a work-group share
 * @param workGroupSize work-items of a work-group, all along x
 * @param workGroupsAtOnce work-groups that a unit of the device should have room for; 1 where
 *     nothing is known of it
 * @param meetsAtMemory whether work-items see what others of their work-group wrote to memory of
 *     the device
 */
public record KernelHead(
    String name,
    List<Parameter> parameters,
    List<String> shared,
    int workGroupSize,
    int workGroupsAtOnce,
    boolean meetsAtMemory) {
  /** Copies the lists. */
  public KernelHead {
    parameters = List.copyOf(parameters);
    shared = List.copyOf(shared);
  }

  /** A parameter of a kernel. */
  public sealed interface Parameter {
    /** How the kernel calls it. */
    String name();
  }

  /**
   * A parameter that is memory of the device.
   *
   * @param written whether the kernel writes to it
   */
  public record Memory(String name, DType dtype, boolean written) implements Parameter {}

  /**
   * A parameter that is a number.
   *
   * @param type as the dialect calls it
   */
  public record Number(String name, String type) implements Parameter {}
}
