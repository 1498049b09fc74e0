package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.interoptvm.shim.ElfShim;

class LargeLibraryTest {
  private static final long FAR = 3L << 30;

  /** The second half of a shim lies after 3 GiB of nothing, in a file with holes. */
  @Test
  void dataAfterTheFirstGigabytesIsFound(@TempDir Path folder) throws IOException {
    byte[] image = ElfShim.image(Machine.X86_64, "liblarge.so", List.of("f"));
    ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    int second = Math.toIntExact(bytes.getLong(64 + 56 + 8));
    for (int header : new int[] {64 + 56, 64 + 2 * 56}) {
      bytes.putLong(header + 8, bytes.getLong(header + 8) + FAR);
    }
    bytes.put(image.length - 8, (byte) 77);
    try (Arena arena = Arena.ofConfined();
        FileChannel channel =
            FileChannel.open(
                folder.resolve("large.so"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.SPARSE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(image, 0, second), 0);
      channel.write(ByteBuffer.wrap(image, second, image.length - second), FAR + second);
      MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      ObjectFile file = ObjectFile.read(mapped, "large.so");
      assertThat(file.symbol(ElfShim.TABLE).orElseThrow().fileOffset()).isGreaterThan(FAR);
      MemorySegment table = file.dataOf(ElfShim.TABLE).orElseThrow();
      assertThat(table.byteSize()).isEqualTo(16);
      assertThat(table.get(ValueLayout.JAVA_BYTE, 8)).isEqualTo((byte) 77);
    }
  }
}
