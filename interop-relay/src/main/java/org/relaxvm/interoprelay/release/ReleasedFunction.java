package org.relaxvm.interoprelay.release;

import java.util.List;

/**
 * A function of a released executable. Registers 0 to {@code paramNames.size() - 1} are its
 * parameters.
 *
 * @param name the global name
 * @param paramNames one per parameter
 * @param paramDevices one per parameter: a device index, or a device type in era R2; empty in R1
 * @param registerFileSize number of registers
 * @param code the instructions
 */
public record ReleasedFunction(
    String name,
    List<String> paramNames,
    List<Integer> paramDevices,
    int registerFileSize,
    List<ReleasedInstruction> code) {
  /** Copies the lists. */
  public ReleasedFunction {
    paramNames = List.copyOf(paramNames);
    paramDevices = List.copyOf(paramDevices);
    code = List.copyOf(code);
  }
}
