package org.relaxvm.compiler.type;

import org.relaxvm.api.DeviceId;

/**
 * A virtual device: a device and memory scope, named by the program and chosen when the program is
 * linked.
 *
 * @param target the kind of device, such as {@code cpu} or {@code cuda}; {@code llvm} and {@code c}
 *     are code for the host
 * @param id the number among the devices of its kind
 * @param memoryScope such as {@code global}
 */
public record VDevice(String target, int id, String memoryScope) {
  /** Ordinary memory of a device. */
  public static VDevice of(String target, int id) {
    return new VDevice(target, id, "global");
  }

  /** The device that has this memory. */
  public DeviceId device() {
    boolean isHost = target.equals("llvm") || target.equals("c");
    return new DeviceId(isHost ? DeviceId.CPU.kind() : target, id);
  }

  /** The virtual device as text: {@code cuda:0:global}. */
  @Override
  public String toString() {
    return target + ":" + id + ":" + memoryScope;
  }
}
