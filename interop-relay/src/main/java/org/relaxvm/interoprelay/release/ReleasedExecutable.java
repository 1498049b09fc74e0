package org.relaxvm.interoprelay.release;

import java.util.List;
import java.util.Map;

/**
 * An executable that the Relay VM of Apache TVM saved.
 *
 * @param version of the TVM that wrote it, such as {@code 0.8.0}
 * @param era the format of the file
 * @param devices the device table; empty before era R3
 * @param hostDevice index of the host in {@code devices}, or {@link ReleasedInstruction#NONE}
 * @param functions in order of their indices
 * @param constants in order of their indices
 * @param constantDevices one per constant: an index, or a device type in era R2; empty in R1
 * @param packed names of kernels, in order of their indices
 * @param packedAttributes by index, where a kernel has some
 */
public record ReleasedExecutable(
    String version,
    Era era,
    List<ReleasedDevice> devices,
    int hostDevice,
    List<ReleasedFunction> functions,
    List<ReleasedConstant> constants,
    List<Integer> constantDevices,
    List<String> packed,
    Map<Integer, Map<String, String>> packedAttributes) {
  /** Copies the lists and the map. */
  public ReleasedExecutable {
    devices = List.copyOf(devices);
    functions = List.copyOf(functions);
    constants = List.copyOf(constants);
    constantDevices = List.copyOf(constantDevices);
    packed = List.copyOf(packed);
    packedAttributes = Map.copyOf(packedAttributes);
  }

  /**
   * Whether a kernel whose only output has no elements is not called, as from TVM 0.8 on.
   *
   * <p>Source: docs/spec/relay-register-vm.md, section 15.2.
   */
  public boolean skipsEmptyOutputs() {
    return switch (era) {
      case R1 -> false;
      case R2 -> !version.startsWith("0.7.");
      case R3, R4 -> true;
    };
  }
}
