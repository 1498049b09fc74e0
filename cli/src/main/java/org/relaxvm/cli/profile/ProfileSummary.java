package org.relaxvm.cli.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.relaxvm.tir.cost.Cost;

/**
 * A profile in figures. Kernels, copies and calls are those of the measured part; builds and memory
 * are those of all.
 *
 * @param calls from outside
 * @param callNanos what they took together
 * @param phases what each part of the run took, in nanoseconds, in order
 * @param kernels those that took the most first
 * @param copies in the order in which they came first
 * @param builds one for each device
 * @param peakBytes the most that was held on each device; empty where nothing was allocated
 * @param withoutDeviceTimes devices of which only the times of the calls are known
 */
record ProfileSummary(
    long calls,
    long callNanos,
    Map<String, Long> phases,
    List<KernelRow> kernels,
    List<CopyRow> copies,
    List<BuildRow> builds,
    Map<String, Long> peakBytes,
    List<String> withoutDeviceTimes) {
  /**
   * What a kernel took.
   *
   * @param calls by instructions; launches where no instruction called it
   * @param nanos on the device
   * @param bytes read and written by all calls; empty when not known of each
   * @param operations on floats of all calls; empty when not known of each
   * @param nodes of the imported model that it computes; empty when the program was not imported
   */
  record KernelRow(
      String function,
      String device,
      long calls,
      long nanos,
      OptionalLong bytes,
      OptionalLong operations,
      List<String> nodes) {
    /** Copies the list. */
    KernelRow {
      nodes = List.copyOf(nodes);
    }
  }

  /** What copies of one kind took. */
  record CopyRow(String kind, String where, long count, long bytes, long nanos) {}

  /** What kernel compilation took. */
  record BuildRow(
      String device, long compiled, long compiledNanos, long cached, long cachedNanos) {}

  private record RowKey(String function, String device) {}

  /** A sum; not known when one part of it is not. */
  private static final class Sum {
    private long calls;
    private long nanos;
    private long bytes;
    private long operations;
    private boolean bytesKnown = true;
    private boolean operationsKnown = true;

    void add(long addedNanos, OptionalLong addedBytes, OptionalLong addedOperations) {
      calls++;
      nanos += addedNanos;
      bytes += addedBytes.orElse(0);
      operations += addedOperations.orElse(0);
      bytesKnown &= addedBytes.isPresent();
      operationsKnown &= addedOperations.isPresent();
    }

    OptionalLong knownBytes() {
      return bytesKnown ? OptionalLong.of(bytes) : OptionalLong.empty();
    }

    OptionalLong knownOperations() {
      return operationsKnown ? OptionalLong.of(operations) : OptionalLong.empty();
    }
  }

  /** Adds up. */
  static ProfileSummary of(Profile profile, ProgramCosts costs) {
    List<ProfileEvent.Call> calls = profile.measured(ProfileEvent.Call.class).toList();
    Map<String, Long> phases = new LinkedHashMap<>();
    profile
        .all(ProfileEvent.Phase.class)
        .forEach(phase -> phases.merge(phase.name(), phase.time().nanos(), Long::sum));
    TreeSet<String> withoutTimes = new TreeSet<>();
    List<KernelRow> kernels = kernels(profile, costs, withoutTimes);
    return new ProfileSummary(
        calls.size(),
        calls.stream().mapToLong(call -> call.time().nanos()).sum(),
        phases,
        kernels,
        copies(profile),
        builds(profile),
        peaks(profile),
        List.copyOf(withoutTimes));
  }

  private static List<KernelRow> kernels(
      Profile profile, ProgramCosts costs, TreeSet<String> withoutTimes) {
    Map<RowKey, Sum> called = new LinkedHashMap<>();
    profile
        .measured(ProfileEvent.Kernel.class)
        .filter(Profile::isKernel)
        .forEach(
            kernel -> {
              Cost cost = costs.of(kernel.function(), kernel.arguments());
              called
                  .computeIfAbsent(keyOf(profile, kernel), _ -> new Sum())
                  .add(kernel.time().nanos(), cost.bytes(), cost.operations());
            });
    Map<RowKey, Sum> launched = new LinkedHashMap<>();
    profile
        .measured(ProfileEvent.DeviceKernel.class)
        .forEach(
            kernel ->
                launched
                    .computeIfAbsent(new RowKey(kernel.function(), kernel.device()), _ -> new Sum())
                    .add(kernel.time().nanos(), known(kernel.bytes()), known(kernel.operations())));
    List<KernelRow> rows = new ArrayList<>();
    called.forEach(
        (key, sum) -> {
          Sum times = launched.remove(key);
          if (times == null && profile.hasDeviceTimes(key.device)) {
            return; // It launched kernels of other names, or none.
          }
          if (times == null && !profile.isHost(key.device)) {
            withoutTimes.add(key.device);
          }
          rows.add(row(key, sum.calls, times == null ? sum : times, sum, costs));
        });
    launched.forEach((key, sum) -> rows.add(row(key, sum.calls, sum, sum, costs)));
    rows.sort(
        Comparator.comparingLong(KernelRow::nanos).reversed().thenComparing(KernelRow::function));
    return rows;
  }

  /** What works on no tensor runs on the host. */
  private static RowKey keyOf(Profile profile, ProfileEvent.Kernel kernel) {
    boolean nowhere = kernel.device().isEmpty() && !profile.hosts().isEmpty();
    return new RowKey(kernel.function(), nowhere ? profile.hosts().getFirst() : kernel.device());
  }

  /** What the backend knows goes before what the arguments tell. */
  private static KernelRow row(
      RowKey key, long calls, Sum times, Sum arguments, ProgramCosts costs) {
    return new KernelRow(
        key.function,
        key.device,
        calls,
        times.nanos,
        times.bytesKnown ? times.knownBytes() : arguments.knownBytes(),
        times.operationsKnown ? times.knownOperations() : arguments.knownOperations(),
        costs.sourceNodes(key.function));
  }

  private static OptionalLong known(long value) {
    return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private static List<CopyRow> copies(Profile profile) {
    List<ProfileEvent.DeviceCopy> timed = profile.measured(ProfileEvent.DeviceCopy.class).toList();
    Map<RowKey, Sum> sums = new LinkedHashMap<>();
    profile
        .measured(ProfileEvent.Copy.class)
        .filter(copy -> timed.stream().noneMatch(other -> sameWork(copy, other)))
        .forEach(
            copy -> {
              String where =
                  copy.from().equals(copy.to()) ? copy.from() : copy.from() + " to " + copy.to();
              add(sums, copy.kind(), where, copy.time().nanos(), copy.bytes());
            });
    timed.forEach(copy -> add(sums, copy.kind(), copy.device(), copy.time().nanos(), copy.bytes()));
    List<CopyRow> rows = new ArrayList<>();
    sums.forEach(
        (key, sum) ->
            rows.add(new CopyRow(key.function, key.device, sum.calls, sum.bytes, sum.nanos)));
    return rows;
  }

  private static boolean sameWork(ProfileEvent.Copy copy, ProfileEvent.DeviceCopy timed) {
    return copy.kind().equals(timed.kind())
        && (copy.from().equals(timed.device()) || copy.to().equals(timed.device()));
  }

  private static void add(
      Map<RowKey, Sum> sums, String kind, String where, long nanos, long bytes) {
    sums.computeIfAbsent(new RowKey(kind, where), _ -> new Sum())
        .add(nanos, OptionalLong.of(bytes), OptionalLong.empty());
  }

  private static List<BuildRow> builds(Profile profile) {
    Map<String, BuildRow> rows = new TreeMap<>();
    profile
        .all(ProfileEvent.Build.class)
        .forEach(
            build -> {
              long nanos = build.time().nanos();
              BuildRow added =
                  build.cached()
                      ? new BuildRow(build.device(), 0, 0, 1, nanos)
                      : new BuildRow(build.device(), 1, nanos, 0, 0);
              rows.merge(
                  build.device(),
                  added,
                  (a, b) ->
                      new BuildRow(
                          a.device,
                          a.compiled + b.compiled,
                          a.compiledNanos + b.compiledNanos,
                          a.cached + b.cached,
                          a.cachedNanos + b.cachedNanos));
            });
    return List.copyOf(rows.values());
  }

  private static Map<String, Long> peaks(Profile profile) {
    Map<String, Long> peaks = new TreeMap<>();
    profile
        .all(ProfileEvent.Allocation.class)
        .forEach(event -> peaks.merge(event.device(), event.heldBytes(), Math::max));
    return peaks;
  }
}
