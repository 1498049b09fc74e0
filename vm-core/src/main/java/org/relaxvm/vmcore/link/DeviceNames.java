package org.relaxvm.vmcore.link;

import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DeviceId;

/**
 * Finds devices by what programs call them: a kind stands for the first device of that kind, a name
 * for that device.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why is a library kernel of a second device called
 * `name@device`?"
 */
final class DeviceNames {
  private DeviceNames() {}

  /** The indices of the devices that a text means, in order; of all where it is empty. */
  static List<Integer> find(String text, List<DeviceId> names) {
    return IntStream.range(0, names.size())
        .filter(i -> text.isEmpty() || isMeant(text, names.get(i)))
        .boxed()
        .toList();
  }

  private static boolean isMeant(String text, DeviceId name) {
    return text.equals(name.kind()) || text.equals(name.toString());
  }
}
