package org.relaxvm.cli.profile;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was recorded of a program.
 *
 * @param events by start; of two that start together the longer one first
 * @param threads names of the Java threads by id
 * @param hosts ids of the devices whose work is done when it is called: kernels take as long there
 *     as their calls
 */
record Profile(List<ProfileEvent> events, Map<Long, String> threads, List<String> hosts) {
  /** The part of the run that is measured; what came before it warmed up. */
  static final String RUNS = "runs";

  Profile {
    events =
        events.stream()
            .sorted(
                Comparator.comparingLong((ProfileEvent event) -> event.time().start())
                    .thenComparing(event -> -event.time().nanos()))
            .toList();
    threads = Map.copyOf(threads);
    hosts = List.copyOf(hosts);
  }

  /** The events of a kind, by start. */
  <E extends ProfileEvent> Stream<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }

  /** Those of them that began in the measured part. */
  <E extends ProfileEvent> Stream<E> measured(Class<E> kind) {
    Optional<ProfileEvent.Phase> runs =
        all(ProfileEvent.Phase.class).filter(phase -> phase.name().equals(RUNS)).findFirst();
    return all(kind).filter(event -> runs.isEmpty() || runs.get().time().contains(event.time()));
  }

  /** Whether the backend of a device told times of its own. */
  boolean hasDeviceTimes(String device) {
    return all(ProfileEvent.DeviceKernel.class).anyMatch(event -> event.device().equals(device));
  }

  boolean isHost(String device) {
    return hosts.contains(device);
  }

  /** Whether a packed function computes: builtins of the VM only arrange. */
  static boolean isKernel(ProfileEvent.Kernel event) {
    return !event.function().startsWith("vm.builtin.") && !event.function().startsWith("runtime.");
  }
}
