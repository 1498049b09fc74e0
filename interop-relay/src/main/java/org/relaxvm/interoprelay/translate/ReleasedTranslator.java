package org.relaxvm.interoprelay.translate;

import java.util.List;
import org.relaxvm.api.DeviceId;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.translate.release.DeviceTable;
import org.relaxvm.interoprelay.translate.release.ReleasedTranslation;
import org.relaxvm.vmcore.executable.Executable;

/**
 * Translates executables that the Relay VM of Apache TVM 0.6 to 0.19 saved to Relax bytecode.
 *
 * <p>Each function keeps its name, unless a kernel has it too, and the names of its parameters.
 * Kernels are found by name when the result is linked. Datatypes are tuples with a tag.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 15.2 and 16. Stateless.
 */
public final class ReleasedTranslator {
  private ReleasedTranslator() {}

  /**
   * Translates an executable whose indices are in range and whose constants are all there. The
   * constant tensors are borrowed and must stay unchanged.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} when a constant is
   *     bound late and so has no value
   */
  public static Executable translate(ReleasedExecutable executable) {
    return ReleasedTranslation.of(executable);
  }

  /**
   * The devices that the translated program is placed on, in the order of the indices that it uses,
   * the host last. Empty if there are not several: the program then runs on whatever device it is
   * given.
   */
  public static List<DeviceId> devices(ReleasedExecutable executable) {
    return DeviceTable.of(executable).placement();
  }
}
