package org.relaxvm.api.registry;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;

/**
 * A device that is named by a part of what it calls itself or by its UUID, instead of by its
 * number.
 *
 * @param kind the name of its backend
 * @param part has a letter, or a dash after something
 */
record DeviceName(String kind, String part) {
  /** The parts of {@code kind:part}; empty for a text of another form. */
  static Optional<DeviceName> read(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    String kind = text.substring(0, colon);
    String part = text.substring(colon + 1).strip();
    return kind.matches(DeviceId.KIND_PATTERN)
            && (part.chars().anyMatch(Character::isLetter) || part.indexOf('-') > 0)
        ? Optional.of(new DeviceName(kind, part))
        : Optional.empty();
  }

  /** The one that fits, of the devices of the backend. */
  Device choose(List<Device> devices) {
    List<Device> same =
        devices.stream().filter(device -> uuidOf(device).equals(lower(part))).toList();
    if (same.size() == 1) {
      return same.getFirst();
    }
    List<Device> fitting =
        devices.stream().filter(device -> nameOf(device).contains(lower(part))).toList();
    List<Device> exact =
        fitting.stream().filter(device -> nameOf(device).equals(lower(part))).toList();
    if (exact.size() == 1) {
      return exact.getFirst();
    }
    return switch (fitting.size()) {
      case 0 -> throw DeviceErrors.noSuchDevice(toString(), kind, devices);
      case 1 -> fitting.getFirst();
      default -> throw DeviceErrors.severalDevices(toString(), fitting);
    };
  }

  private static String nameOf(Device device) {
    return lower(DeviceFacts.of(device).name());
  }

  private static String uuidOf(Device device) {
    return lower(DeviceFacts.of(device).details().getOrDefault(DeviceProperties.UUID, ""));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return kind + ":" + part;
  }
}
