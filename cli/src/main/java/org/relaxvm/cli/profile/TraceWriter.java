package org.relaxvm.cli.profile;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.cli.profile.ProfileEvent.Time;

/**
 * Writes a profile in the trace event format of Chrome, which Perfetto reads too: one process for
 * the host with its threads, and one for each device with tracks for kernels, copies and
 * allocations, and a counter of the memory that is held there.
 */
final class TraceWriter {
  private static final int HOST = 1;

  /** Rows of a device; what overlaps on one of the first two gets rows of its own after it. */
  private enum Track {
    KERNELS(1),
    COPIES(100),
    ALLOCATIONS(200);

    private final int first;

    Track(int first) {
      this.first = first;
    }
  }

  private final Profile profile;
  private final List<Map<String, Object>> events = new ArrayList<>();
  private final List<String> devices;

  /** When the last event of each row ends, by process and row. */
  private final Map<List<Integer>, Long> rowEnds = new LinkedHashMap<>();

  private TraceWriter(Profile profile) {
    this.profile = profile;
    this.devices = devices(profile);
  }

  /**
   * Writes the file, all or nothing.
   *
   * @throws org.relaxvm.api.error.MalformedFileException when it cannot be written
   */
  static void write(Path file, Profile profile) {
    Map<String, Object> trace = new LinkedHashMap<>();
    trace.put("displayTimeUnit", "ns");
    trace.put("traceEvents", new TraceWriter(profile).build());
    AtomicFile.write(
        file,
        channel -> {
          OutputStream out = Channels.newOutputStream(channel);
          out.write(JSON.std.asBytes(trace));
        });
  }

  /** All devices that anything happened on, the hosts first. */
  private static List<String> devices(Profile profile) {
    TreeSet<String> found = new TreeSet<>();
    for (ProfileEvent event : profile.events()) {
      switch (event) {
        case ProfileEvent.Kernel kernel -> found.add(kernel.device());
        case ProfileEvent.DeviceKernel kernel -> found.add(kernel.device());
        case ProfileEvent.Copy copy -> found.addAll(List.of(copy.from(), copy.to()));
        case ProfileEvent.DeviceCopy copy -> found.add(copy.device());
        case ProfileEvent.Allocation allocation -> found.add(allocation.device());
        case ProfileEvent.Build build -> found.add(build.device());
        case ProfileEvent.Phase _, ProfileEvent.Call _, ProfileEvent.Fallback _ -> {}
      }
    }
    found.remove("");
    List<String> ordered = new ArrayList<>(profile.hosts());
    found.stream().filter(device -> !ordered.contains(device)).forEach(ordered::add);
    return ordered;
  }

  private List<Map<String, Object>> build() {
    process(HOST, "host");
    profile.threads().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(thread -> row(HOST, thread.getKey(), thread.getValue()));
    for (String device : devices) {
      process(pid(device), device);
    }
    profile.events().forEach(this::add);
    nameRows();
    return events;
  }

  private void add(ProfileEvent event) {
    switch (event) {
      case ProfileEvent.Phase phase -> onHost(phase.time(), "phase", phase.name(), Map.of());
      case ProfileEvent.Call call ->
          onHost(
              call.time(),
              "call",
              call.function().isEmpty() ? "(function)" : call.function(),
              args("instructions", call.instructions(), "failed", call.failed()));
      case ProfileEvent.Kernel kernel -> addKernel(kernel);
      case ProfileEvent.DeviceKernel kernel ->
          onDevice(
              kernel.device(),
              Track.KERNELS,
              kernel.time(),
              "kernel",
              kernel.function(),
              args("bytes", kernel.bytes(), "operations", kernel.operations()));
      case ProfileEvent.Copy copy -> addCopy(copy);
      case ProfileEvent.DeviceCopy copy ->
          onDevice(
              copy.device(),
              Track.COPIES,
              copy.time(),
              "copy",
              copy.kind(),
              args("bytes", copy.bytes()));
      case ProfileEvent.Allocation allocation -> addAllocation(allocation);
      case ProfileEvent.Build build ->
          onHost(
              build.time(),
              "build",
              (build.cached() ? "load " : "compile ") + build.kernel(),
              args("device", build.device(), "cached", build.cached()));
      case ProfileEvent.Fallback fallback -> {
        Map<String, Object> made =
            event("i", HOST, fallback.time().thread(), fallback.time(), "fallback");
        made.put("name", fallback.used());
        made.put("s", "t");
        made.put("args", args("wanted", fallback.wanted(), "reason", fallback.reason()));
      }
    }
  }

  private void addKernel(ProfileEvent.Kernel kernel) {
    Map<String, Object> args = args("device", kernel.device(), "arguments", kernel.arguments());
    onHost(kernel.time(), "instruction", kernel.function(), args);
    boolean timedByCall =
        profile.isHost(kernel.device()) && !profile.hasDeviceTimes(kernel.device());
    if (timedByCall && Profile.isKernel(kernel)) {
      onDevice(
          kernel.device(),
          Track.KERNELS,
          kernel.time(),
          "kernel",
          kernel.function(),
          args("arguments", kernel.arguments()));
    }
  }

  private void addCopy(ProfileEvent.Copy copy) {
    Map<String, Object> args =
        args("bytes", copy.bytes(), "from", copy.from(), "to", copy.to(), "staged", copy.staged());
    onHost(copy.time(), "copy", "copy " + copy.kind(), args);
    if (copy.kind().equals("host")) {
      onDevice(copy.from(), Track.COPIES, copy.time(), "copy", copy.kind(), args);
    }
  }

  private void addAllocation(ProfileEvent.Allocation allocation) {
    int pid = pid(allocation.device());
    Map<String, Object> made =
        event("i", pid, Track.ALLOCATIONS.first, allocation.time(), "allocation");
    made.put("name", allocation.reused() ? "reuse" : "allocate");
    made.put("s", "t");
    made.put(
        "args",
        args(
            "requested_bytes",
            allocation.requestedBytes(),
            "block_bytes",
            allocation.blockBytes()));
    rowEnds.put(List.of(pid, Track.ALLOCATIONS.first), allocation.time().start());
    Map<String, Object> counter = event("C", pid, 0, allocation.time(), "memory");
    counter.put("name", "memory held");
    counter.put("args", args("bytes", allocation.heldBytes()));
  }

  private void onHost(Time time, String category, String name, Map<String, Object> args) {
    slice(HOST, time.thread(), time, category, name, args);
  }

  /** On the first row of the track where it does not overlap with another. */
  private void onDevice(
      String device,
      Track track,
      Time time,
      String category,
      String name,
      Map<String, Object> args) {
    int pid = pid(device);
    int row = track.first;
    while (rowEnds.getOrDefault(List.of(pid, row), 0L) > time.start()) {
      row++;
    }
    rowEnds.put(List.of(pid, row), time.end());
    slice(pid, row, time, category, name, args);
  }

  private void slice(
      int pid, long row, Time time, String category, String name, Map<String, Object> args) {
    Map<String, Object> made = event("X", pid, row, time, category);
    made.put("name", name);
    made.put("dur", time.nanos() / 1000.0);
    if (!args.isEmpty()) {
      made.put("args", args);
    }
  }

  private Map<String, Object> event(String ph, int pid, long row, Time time, String category) {
    Map<String, Object> made = new LinkedHashMap<>();
    made.put("ph", ph);
    made.put("pid", pid);
    made.put("tid", row);
    made.put("ts", time.start() / 1000.0);
    made.put("cat", category);
    events.add(made);
    return made;
  }

  private int pid(String device) {
    int index = devices.indexOf(device);
    return index < 0 ? HOST : HOST + 1 + index;
  }

  private void process(int pid, String name) {
    metadata("process_name", pid, 0, "name", name);
    metadata("process_sort_index", pid, 0, "sort_index", pid);
  }

  private void row(int pid, long row, String name) {
    metadata("thread_name", pid, row, "name", name);
  }

  private void nameRows() {
    rowEnds.keySet().stream()
        .sorted((a, b) -> Integer.compare(a.get(0) * 1000 + a.get(1), b.get(0) * 1000 + b.get(1)))
        .forEach(
            row -> {
              Track track = Track.KERNELS;
              for (Track candidate : Track.values()) {
                track = row.get(1) >= candidate.first ? candidate : track;
              }
              String name = track.name().toLowerCase(Locale.ROOT);
              int number = row.get(1) - track.first;
              row(row.get(0), row.get(1), number == 0 ? name : name + " " + (number + 1));
            });
  }

  private void metadata(String what, int pid, long row, String key, Object value) {
    Map<String, Object> made = new LinkedHashMap<>();
    made.put("ph", "M");
    made.put("pid", pid);
    made.put("tid", row);
    made.put("name", what);
    made.put("args", args(key, value));
    events.add(made);
  }

  private static Map<String, Object> args(Object... namesAndValues) {
    Map<String, Object> args = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      args.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return args;
  }
}
