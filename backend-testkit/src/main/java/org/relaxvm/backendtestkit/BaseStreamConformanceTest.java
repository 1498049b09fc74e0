package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** The order of work. */
public abstract class BaseStreamConformanceTest extends BaseConformanceTest {
  private static final int SIZE = 1 << 16;

  private DeviceMemory a;
  private DeviceMemory b;

  @BeforeEach
  void takeBlocks() {
    a = device().allocate(SIZE, 64, "");
    b = device().allocate(SIZE, 64, "");
    set(a, 0, session().stream());
    set(b, 0, session().stream());
    session().stream().synchronize();
  }

  @AfterEach
  void giveBlocksBack() {
    device().free(a);
    device().free(b);
  }

  @Test
  void aStreamKnowsItsDevice() {
    assertThat(session().stream().device()).isEqualTo(device());
  }

  @Test
  void workOfOneStreamTakesEffectInOrder() {
    Stream stream = session().stream();
    for (int round = 1; round <= 20; round++) {
      set(a, round, stream);
      device().copyWithin(a, 0, b, 0, SIZE, stream);
      set(a, -1, stream);
      byte[] copied = read(b, stream);
      set(b, 0, stream);
      stream.synchronize();
      assertThat(copied).containsOnly(round);
    }
  }

  @Test
  void anEventIsCompleteOnceItsWorkIsDone() {
    Stream stream = session().stream();
    set(a, 1, stream);
    byte[] copied = read(a, stream);
    try (Event event = stream.record()) {
      event.await();
      assertThat(event.isComplete()).isTrue();
      assertThat(copied).containsOnly(1);
      event.await();
    }
  }

  @Test
  void anEventDoesNotSpeakOfLaterWork() {
    Stream stream = session().stream();
    set(a, 1, stream);
    byte[] before = read(a, stream);
    try (Event event = stream.record()) {
      set(a, 2, stream);
      byte[] after = read(a, stream);
      event.await();
      assertThat(before).containsOnly(1);
      stream.synchronize();
      assertThat(event.isComplete()).isTrue();
      assertThat(after).containsOnly(2);
    }
  }

  @Test
  void oneStreamWaitsForAnEventOfAnother() {
    try (Stream other = device().openStream()) {
      for (int round = 1; round <= 20; round++) {
        set(a, round, session().stream());
        try (Event event = session().stream().record()) {
          other.waitFor(event);
        }
        byte[] copied = read(a, other);
        other.synchronize();
        assertThat(copied).as("round %d", round).containsOnly(round);
      }
    }
  }

  @Test
  void streamsMayWaitForEachOtherAlternately() {
    try (Stream other = device().openStream()) {
      set(a, 1, session().stream());
      follow(other, session().stream());
      device().copyWithin(a, 0, b, 0, SIZE, other);
      follow(session().stream(), other);
      set(a, 2, session().stream());
      follow(other, session().stream());
      byte[] first = read(b, other);
      byte[] second = read(a, other);
      other.synchronize();
      assertThat(first).containsOnly(1);
      assertThat(second).containsOnly(2);
    }
  }

  @Test
  void closingAStreamWaitsForItsWork() {
    Stream other = device().openStream();
    set(a, 7, other);
    byte[] copied = read(a, other);
    other.close();
    assertThat(copied).containsOnly(7);
  }

  @Test
  void anEventRecordedAfterClosingIsComplete() {
    Stream other = device().openStream();
    set(a, 7, other);
    other.close();
    try (Event event = other.record()) {
      assertThat(event.isComplete()).isTrue();
      event.await();
    }
  }

  @Test
  void synchronizingWithoutWorkReturns() {
    session().stream().synchronize();
    session().stream().synchronize();
    try (Event event = session().stream().record()) {
      event.await();
      assertThat(event.isComplete()).isTrue();
    }
  }

  private void set(DeviceMemory block, int value, Stream stream) {
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, (byte) value);
    device().copyIn(MemorySegment.ofArray(bytes), block, 0, stream);
  }

  private byte[] read(DeviceMemory block, Stream stream) {
    byte[] bytes = new byte[SIZE];
    device().copyOut(block, 0, MemorySegment.ofArray(bytes), stream);
    return bytes;
  }

  private static void follow(Stream later, Stream earlier) {
    try (Event event = earlier.record()) {
      later.waitFor(event);
    }
  }
}
