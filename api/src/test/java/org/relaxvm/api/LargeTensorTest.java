package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.io.Npy;

/** Tensors beyond 2 GiB, over sparse files, so that no memory is needed. */
class LargeTensorTest {
  private static final long EXTENT = (5L << 30) / 2;

  @TempDir Path folder;

  private FileChannel sparse(Path file, ByteBuffer front, long size) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    channel.write(front, 0);
    channel.write(ByteBuffer.wrap(new byte[] {42}), size - 1);
    return channel;
  }

  private void requireSpace() throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    if (free < EXTENT * 2) {
      System.out.println("skipped: LargeTensorTest needs 5 GiB in " + folder + ", free: " + free);
    }
    assumeTrue(free >= EXTENT * 2, "too little space for a sparse file");
  }

  @Test
  void elementsBeyond2GiBAreReached() throws IOException {
    requireSpace();
    try (FileChannel channel = sparse(folder.resolve("raw"), ByteBuffer.allocate(0), EXTENT);
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, EXTENT, arena);
      Tensor tensor = Tensor.wrap(memory, DType.INT8, Shape.of(EXTENT));
      assertThat(tensor.longAt(EXTENT - 1)).isEqualTo(42);
      Tensor end = tensor.slice(0, EXTENT - 2, EXTENT);
      assertThat(end.byteOffset()).isEqualTo(EXTENT - 2);
      assertThat(end.toHost().toLongArray()).containsExactly(0, 42);
      Tensor everyBillionth = tensor.stridedView(Shape.of(3), new long[] {EXTENT / 2 - 1}, 1);
      assertThat(everyBillionth.toLongArray()).containsExactly(0, 0, 42);
      assertThat(tensor.toDisplayString(10)).isEqualTo("[0, 0, 0, ..., 0, 0, 42]");
      assertThatThrownBy(tensor::toFloatArray)
          .hasMessage("a tensor of 2684354560 elements does not fit a Java array; use segment()");
    }
  }

  @Test
  void filesBeyond2GiBAreMapped() throws IOException {
    requireSpace();
    String header = "{'descr': '<i8', 'fortran_order': False, 'shape': (" + EXTENT / 8 + ",), }";
    ByteBuffer front = ByteBuffer.allocate(128);
    front.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
    front.put((header + " ".repeat(117 - header.length()) + "\n").getBytes("US-ASCII")).flip();
    Path file = folder.resolve("large.npy");
    sparse(file, front, EXTENT + 128).close();
    Tensor tensor = Npy.map(file);
    assertThat(tensor.shape()).isEqualTo(Shape.of(EXTENT / 8));
    assertThat(tensor.longAt(EXTENT / 8 - 1)).isEqualTo(42L << 56);
    assertThat(tensor.segment().get(ValueLayout.JAVA_BYTE, EXTENT - 1)).isEqualTo((byte) 42);
  }
}
