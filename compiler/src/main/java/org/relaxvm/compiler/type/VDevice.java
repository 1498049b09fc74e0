package org.relaxvm.compiler.type;

/**
 * A place for tensors, named by the program and chosen when the program is linked.
 *
 * @param target the kind of device, such as {@code cpu} or {@code cuda}
 * @param id the number among the devices of its kind
 * @param memoryScope such as {@code global}
 */
public record VDevice(String target, int id, String memoryScope) {
  /** The place as text: {@code cuda:0:global}. */
  @Override
  public String toString() {
    return target + ":" + id + ":" + memoryScope;
  }
}
