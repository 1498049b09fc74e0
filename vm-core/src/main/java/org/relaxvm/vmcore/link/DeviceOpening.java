package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.vmcore.interp.DeviceSet;

/**
 * Opens a VM's devices and makes their allocators. Devices that the program is placed on come
 * first, in the program's order; where one is missing and may be, the host replaces it. The devices
 * of a program that is not placed have the order in which they are given.
 *
 * <p>A CPU device of any number is the host, which may be there several times. The host is added
 * after the last device when that is none.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 2. Rationale: docs/rationale/vm-core.md, "Why is
 * every CPU device the host?"
 */
final class DeviceOpening {
  private final List<DeviceId> named;
  private final List<DeviceId> needed;
  private final LinkOptions options;
  private final Fallbacks fallbacks;
  private final List<DeviceId> names = new ArrayList<>();
  private final List<Device> devices = new ArrayList<>();

  private DeviceOpening(List<DeviceId> named, LinkOptions options, Fallbacks fallbacks) {
    this.named = named;
    this.needed = named.stream().filter(id -> !id.equals(DeviceId.CPU)).toList();
    this.options = options;
    this.fallbacks = fallbacks;
  }

  /**
   * Opens.
   *
   * @param named the devices that the program is placed on; empty when it is on none
   * @throws LinkException when one of them is not among those given and nothing may replace it
   */
  static DeviceSet open(
      List<DeviceId> named, LinkOptions options, Fallbacks fallbacks, Resources resources) {
    DeviceOpening opening = new DeviceOpening(named, options, fallbacks);
    opening.openAll();
    List<Allocator> allocators = new ArrayList<>();
    Map<Device, Allocator> made = new IdentityHashMap<>();
    for (Device device : opening.devices) {
      Allocator allocator = made.get(device);
      if (allocator == null) {
        allocator = options.allocators().apply(device);
        resources.add(allocator::close);
        made.put(device, allocator);
      }
      allocators.add(allocator);
    }
    DeviceSet set = new DeviceSet(opening.devices, opening.names, allocators);
    resources.add(set::closeStreams);
    return set;
  }

  private void openAll() {
    List<DeviceId> given =
        options.devices().isEmpty()
            ? needed
            : options.devices().stream().map(options.registry()::idOf).toList();
    checkUnique(given);
    Device host = options.registry().host();
    List<DeviceId> spare = new ArrayList<>(given);
    if (!needed.isEmpty()) {
      spare.removeIf(id -> isHost(id, host));
    }
    List<DeviceId> missing = new ArrayList<>();
    for (DeviceId name : needed) {
      DeviceId chosen = chosenFor(name, spare);
      spare.remove(chosen);
      if (chosen.equals(host.id()) && !isHost(name, host)) {
        missing.add(name);
      }
      add(name, chosen, host);
    }
    if (!missing.isEmpty()) {
      missing(missing);
    }
    spare.forEach(id -> add(id, id, host));
    if (names.isEmpty() || !isHost(names.getLast(), host)) {
      names.add(host.id());
      devices.add(host);
    }
  }

  private static boolean isHost(DeviceId id, Device host) {
    return id.kind().equals(host.id().kind());
  }

  /** The given device that a name of the program means: of that name, else of its kind. */
  private DeviceId chosenFor(DeviceId name, List<DeviceId> spare) {
    if (spare.contains(name)) {
      return name;
    }
    return spare.stream()
        .filter(id -> id.kind().equals(name.kind()) && !needed.contains(id))
        .findFirst()
        .orElse(options.registry().host().id());
  }

  private void add(DeviceId name, DeviceId chosen, Device host) {
    Device device = host;
    if (!isHost(chosen, host)) {
      try {
        device = options.registry().require(chosen);
      } catch (BackendException e) {
        if (!fallbacks.areAllowed()) {
          throw e;
        }
        fallbacks.add("device " + name, chosen, host, e.summary());
      }
    }
    names.add(name);
    devices.add(device);
  }

  private void missing(List<DeviceId> missing) {
    if (fallbacks.areAllowed()) {
      Device host = options.registry().host();
      missing.forEach(
          name -> fallbacks.add("device " + name, name, host, "it is none of the given devices"));
      return;
    }
    DeviceId first = missing.getFirst();
    throw new LinkException(
        ErrorKind.VALUE,
        "the program is placed on the devices "
            + named
            + ", but the virtual machine is given "
            + options.devices().stream().map(options.registry()::idOf).toList()
            + "\n  missing: "
            + String.join(", ", missing.stream().map(DeviceId::toString).toList())
            + "\n  what to do: give it with .device(\""
            + first
            + "\") (--device "
            + first
            + "), or let the host replace it with .fallbackToHost() (--allow-fallback)");
  }

  private static void checkUnique(List<DeviceId> given) {
    for (int i = 0; i < given.size(); i++) {
      if (given.subList(0, i).contains(given.get(i))) {
        throw new LinkException(
            ErrorKind.VALUE,
            "device " + given.get(i) + " is given twice; the devices are " + given);
      }
    }
  }
}
