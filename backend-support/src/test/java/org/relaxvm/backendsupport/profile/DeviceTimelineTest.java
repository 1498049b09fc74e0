package org.relaxvm.backendsupport.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

class DeviceTimelineTest {
  /** Goes as fast as the host's, and shows 1,000 where the host shows {@link #START}. */
  private final DeviceClock clock = new DeviceClock(1);

  private static final long START = 5_000_000;
  private final DeviceTimeline timeline = new DeviceTimeline(new DeviceId("gpu", 1), clock);

  @TempDir Path folder;

  /** Work that a test completes. */
  private static final class FakeWork implements TimedWork {
    private final long start;
    private final long end;
    private boolean complete;
    private boolean failed;
    private int closed;

    FakeWork(long start, long end) {
      this.start = start;
      this.end = end;
    }

    FakeWork completed() {
      complete = true;
      return this;
    }

    @Override
    public boolean isComplete() {
      if (failed) {
        throw new BackendException(ErrorKind.RUNTIME, "lost");
      }
      return complete;
    }

    @Override
    public long startTicks() {
      assertThat(complete && closed == 0).isTrue();
      return start;
    }

    @Override
    public long endTicks() {
      return end;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private List<String> recorded(Runnable action) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("relaxvm.DeviceKernel");
      recording.enable("relaxvm.DeviceCopy");
      recording.start();
      clock.sample(START, 1000, START);
      action.run();
      recording.stop();
      Path file = folder.resolve("recording.jfr");
      recording.dump(file);
      List<String> contents = new ArrayList<>();
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().equals("relaxvm.DeviceKernel")) {
          contents.add(
              "%s on %s at %d for %d: %d bytes, %d operations"
                  .formatted(
                      event.getString("function"),
                      event.getString("device"),
                      event.getLong("start"),
                      event.getLong("time"),
                      event.getLong("bytes"),
                      event.getLong("operations")));
        } else if (event.getEventType().getName().equals("relaxvm.DeviceCopy")) {
          contents.add(
              "%s on %s at %d for %d: %d bytes"
                  .formatted(
                      event.getString("kind"),
                      event.getString("device"),
                      event.getLong("start"),
                      event.getLong("time"),
                      event.getLong("bytes")));
        }
      }
      Files.delete(file);
      return contents;
    }
  }

  @Test
  void whatIsCompleteIsEmittedWithTheTimeOfTheHost() throws IOException {
    FakeWork kernel = new FakeWork(2000, 2500).completed();
    FakeWork copy = new FakeWork(2600, 2700).completed();
    assertThat(
            recorded(
                () -> {
                  timeline.kernel("matmul", 400, 900, START, kernel);
                  timeline.copy("host to device", 64, START, copy);
                  timeline.poll();
                }))
        .containsExactly(
            "matmul on gpu:1 at 5001000 for 500: 400 bytes, 900 operations",
            "host to device on gpu:1 at 5001600 for 100: 64 bytes");
    assertThat(kernel.closed).isOne();
    assertThat(copy.closed).isOne();
    assertThat(timeline.lost()).isZero();
  }

  @Test
  void whatIsNotCompleteWaitsAndNobodyWaitsForIt() throws IOException {
    FakeWork slow = new FakeWork(2000, 9000);
    FakeWork fast = new FakeWork(2100, 2200).completed();
    assertThat(
            recorded(
                () -> {
                  timeline.kernel("slow", -1, -1, START, slow);
                  timeline.kernel("fast", -1, -1, START, fast);
                  timeline.poll();
                }))
        .containsExactly("fast on gpu:1 at 5001100 for 100: -1 bytes, -1 operations");
    assertThat(slow.closed).isZero();
    slow.completed();
    FakeWork next = new FakeWork(9500, 9600);
    assertThat(recorded(() -> timeline.kernel("next", -1, -1, START, next)))
        .containsExactly("slow on gpu:1 at 5001000 for 7000: -1 bytes, -1 operations");
    timeline.close();
    assertThat(next.closed).isOne();
    assertThat(timeline.lost()).isOne();
  }

  @Test
  void nothingStartsBeforeItIsSubmitted() throws IOException {
    FakeWork early = new FakeWork(900, 1900).completed();
    assertThat(
            recorded(
                () -> {
                  timeline.kernel("early", 1, 2, START, early);
                  timeline.poll();
                }))
        .containsExactly("early on gpu:1 at 5000000 for 1000: 1 bytes, 2 operations");
  }

  @Test
  void workThatFailsOrHasNoTimesIsLostAndClosed() throws IOException {
    FakeWork failed = new FakeWork(0, 0);
    failed.failed = true;
    FakeWork backwards = new FakeWork(3000, 2000).completed();
    assertThat(
            recorded(
                () -> {
                  timeline.kernel("failed", 1, 2, START, failed);
                  timeline.kernel("backwards", 1, 2, START, backwards);
                  timeline.poll();
                }))
        .isEmpty();
    assertThat(List.of(failed.closed, backwards.closed)).containsExactly(1, 1);
    assertThat(timeline.lost()).isEqualTo(2);
  }

  @Test
  void theOldestGoWhenTooManyWait() {
    FakeWork first = new FakeWork(0, 0);
    timeline.kernel("first", 1, 2, START, first);
    for (int i = 0; i < (1 << 16) - 1; i++) {
      timeline.kernel("more", 1, 2, START, new FakeWork(0, 0));
    }
    assertThat(first.closed).isZero();
    timeline.kernel("last", 1, 2, START, new FakeWork(0, 0));
    assertThat(first.closed).isOne();
    assertThat(timeline.lost()).isOne();
  }

  @Test
  void workAfterTheEndIsClosed() {
    timeline.close();
    timeline.close();
    FakeWork late = new FakeWork(0, 0).completed();
    timeline.kernel("late", 1, 2, START, late);
    assertThat(late.closed).isOne();
    assertThat(timeline.lost()).isOne();
  }

  @Test
  void timesAreAskedForOnlyWhileSomebodyRecordsThem() throws IOException {
    try (Recording other = new Recording()) {
      other.enable("relaxvm.Call");
      other.start();
      assertThat(DeviceTimeline.isOn()).isFalse();
    }
    recorded(() -> assertThat(DeviceTimeline.isOn()).isTrue());
    assertThat(DeviceTimeline.isOn()).isFalse();
  }
}
