package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.error.BackendException;

class DeviceIdTest {
  @Test
  void theOrdinalMayBeLeftOut() {
    assertThat(DeviceId.parse("cpu")).isEqualTo(DeviceId.CPU);
    assertThat(DeviceId.parse("cuda:3")).isEqualTo(new DeviceId("cuda", 3)).hasToString("cuda:3");
    assertThat(DeviceId.parse("my-npu_2:0").kind()).isEqualTo("my-npu_2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ":", "cpu:", "cpu:-1", "cpu:x", "CPU", "2cpu", "cpu:1:2", "cpu:1234567"})
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> DeviceId.parse(text))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("malformed device name '" + text)
        .hasMessageEndingWith(
            "': expected a backend name and optionally a number, such as cpu, cuda:0 or opencl:1");
  }

  @ParameterizedTest
  @CsvSource({"cpu, 1", "cuda, 2", "opencl, 4", "vulkan, 7", "metal, 8", "rocm, 10", "npu, 12"})
  void typeCodesAreThoseOfDlpack(String kind, int code) {
    assertThat(new DeviceId(kind, 0).typeCode()).isEqualTo(code);
  }
}
