package org.relaxvm.interoptvm.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

class DeviceFunctionsTest {
  private static final DeviceId CUDA = new DeviceId("cuda", 1);

  @ParameterizedTest
  @EnumSource
  void theHostCanBeMadeCurrent(Caller caller) {
    assertThat(caller.call("__tvm_set_device", 1, 0).isNull()).isTrue();
    assertThatThrownBy(() -> caller.call("__tvm_set_device", 2, 1))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("there is no device with type 2 and id 1\n  the devices are [cpu:0]");
  }

  @ParameterizedTest
  @EnumSource
  void devicesAreAskedForWhatTheyAre(Caller caller) {
    assertThat(caller.call("runtime.GetDeviceAttr", 1, 0, 0).asLong()).isEqualTo(1);
    assertThat(caller.call("runtime.GetDeviceAttr", 2, 0, 0).asLong()).isZero();
    assertThat(caller.call("runtime.GetDeviceAttr", 99, 7, 0).asLong()).isZero();
    assertThat(caller.call("runtime.GetDeviceAttr", 1, 0, 5).asString()).isNotEmpty();
    assertThat(caller.call("runtime.GetDeviceAttr", 1, 0, 2).isNull()).isTrue();
    assertThatThrownBy(() -> caller.call("runtime.GetDeviceAttr", 2, 0, 5))
        .hasMessageContaining("there is no device with type 2 and id 0");
  }

  @Test
  void theMemoryOfTheHostIsKnownToItsBackend() {
    assertThat(Caller.MACHINE.call("runtime.GetDeviceAttr", 1, 0, 14).asLong())
        .isGreaterThan(1L << 20);
  }

  @ParameterizedTest
  @EnumSource
  void everyDeviceHasOneStream(Caller caller) {
    DeviceId cpu = DeviceId.CPU;
    long stream = caller.call("runtime.Device_StreamCreate", cpu).asLong();
    assertThat(stream).isZero();
    caller.call("runtime.Device_SetStream", cpu, stream);
    caller.call("runtime.Device_StreamSync", cpu, stream);
    caller.call("runtime.Device_StreamSyncFromTo", cpu, stream, 0);
    caller.call("runtime.Device_StreamFree", cpu, stream);
    assertThatThrownBy(() -> caller.call("runtime.Device_StreamSync", cpu, 5))
        .hasMessageContaining(
            "there is no stream 5\n"
                + "  what to do: use 0, the one stream that a call has on each device");
    assertThatThrownBy(() -> caller.call("runtime.Device_StreamFree", cpu))
        .hasMessageContaining("runtime.Device_StreamFree(device, stream)");
    assertThatThrownBy(() -> caller.call("runtime.Device_StreamCreate", CUDA))
        .hasMessageContaining("there is no device with type 2 and id 1");
    assertThatThrownBy(() -> caller.call("runtime.Device_StreamCreate", 3))
        .isInstanceOfSatisfying(
            CallException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.TYPE);
              assertThat(e.summary()).isEqualTo("argument #0 must be a device, but is an integer");
              assertThat(e.tvmMessage())
                  .hasValue("Mismatched type on argument #0. Expected `Device` but got `int`");
            });
  }
}
