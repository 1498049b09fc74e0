package org.relaxvm.api.registry;

import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.api.discovery.Problem;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;

/** The messages for a device that cannot be had: each complete in itself. */
final class DeviceErrors {
  private static final String ADD_JAR =
      "put the backend's jar on the class path or in the folder plugins/";

  private DeviceErrors() {}

  static BackendException unknownBackend(
      String device, List<Diagnosis> backends, List<Diagnosis> jars) {
    return new BackendException(
        ErrorKind.VALUE,
        "no backend offers device "
            + device
            + "\n  backends: "
            + list(backends)
            + badJars(jars)
            + "\n  what to do: "
            + (backends.isEmpty() ? "" : "choose one of them, or ")
            + ADD_JAR);
  }

  static BackendException noAddresses(String address, String kind, String origin) {
    return new BackendException(
        ErrorKind.VALUE,
        "devices of the backend "
            + kind
            + " ("
            + origin
            + ") have no addresses, but got '"
            + address
            + "'\n  what to do: name it "
            + kind
            + ":0");
  }

  static BackendException unusable(String device, String kind, String origin, Problem problem) {
    String remedy = problem.remedy().isEmpty() ? "" : "\n  what to do: " + problem.remedy();
    return new BackendException(
        ErrorKind.RUNTIME,
        "device "
            + device
            + " cannot be used: "
            + problem.detail()
            + "\n  backend: "
            + kind
            + " ("
            + origin
            + ")"
            + remedy,
        problem.cause());
  }

  static BackendException optionForm(String option) {
    return new BackendException(
        ErrorKind.VALUE,
        "an option of a backend is named like cuda.cublas, the backend before the point, but got '"
            + option
            + "'");
  }

  static BackendException optionOfUnknown(String option, List<Diagnosis> backends) {
    return new BackendException(
        ErrorKind.VALUE,
        "option "
            + option
            + " is of a backend that is not there\n  backends: "
            + list(backends)
            + "\n  what to do: correct the option's name, or "
            + ADD_JAR);
  }

  static BackendException optionOfOpen(String backend, String option, String value) {
    return new BackendException(
        ErrorKind.VALUE,
        "option "
            + backend
            + "."
            + option
            + "="
            + value
            + " comes too late: the backend "
            + backend
            + " is open already with another value\n"
            + "  what to do: set options before the first device of the backend is required, or use"
            + " another registry");
  }

  static BackendException ambiguous(String device, String kind, List<BackendSlot> slots) {
    return new BackendException(
        ErrorKind.VALUE,
        "device "
            + device
            + " is ambiguous: more than one backend has the name '"
            + kind
            + "'\n  jars: "
            + slots.stream().map(BackendSlot::origin).collect(Collectors.joining(", "))
            + "\n  what to do: remove all but one of them");
  }

  static BackendException noSuchDevice(String device, String kind, List<Device> devices) {
    String count =
        switch (devices.size()) {
          case 0 -> "no device";
          case 1 -> "1 device: " + named(devices);
          default -> devices.size() + " devices: " + named(devices);
        };
    return new BackendException(
        ErrorKind.INDEX,
        "there is no device " + device + ": the backend " + kind + " has " + count);
  }

  static BackendException severalDevices(String device, List<Device> fitting) {
    return new BackendException(
        ErrorKind.VALUE,
        "device "
            + device
            + " could be any of "
            + fitting.size()
            + " devices: "
            + named(fitting)
            + "\n  what to do: give more of the name, or the number");
  }

  private static String named(List<Device> devices) {
    return devices.stream()
        .map(device -> device.id() + " (" + DeviceFacts.of(device).name() + ")")
        .collect(Collectors.joining(", "));
  }

  static BackendException noHost(List<Diagnosis> backends, List<Diagnosis> jars) {
    return new BackendException(
        ErrorKind.VALUE,
        "no backend offers the host CPU, which every VM needs\n  backends: "
            + list(backends)
            + badJars(jars)
            + "\n  what to do: add relaxvm-backend-cpu to the class path");
  }

  static BackendException severalHosts(List<BackendSlot> hosts) {
    return new BackendException(
        ErrorKind.VALUE,
        "more than one backend offers the host CPU\n  backends: "
            + hosts.stream()
                .map(slot -> slot.name() + " (" + slot.origin() + ")")
                .collect(Collectors.joining(", "))
            + "\n  what to do: remove all but one of them");
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
