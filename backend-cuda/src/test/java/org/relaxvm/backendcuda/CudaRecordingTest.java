package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/** Work that is recorded once and done as often as wanted. */
class CudaRecordingTest {
  private static final LaunchShape ONE =
      LaunchShape.of(WorkSize.of(new long[] {1}, new long[] {1}), 0);

  private final FakeBackend fake = new FakeBackend();
  private Backend backend;
  private CudaDevice device;
  private CudaProgram program;
  private CudaStream stream;
  private DeviceMemory x;
  private DeviceMemory out;

  @BeforeEach
  void open() {
    backend = fake.open();
    device = (CudaDevice) backend.devices().getFirst();
    program = device.build("negated", NegatedKernel.SOURCE);
    stream = device.own(device.openStream());
    x = device.allocate(12, 64, "");
    out = device.allocate(24, 64, "");
  }

  @AfterEach
  void nothingIsLeftOver() {
    device.free(x);
    device.free(out);
    program.close();
    stream.close();
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  private void work() {
    List<KernelArgument> arguments =
        List.of(new KernelArgument.Memory(x), new KernelArgument.Memory(out));
    stream.launch(program.kernel(NegatedKernel.NAME), NegatedKernel.NAME, arguments, ONE);
    device.copyWithin(out, 0, out, 12, 12, stream);
  }

  private CapturedWork recorded() {
    stream.beginCapture();
    work();
    return stream.endCapture();
  }

  @Test
  void whatIsRecordedIsDoneAtEachDemandAndNotBefore() {
    device.copyIn(MemorySegment.ofArray(new float[] {1, 2, 3}), x, 0, stream);
    try (CapturedWork recording = recorded()) {
      assertThat(recording.size()).isEqualTo(2);
      assertThat(copy()).containsExactly(0, 0, 0, 0, 0, 0);
      recording.submit(stream);
      assertThat(copy()).containsExactly(-1, -2, -3, -1, -2, -3);
      device.copyIn(MemorySegment.ofArray(new float[] {4, 5, 6}), x, 0, stream);
      try (Stream other = device.openStream()) {
        stream.synchronize();
        recording.submit(other);
      }
      assertThat(copy()).containsExactly(-4, -5, -6, -4, -5, -6);
    }
    assertThat(fake.cuda.launches).hasSize(1);
  }

  private float[] copy() {
    float[] back = new float[6];
    device.copyOut(out, 0, MemorySegment.ofArray(back), stream);
    return back;
  }

  @Test
  void closingWaitsForWhatWasSubmitted() {
    CapturedWork recording = recorded();
    recording.submit(stream);
    fake.cuda.calls.clear();
    recording.close();
    assertThat(fake.cuda.calls).containsExactly("synchronize");
    recording.close();
    assertThatThrownBy(() -> recording.submit(stream))
        .isInstanceOf(BackendException.class)
        .hasMessage("a recording of cuda:0 is closed: it does nothing");
  }

  @Test
  void whatNeedsTheHostCannotBeRecorded() {
    MemorySegment host = MemorySegment.ofArray(new byte[12]);
    cannotRecord("copy 12 bytes from the host", () -> device.copyIn(host, x, 0, stream));
    cannotRecord("copy 12 bytes to the host", () -> device.copyOut(x, 0, host, stream));
    cannotRecord("wait for its work", stream::synchronize);
    cannotRecord("mark a point", () -> stream.record().close());
    try (Stream other = device.openStream();
        Event event = other.record()) {
      cannotRecord("wait for another stream", () -> stream.waitFor(event));
    }
    try (CapturedWork earlier = recorded()) {
      cannotRecord("do recorded work", () -> earlier.submit(stream));
    }
  }

  private void cannotRecord(String what, Executable call) {
    stream.beginCapture();
    work();
    assertThatThrownBy(call::execute)
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "cuda:0 cannot "
                + what
                + " while its stream records: only kernels and copies within the device can be"
                + " recorded\n  what to do: do it before or after the recording, which is of no"
                + " use now");
    assertThatThrownBy(stream::endCapture)
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "cuda:0 has no recording: it was to "
                + what
                + " meanwhile, which cannot be recorded\n  what to do: do that before or after the"
                + " recording, and record again");
    // The stream works on.
    work();
    stream.synchronize();
  }

  @Test
  void recordingsBeginAndEndOnce() {
    assertThatThrownBy(stream::endCapture)
        .hasMessage("a stream of cuda:0 records nothing that could be ended");
    stream.beginCapture();
    assertThatThrownBy(stream::beginCapture)
        .hasMessage(
            "cuda:0 cannot begin another recording while its stream records: only kernels and"
                + " copies within the device can be recorded\n  what to do: do it before or after"
                + " the recording, which is of no use now");
    assertThatThrownBy(stream::endCapture)
        .hasMessageStartingWith("cuda:0 has no recording: it was to begin another recording");
    stream.beginCapture();
    stream.endCapture().close();
  }

  @Test
  void aRecordingThatTheDriverRefusesIsToldOf() {
    stream.beginCapture();
    fake.cuda.fail("endCapture", "cuStreamEndCapture", 901);
    assertThatThrownBy(stream::endCapture)
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "cuda:0 cannot record work: cuStreamEndCapture failed with"
                + " CUDA_ERROR_STREAM_CAPTURE_INVALIDATED (901)\n  what to do: compare with the"
                + " limits of the device, which 'relaxvm doctor' shows");
    fake.cuda.heal("endCapture");
    work();
    stream.synchronize();
  }

  @Test
  void aStreamThatIsClosedWhileItRecordsLeavesNothing() {
    try (CudaStream other = device.own(device.openStream())) {
      other.beginCapture();
    }
    CudaStream forgotten = device.own(device.openStream());
    forgotten.beginCapture();
    // Closing the device takes the stream with it.
  }
}
