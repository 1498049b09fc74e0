package org.relaxvm.backendsupport.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;

/** In which pieces host memory is copied, and what is not copied at all. */
class HostCopiesTest {
  private final HostCopies copies = new HostCopies(new DeviceId("test", 0), 5, 3, 7);
  private final Queue queue = new Queue();

  /** Writes down what it is given, and keeps the bytes. */
  private static final class Queue implements HostCopies.Incoming {
    final List<String> log = new ArrayList<>();
    final byte[] memory = new byte[20];
    boolean idle = true;

    @Override
    public boolean isIdle() {
      return idle;
    }

    @Override
    public void copy(long at, MemorySegment chunk) {
      take("copy", at, chunk);
    }

    @Override
    public void copyLater(long at, MemorySegment chunk) {
      take("later", at, chunk);
    }

    private void take(String how, long at, MemorySegment chunk) {
      assertThat(chunk.isNative()).isTrue();
      log.add(how + " " + at + "+" + chunk.byteSize());
      MemorySegment.copy(chunk, 0, MemorySegment.ofArray(memory), at, chunk.byteSize());
    }

    void give(long at, MemorySegment chunk) {
      assertThat(chunk.isNative()).isTrue();
      log.add("give " + at + "+" + chunk.byteSize());
      MemorySegment.copy(MemorySegment.ofArray(memory), at, chunk, 0, chunk.byteSize());
    }
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i + 1);
    }
    return bytes;
  }

  @Test
  void nativeMemoryGoesInChunksAndHeapMemoryThroughTheBounceBuffer() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes(12));
      copies.in(source, queue);
    }
    assertThat(queue.log).containsExactly("copy 0+5", "copy 5+5", "copy 10+2");
    assertThat(Arrays.copyOf(queue.memory, 13)).isEqualTo(Arrays.copyOf(bytes(12), 13));
    queue.log.clear();
    copies.in(MemorySegment.ofArray(bytes(7)).asSlice(1), queue);
    assertThat(queue.log).containsExactly("copy 0+3", "copy 3+3");
    assertThat(queue.memory).startsWith(2, 3, 4, 5, 6, 7);
  }

  @Test
  void bytesComeBackInTheSamePieces() {
    System.arraycopy(bytes(12), 0, queue.memory, 0, 12);
    byte[] heap = new byte[8];
    copies.out(MemorySegment.ofArray(heap), queue::give);
    assertThat(heap).isEqualTo(bytes(8));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(11);
      copies.out(target, queue::give);
      assertThat(target.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes(11));
    }
    assertThat(queue.log)
        .containsExactly("give 0+3", "give 3+3", "give 6+2", "give 0+5", "give 5+5", "give 10+1");
  }

  @Test
  void onlySmallCopiesToABusyQueueAreStaged() {
    queue.idle = false;
    copies.in(MemorySegment.ofArray(bytes(7)), queue);
    assertThat(queue.log).containsExactly("later 0+3", "later 3+3", "later 6+1");
    queue.log.clear();
    copies.in(MemorySegment.ofArray(bytes(8)), queue);
    assertThat(queue.log).containsExactly("copy 0+3", "copy 3+3", "copy 6+2");
    queue.log.clear();
    queue.idle = true;
    copies.in(MemorySegment.ofArray(bytes(2)), queue);
    assertThat(queue.log).containsExactly("copy 0+2");
  }

  @Test
  void memoryThatCannotBeUsedIsRefusedBeforeTheQueueSeesIt() {
    MemorySegment readOnly = MemorySegment.ofArray(bytes(4)).asReadOnly();
    copies.in(readOnly, queue);
    queue.log.clear();
    refuses(
        "a copy of 4 bytes between test:0 and the host needs host memory that can be written, but"
            + " it is read-only",
        () -> copies.out(readOnly, queue::give));
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(4);
    }
    refuses(
        "a copy of 4 bytes between test:0 and the host needs host memory that can be read, but it"
            + " was closed",
        () -> copies.in(closed, queue));
    assertThat(queue.log).isEmpty();
  }

  private static void refuses(String message, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(BackendException.class).hasMessage(message);
  }
}
