package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.jocl.CL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** Copies that the kit does not ask for: large, staged, and from memory that cannot be used. */
@NeedsOpenCl
class OpenClCopyTest {
  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private OpenClDevice device;
  private Stream stream;

  @BeforeEach
  void open() {
    backend = new OpenClBackendProvider(faults::driver).open();
    device = (OpenClDevice) backend.devices().getFirst();
    stream = device.openStream();
  }

  @AfterEach
  void nothingIsLeftOver() {
    stream.close();
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void offsetsBeyondTwoGibibytesAreReached() {
    long size = (2L << 30) + 4096;
    long most = device.properties().maxAllocationBytes();
    if (size > most) {
      System.out.println("skipped: a block of " + device + " has at most " + most + " bytes");
    }
    Assumptions.assumeTrue(size <= most, "blocks are too small");
    DeviceMemory block = device.allocate(size, 64, "");
    byte[] bytes = new byte[100];
    new Random(7).nextBytes(bytes);
    device.copyIn(MemorySegment.ofArray(bytes), block, size - 200, stream);
    device.copyWithin(block, size - 200, block, size - 100, 100, stream);
    byte[] back = new byte[200];
    device.copyOut(block, size - 200, MemorySegment.ofArray(back), stream);
    assertThat(back).startsWith(bytes).endsWith(bytes);
    device.free(block);
  }

  @Test
  void copiesOfMoreThanTheBounceBufferComeBackFromTheHeapAndFromNativeMemory() {
    int count = (9 << 20) / Integer.BYTES + 3;
    int[] values = new Random(9).ints(count).toArray();
    DeviceMemory block = device.allocate((long) count * Integer.BYTES, 64, "");
    device.copyIn(MemorySegment.ofArray(values), block, 0, stream);
    int[] onHeap = new int[count];
    device.copyOut(block, 0, MemorySegment.ofArray(onHeap), stream);
    assertThat(onHeap).isEqualTo(values);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment nativeBytes = arena.allocate(block.byteSize());
      device.copyOut(block, 0, nativeBytes, stream);
      assertThat(nativeBytes.toArray(ValueLayout.JAVA_INT)).isEqualTo(values);
    }
    device.free(block);
  }

  @Test
  void aSmallCopyToABusyQueueIsStagedAndTakesEffectInOrder() {
    DeviceMemory a = device.allocate(4, 64, "");
    DeviceMemory b = device.allocate(4, 64, "");
    device.copyIn(MemorySegment.ofArray(new byte[] {1, 1, 1, 1}), a, 0, stream);
    device.copyWithin(a, 0, b, 0, 4, stream);
    // No copy that waits for the queue is allowed from here on.
    faults.fail("write", "clEnqueueWriteBuffer", CL.CL_INVALID_OPERATION);
    byte[] source = {2, 2, 2, 2};
    device.copyIn(MemorySegment.ofArray(source), a, 0, stream);
    source[0] = 9;
    byte[] back = new byte[4];
    device.copyOut(a, 0, MemorySegment.ofArray(back), stream);
    assertThat(back).containsOnly(2);
    device.copyOut(b, 0, MemorySegment.ofArray(back), stream);
    assertThat(back).containsOnly(1);
    device.free(a);
    device.free(b);
  }

  @Test
  void withoutMemoryForStagingTheErrorSaysSo() {
    DeviceMemory a = device.allocate(8, 64, "");
    device.copyWithin(a, 0, a, 4, 4, stream);
    faults.fail("createBuffer", "clCreateBuffer", CL.CL_OUT_OF_RESOURCES);
    assertThatThrownBy(() -> device.copyIn(MemorySegment.ofArray(new byte[4]), a, 0, stream))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "opencl:0 cannot copy 4 bytes from the host: clCreateBuffer failed with"
                + " CL_OUT_OF_RESOURCES (-5)");
    device.free(a);
  }

  @Test
  void anEventOfAnotherStreamIsFlushedBeforeItIsWaitedFor() {
    DeviceMemory a = device.allocate(4, 64, "");
    try (Stream other = device.openStream()) {
      device.copyWithin(a, 0, a, 2, 2, stream);
      faults.fail("flush", "clFlush", CL.CL_OUT_OF_HOST_MEMORY);
      try (Event event = stream.record()) {
        assertThatThrownBy(() -> other.waitFor(event))
            .isInstanceOf(DeviceOutOfMemoryException.class)
            .hasMessage(
                "opencl:0 cannot be given the work of a stream: clFlush failed with"
                    + " CL_OUT_OF_HOST_MEMORY (-6)");
        // Its own stream works in order anyway.
        stream.waitFor(event);
      }
    }
    device.free(a);
  }

  @Test
  void hostMemoryThatCannotBeUsedIsRefusedBeforeTheDriverTouchesIt() throws InterruptedException {
    DeviceMemory block = device.allocate(4, 64, "");
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(4);
      MemorySegment readOnly = arena.allocate(4).asReadOnly();
      device.copyIn(readOnly, block, 0, stream);
      refuses(
          "a copy of 4 bytes between opencl:0 and the host needs host memory that can be written,"
              + " but it is read-only",
          () -> device.copyOut(block, 0, readOnly, stream));
      Thread other =
          new Thread(
              () ->
                  refuses(
                      "a copy of 4 bytes between opencl:0 and the host needs host memory that can"
                          + " be read, but it belongs to another thread",
                      () -> device.copyIn(readOnly, block, 0, stream)));
      Throwable[] failure = new Throwable[1];
      other.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
      other.start();
      other.join();
      assertThat(failure[0]).isNull();
    }
    refuses(
        "a copy of 4 bytes between opencl:0 and the host needs host memory that can be read, but"
            + " it was closed",
        () -> device.copyIn(closed, block, 0, stream));
    device.free(block);
  }

  private static void refuses(String message, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(BackendException.class).hasMessage(message);
  }
}
