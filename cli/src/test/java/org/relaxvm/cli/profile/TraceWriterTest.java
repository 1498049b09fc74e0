package org.relaxvm.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.cli.profile.FakeProfile.at;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.MalformedFileException;

class TraceWriterTest {
  @TempDir Path folder;

  /** A line for each event, with the names of its process and row instead of their numbers. */
  private List<String> lines(FakeProfile profile) throws IOException {
    Path file = folder.resolve("trace.json");
    TraceWriter.write(file, profile.build());
    Map<String, Object> trace = JSON.std.mapFrom(Files.readString(file));
    assertThat(trace.keySet()).containsExactly("displayTimeUnit", "traceEvents");
    List<Map<String, Object>> events = new ArrayList<>();
    for (Object event : (List<?>) field(trace, "traceEvents")) {
      events.add(asMap(event));
    }
    List<String> lines = new ArrayList<>();
    for (Map<String, Object> event : events) {
      if (!field(event, "ph").equals("M")) {
        String process = name(events, "process_name", field(event, "pid"), 0);
        String row =
            field(event, "ph").equals("C")
                ? "counter"
                : name(events, "thread_name", field(event, "pid"), field(event, "tid"));
        Object duration = event.get("dur") == null ? "" : "+" + event.get("dur");
        lines.add(
            "%s/%s %s %s%s %s %s %s"
                .formatted(
                    process,
                    row,
                    field(event, "ph"),
                    event.get("ts"),
                    duration,
                    event.get("cat"),
                    field(event, "name"),
                    event.getOrDefault("args", "")));
      }
    }
    return lines;
  }

  private static Object field(Map<String, Object> event, String name) {
    return Objects.requireNonNull(event.get(name), name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(Object object) {
    return (Map<String, Object>) object;
  }

  private static String name(
      List<Map<String, Object>> events, String kind, Object pid, Object tid) {
    List<String> names =
        events.stream()
            .filter(event -> field(event, "name").equals(kind))
            .filter(event -> field(event, "pid").equals(pid) && field(event, "tid").equals(tid))
            .map(event -> field(asMap(field(event, "args")), "name").toString())
            .toList();
    assertThat(names).as("%s of %s, %s", kind, pid, tid).hasSize(1);
    return names.getFirst();
  }

  @Test
  void everyEventIsInOrder() throws IOException {
    assertThat(lines(FakeProfile.ofTwoCalls()))
        .hasSize(7 + 1 + 2 * (12 + 3))
        .startsWith(
            "host/main X 0.0+10000.0 phase link ",
            "host/main X 1000.0+4000.0 build compile matmul {device=gpu:0, cached=false}",
            "host/main X 5000.0+200.0 build load add {device=gpu:0, cached=true}",
            "host/main X 5200.0+100.0 build load exp {device=gpu:0, cached=true}",
            "gpu:0/allocations i 6000.0 allocation allocate {requested_bytes=100,"
                + " block_bytes=4096}",
            "gpu:0/counter C 6000.0 memory memory held {bytes=5000000}",
            "host/main X 20000.0+5000.0 phase warm-up ",
            "host/main X 20000.0+4000.0 call main {instructions=5, failed=false}",
            "host/main X 20100.0+300.0 copy copy host to device {bytes=4000000, from=cpu:0,"
                + " to=gpu:0, staged=false}",
            "gpu:0/copies X 20150.0+200.0 copy host to device {bytes=4000000}",
            "host/main X 20400.0+20.0 instruction vm.builtin.alloc_tensor {device=gpu:0,"
                + " arguments=- 0 - -}",
            "gpu:0/allocations i 20410.0 allocation reuse {requested_bytes=200,"
                + " block_bytes=4096}",
            "gpu:0/counter C 20410.0 memory memory held {bytes=4000000}",
            "host/main X 20500.0+10.0 instruction relaxvm.matmul {device=gpu:0,"
                + " arguments=float32[1000,1000] float32[1000,1000] - false false -"
                + " float32[1000,1000]}",
            "gpu:0/kernels X 20600.0+2000.0 kernel relaxvm.matmul {bytes=-1, operations=-1}",
            "host/main X 20700.0+10.0 instruction custom {device=gpu:0, arguments=float32[10]}",
            "gpu:0/kernels X 22600.0+500.0 kernel custom {bytes=2000000, operations=1000}",
            "host/main X 23200.0+50.0 copy copy host {bytes=400, from=cpu:0, to=cpu:0,"
                + " staged=false}",
            "cpu:0/copies X 23200.0+50.0 copy host {bytes=400, from=cpu:0, to=cpu:0,"
                + " staged=false}",
            "host/main X 23300.0+250.0 instruction relaxvm.exp {device=cpu:0,"
                + " arguments=float32[500] float32[500]}",
            "cpu:0/kernels X 23300.0+250.0 kernel relaxvm.exp {arguments=float32[500]"
                + " float32[500]}",
            "host/main X 23600.0+250.0 instruction print {device=, arguments=7}");
  }

  @Test
  void whatOverlapsOnADeviceGetsARowOfItsOwn() throws IOException {
    assertThat(
            lines(
                new FakeProfile()
                    .add(
                        new ProfileEvent.DeviceKernel(at(0, 4000), "a", "gpu:0", 1, 2),
                        new ProfileEvent.DeviceKernel(at(1000, 2000), "b", "gpu:0", 1, 2),
                        new ProfileEvent.DeviceKernel(at(3000, 3000), "c", "gpu:0", 1, 2),
                        new ProfileEvent.DeviceKernel(at(4000, 3000), "d", "gpu:0", 1, 2))))
        .containsExactly(
            "gpu:0/kernels X 0.0+4.0 kernel a {bytes=1, operations=2}",
            "gpu:0/kernels 2 X 1.0+2.0 kernel b {bytes=1, operations=2}",
            "gpu:0/kernels 2 X 3.0+3.0 kernel c {bytes=1, operations=2}",
            "gpu:0/kernels X 4.0+3.0 kernel d {bytes=1, operations=2}");
  }

  @Test
  void aFallbackIsAMark() throws IOException {
    assertThat(
            lines(
                new FakeProfile()
                    .add(new ProfileEvent.Fallback(at(5000, 0), "wanted", "used", "reason"))))
        .containsExactly("host/main i 5.0 fallback used {wanted=wanted, reason=reason}");
  }

  @Test
  void aFileThatCannotBeWrittenIsOneMessage() {
    Path file = folder.resolve("missing").resolve("trace.json");
    assertThatThrownBy(() -> TraceWriter.write(file, new FakeProfile().build()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("cannot write " + file + ": no such file or folder");
  }
}
