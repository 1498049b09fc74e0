package org.relaxvm.interoprelay.release.verify;

import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;

/**
 * Checks that a released executable can be run and translated: indices and registers exist, jumps
 * stay in their function and go somewhere, control does not leave a function at its end, counts of
 * arguments fit.
 *
 * <p>What passes may still loop for ever, read a register that the executed path did not assign, or
 * fail on a value of the wrong kind: released programs are not in SSA form.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 3 and 15.2. Stateless and thread-safe.
 */
public final class ReleasedVerifier {
  private ReleasedVerifier() {}

  /**
   * Refuses an executable that breaks a rule.
   *
   * @throws InvalidProgramException a {@code ValueError} that names the first instruction that
   *     breaks a rule
   */
  public static void verify(ReleasedExecutable executable) {
    requireDevices(
        executable, "constant", executable.constantDevices(), executable.constants().size());
    for (ReleasedFunction function : executable.functions()) {
      String where = "function '" + function.name() + "'";
      int params = function.paramNames().size();
      if (function.registerFileSize() < params) {
        throw refused(
            where,
            params + " parameters do not fit the registers",
            "a register file of " + params + " or more",
            Integer.toString(function.registerFileSize()));
      }
      requireDevices(executable, "parameter of " + where, function.paramDevices(), params);
      if (function.code().isEmpty()) {
        throw refused(where, "the function has no instructions", "1 or more", "0");
      }
      for (int pc = 0; pc < function.code().size(); pc++) {
        new InstructionCheck(executable, function, pc).check();
      }
    }
  }

  private static void requireDevices(
      ReleasedExecutable executable, String what, List<Integer> devices, int count) {
    int expected = executable.era() == Era.R1 ? 0 : count;
    if (devices.size() != expected) {
      throw refused(
          "devices of each " + what,
          "their number does not fit",
          Integer.toString(expected),
          Integer.toString(devices.size()));
    }
    for (int device : devices) {
      requireDevice(executable, "devices of each " + what, device);
    }
  }

  /** Device types of era R2 name devices themselves; later eras have a table. */
  static void requireDevice(ReleasedExecutable executable, String where, int device) {
    boolean table = executable.era().compareTo(Era.R3) >= 0;
    if (table && (device < 0 || device >= executable.devices().size())) {
      throw refused(
          where,
          "there is no such device",
          "an index of the " + executable.devices().size() + " devices",
          Integer.toString(device));
    }
  }

  static InvalidProgramException refused(
      String where, String problem, String expected, String got) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        problem
            + "\n  at "
            + where
            + "\n  expected: "
            + expected
            + "\n  got: "
            + got
            + "\n  what to do: save the program again with the TVM that compiled it");
  }
}
