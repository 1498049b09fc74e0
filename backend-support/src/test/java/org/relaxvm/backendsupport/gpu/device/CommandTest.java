package org.relaxvm.backendsupport.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTest {
  @ParameterizedTest
  @CsvSource({
    "COPY_IN, copy 8 bytes from the host, host to device",
    "COPY_OUT, copy 8 bytes to the host, device to host",
    "COPY_WITHIN, copy 8 bytes within its memory, within device"
  })
  void copiesTellTheirBytesAndDirection(Command.Kind kind, String text, String direction) {
    Command copy = Command.copy(kind, 8);
    assertThat(copy).hasToString(text);
    assertThat(copy.direction()).isEqualTo(direction);
  }

  @ParameterizedTest
  @CsvSource("softmax_0")
  void launchesTellTheirKernel(String name) {
    assertThat(Command.kernel(name)).hasToString("launch the kernel " + name);
  }
}
