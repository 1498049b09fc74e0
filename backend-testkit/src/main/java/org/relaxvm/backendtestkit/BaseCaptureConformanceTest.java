package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.slf4j.LoggerFactory;

/**
 * Work that is recorded and submitted again; skipped, with the reason in the log, where the streams
 * of the device are no {@link CapturingStream}.
 */
public abstract class BaseCaptureConformanceTest extends BaseConformanceTest {
  private static final int SIZE = 1 << 12;

  private DeviceMemory a;
  private DeviceMemory b;
  private DeviceMemory c;
  private CapturingStream stream;

  @BeforeEach
  void takeBlocks() {
    a = device().allocate(SIZE, 64, "");
    b = device().allocate(SIZE, 64, "");
    c = device().allocate(SIZE, 64, "");
    if (!(session().stream() instanceof CapturingStream capturing)) {
      String reason = "streams of " + device() + " record no work";
      LoggerFactory.getLogger(getClass()).info("skipped: {}", reason);
      throw new TestAbortedException(reason);
    }
    stream = capturing;
    for (DeviceMemory block : List.of(a, b, c)) {
      set(block, 0, stream);
    }
    stream.synchronize();
  }

  @AfterEach
  void giveBlocksBack() {
    device().free(a);
    device().free(b);
    device().free(c);
  }

  @Test
  void recordedWorkIsNotDoneMeanwhile() {
    set(a, 1, stream);
    try (CapturedWork work = recorded(this::copyTwice)) {
      assertThat(work.size()).isEqualTo(2);
      byte[] before = read(c, stream);
      stream.synchronize();
      assertThat(before).containsOnly(0);
      work.submit(stream);
      byte[] after = read(c, stream);
      stream.synchronize();
      assertThat(after).containsOnly(1);
    }
  }

  @Test
  void recordedWorkReadsWhatIsThereWhenItIsSubmitted() {
    try (CapturedWork work = recorded(this::copyTwice)) {
      for (int round = 1; round <= 20; round++) {
        set(a, round, stream);
        work.submit(stream);
        byte[] copied = read(c, stream);
        stream.synchronize();
        assertThat(copied).as("round %d", round).containsOnly(round);
      }
    }
  }

  @Test
  void recordedWorkIsBetweenWhatComesBeforeAndAfterIt() {
    try (CapturedWork work = recorded(this::copyTwice);
        Stream other = device().openStream()) {
      for (Stream target : List.of(stream, other)) {
        for (int round = 1; round <= 20; round++) {
          set(a, round, target);
          work.submit(target);
          device().copyWithin(c, 0, b, 0, SIZE, target);
          set(a, -1, target);
          set(c, -1, target);
          byte[] copied = read(b, target);
          target.synchronize();
          assertThat(copied).as("round %d", round).containsOnly(round);
        }
      }
    }
  }

  @Test
  void kernelsAreRecordedWithTheirCopies() {
    Optional<PackedFunc> add = device().library().find("relaxvm.add");
    if (add.isEmpty()) {
      throw new TestAbortedException(device() + " brings no kernel relaxvm.add");
    }
    float[] first = {1, 2, 3, 4, 5, 6, 7, 8};
    Tensor x = session().upload(Tensor.of(first, Shape.of(8)));
    Tensor y = session().upload(Tensor.of(new float[8], Shape.of(8)));
    Tensor sum = session().upload(Tensor.of(new float[8], Shape.of(8)));
    session().call(add.get(), x, x, sum); // compiled
    stream.synchronize();
    try (CapturedWork work =
        recorded(
            unused -> {
              session().call(add.get(), x, x, y);
              session().call(add.get(), y, x, sum);
            })) {
      assertThat(work.size()).isPositive();
      for (int round = 1; round <= 3; round++) {
        float[] content = new float[8];
        Arrays.fill(content, round);
        Tensor.of(content, Shape.of(8)).copyInto(x);
        work.submit(stream);
        stream.synchronize();
        assertThat(sum.toHost().toFloatArray()).containsOnly(3 * round);
      }
    }
  }

  @Test
  void nothingIsRecordedToo() {
    try (CapturedWork work = recorded(unused -> {})) {
      assertThat(work.size()).isZero();
      work.submit(stream);
      stream.synchronize();
    }
  }

  @Test
  void whatNeedsTheHostFailsAndLeavesTheStreamUsable() {
    try (Stream other = device().openStream();
        Event event = other.record()) {
      refuses(() -> device().copyIn(MemorySegment.ofArray(new byte[SIZE]), a, 0, stream));
      refuses(() -> device().copyOut(a, 0, MemorySegment.ofArray(new byte[SIZE]), stream));
      refuses(stream::synchronize);
      refuses(() -> stream.record().close());
      refuses(() -> stream.waitFor(event));
    }
    recordedWorkReadsWhatIsThereWhenItIsSubmitted();
  }

  private void refuses(Runnable forbidden) {
    stream.beginCapture();
    copyTwice(stream);
    assertThatThrownBy(forbidden::run)
        .isInstanceOf(BackendException.class)
        .message()
        .contains("record");
    assertThatThrownBy(() -> stream.endCapture().close()).isInstanceOf(BackendException.class);
    set(a, 3, stream);
    byte[] copied = read(a, stream);
    stream.synchronize();
    assertThat(copied).containsOnly(3);
  }

  @Test
  void oneRecordingIsMadeAtATime() {
    assertThatThrownBy(() -> stream.endCapture().close()).isInstanceOf(BackendException.class);
    stream.beginCapture();
    assertThatThrownBy(stream::beginCapture).isInstanceOf(BackendException.class);
    assertThatThrownBy(() -> stream.endCapture().close()).isInstanceOf(BackendException.class);
    recordedWorkReadsWhatIsThereWhenItIsSubmitted();
  }

  @Test
  void memoryAndOtherStreamsAreUsedMeanwhile() {
    set(a, 5, stream);
    stream.synchronize();
    try (CapturedWork work =
        recorded(
            recording -> {
              DeviceMemory more = device().allocate(SIZE, 64, "");
              try (Stream other = device().openStream()) {
                set(more, 4, other);
                byte[] copied = read(more, other);
                other.synchronize();
                assertThat(copied).containsOnly(4);
              }
              device().free(more);
              copyTwice(recording);
            })) {
      work.submit(stream);
      byte[] copied = read(c, stream);
      stream.synchronize();
      assertThat(copied).containsOnly(5);
    }
  }

  @Test
  void recordingsOfOneStreamAreIndependent() {
    try (CapturedWork first = recorded(s -> device().copyWithin(a, 0, b, 0, SIZE, s));
        CapturedWork second = recorded(s -> device().copyWithin(b, 0, c, 0, SIZE, s))) {
      set(a, 9, stream);
      first.submit(stream);
      second.submit(stream);
      byte[] copied = read(c, stream);
      stream.synchronize();
      assertThat(copied).containsOnly(9);
    }
  }

  @Test
  void closingWaitsForWorkAndIsDoneTwice() {
    set(a, 6, stream);
    CapturedWork work = recorded(this::copyTwice);
    work.submit(stream);
    work.close();
    work.close();
    byte[] copied = read(c, stream);
    stream.synchronize();
    assertThat(copied).containsOnly(6);
    CapturingStream dropped = (CapturingStream) device().openStream();
    dropped.beginCapture();
    copyTwice(dropped);
    dropped.close();
  }

  @Test
  void workOutlivesTheStreamOnWhichItWasRecorded() {
    set(a, 8, stream);
    stream.synchronize();
    CapturingStream other = (CapturingStream) device().openStream();
    other.beginCapture();
    copyTwice(other);
    try (CapturedWork work = other.endCapture()) {
      other.close();
      work.submit(stream);
      byte[] copied = read(c, stream);
      stream.synchronize();
      assertThat(copied).containsOnly(8);
    }
  }

  private CapturedWork recorded(Consumer<Stream> submit) {
    stream.beginCapture();
    @Nullable CapturedWork work = null;
    try {
      submit.accept(stream);
    } finally {
      work = stream.endCapture();
    }
    return work;
  }

  private void copyTwice(Stream target) {
    device().copyWithin(a, 0, b, 0, SIZE, target);
    device().copyWithin(b, 0, c, 0, SIZE, target);
  }

  private void set(DeviceMemory block, int value, Stream target) {
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, (byte) value);
    device().copyIn(MemorySegment.ofArray(bytes), block, 0, target);
  }

  private byte[] read(DeviceMemory block, Stream target) {
    byte[] bytes = new byte[SIZE];
    device().copyOut(block, 0, MemorySegment.ofArray(bytes), target);
    return bytes;
  }
}
