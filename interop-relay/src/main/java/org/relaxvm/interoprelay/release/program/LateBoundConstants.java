package org.relaxvm.interoprelay.release.program;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedExecutable;

/**
 * Constants that an executable names and a parameter file holds.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.5. Stateless and thread-safe.
 */
public final class LateBoundConstants {
  private static final int MOST_NAMES = 10;

  private LateBoundConstants() {}

  /** The names of the constants that have no value, in the order of their indices. */
  public static List<String> names(ReleasedExecutable executable) {
    List<String> names = new ArrayList<>();
    for (ReleasedConstant constant : executable.constants()) {
      if (constant instanceof ReleasedConstant.LateBound(String name)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * The same executable with all constants stored.
   *
   * @param tensors by name, borrowed; in host memory
   * @throws InvalidProgramException a {@code ValueError} that lists the names without a tensor, or
   *     the tensors that no constant names
   */
  public static ReleasedExecutable bind(
      ReleasedExecutable executable, Map<String, Tensor> tensors) {
    Set<String> names = new LinkedHashSet<>(names(executable));
    Set<String> missing = new LinkedHashSet<>(names);
    missing.removeAll(tensors.keySet());
    if (!missing.isEmpty()) {
      throw refused(
          count(missing, "constant") + " of the program without a tensor: " + shown(missing),
          tensors.isEmpty()
              ? "load the program with its parameter file: LoadOptions.withParams, or --params on"
                  + " the command line"
              : "give the parameter file that was saved with this program");
    }
    Set<String> surplus = new LinkedHashSet<>(tensors.keySet());
    surplus.removeAll(names);
    if (!surplus.isEmpty()) {
      throw refused(
          count(surplus, "parameter") + " that no constant of the program names: " + shown(surplus),
          names.isEmpty()
              ? "load the program without a parameter file: its constants are in its own file"
              : "give the parameter file that was saved with this program");
    }
    List<ReleasedConstant> constants = new ArrayList<>();
    for (ReleasedConstant constant : executable.constants()) {
      constants.add(
          switch (constant) {
            case ReleasedConstant.Stored stored -> stored;
            case ReleasedConstant.LateBound(String name) -> stored(tensors, name);
          });
    }
    return new ReleasedExecutable(
        executable.version(),
        executable.era(),
        executable.devices(),
        executable.hostDevice(),
        executable.functions(),
        constants,
        executable.constantDevices(),
        executable.packed(),
        executable.packedAttributes());
  }

  private static ReleasedConstant stored(Map<String, Tensor> tensors, String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalStateException(name + " was not missing before");
    }
    return new ReleasedConstant.Stored(tensor);
  }

  private static String count(Set<String> names, String what) {
    return names.size() + " " + what + (names.size() == 1 ? "" : "s");
  }

  private static String shown(Set<String> names) {
    List<String> first = names.stream().limit(MOST_NAMES).toList();
    int more = names.size() - first.size();
    return String.join(", ", first) + (more == 0 ? "" : " and " + more + " more");
  }

  private static InvalidProgramException refused(String problem, String remedy) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        problem
            + "\n  expected: a parameter file with each constant that the program lacks, and no"
            + " other"
            + "\n  what to do: "
            + remedy);
  }
}
