package org.relaxvm.api.registry;

import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;

/** The messages for a device that cannot be had: each complete in itself. */
final class DeviceErrors {
  private static final String ADD_JAR =
      "put the backend's jar on the class path or in the folder plugins/";

  private DeviceErrors() {}

  static BackendException unknownBackend(
      DeviceId id, List<Diagnosis> backends, List<Diagnosis> jars) {
    return new BackendException(
        ErrorKind.VALUE,
        "no backend offers device "
            + id
            + "\n  backends: "
            + list(backends)
            + badJars(jars)
            + "\n  to do: "
            + (backends.isEmpty() ? "" : "choose one of them, or ")
            + ADD_JAR);
  }

  static BackendException unusable(DeviceId id, String origin, Problem problem) {
    String remedy = problem.remedy().isEmpty() ? "" : "\n  to do: " + problem.remedy();
    return new BackendException(
        ErrorKind.RUNTIME,
        "device "
            + id
            + " cannot be used: "
            + problem.detail()
            + "\n  backend: "
            + id.kind()
            + " ("
            + origin
            + ")"
            + remedy,
        problem.cause());
  }

  static BackendException ambiguous(DeviceId id, List<BackendSlot> slots) {
    return new BackendException(
        ErrorKind.VALUE,
        "device "
            + id
            + " is ambiguous: more than one backend has the name '"
            + id.kind()
            + "'\n  jars: "
            + slots.stream().map(BackendSlot::origin).collect(Collectors.joining(", "))
            + "\n  to do: remove all but one of them");
  }

  static BackendException noSuchOrdinal(DeviceId id, List<Device> devices) {
    String existing =
        devices.stream()
            .map(device -> device.id() + " (" + DeviceFacts.of(device).name() + ")")
            .collect(Collectors.joining(", "));
    String count =
        switch (devices.size()) {
          case 0 -> "no device";
          case 1 -> "1 device: " + existing;
          default -> devices.size() + " devices: " + existing;
        };
    return new BackendException(
        ErrorKind.INDEX,
        "there is no device " + id + ": the backend " + id.kind() + " has " + count);
  }

  static BackendException noHost(List<Diagnosis> backends, List<Diagnosis> jars) {
    return new BackendException(
        ErrorKind.VALUE,
        "no backend offers the host CPU, which every VM needs\n  backends: "
            + list(backends)
            + badJars(jars)
            + "\n  to do: add relaxvm-backend-cpu to the class path");
  }

  static BackendException severalHosts(List<BackendSlot> hosts) {
    return new BackendException(
        ErrorKind.VALUE,
        "more than one backend offers the host CPU\n  backends: "
            + hosts.stream()
                .map(slot -> slot.name() + " (" + slot.origin() + ")")
                .collect(Collectors.joining(", "))
            + "\n  to do: remove all but one of them");
  }

  static BackendException closed() {
    return new BackendException(
        ErrorKind.VALUE, "this backend registry is closed: its devices cannot be used any more");
  }

  private static String badJars(List<Diagnosis> jars) {
    return jars.isEmpty()
        ? ""
        : jars.stream()
            .map(Diagnosis::toString)
            .collect(Collectors.joining("\n            ", "\n  bad jars: ", ""));
  }

  private static String list(List<Diagnosis> backends) {
    if (backends.isEmpty()) {
      return "none";
    }
    return backends.stream().map(Diagnosis::toString).collect(Collectors.joining("\n            "));
  }
}
