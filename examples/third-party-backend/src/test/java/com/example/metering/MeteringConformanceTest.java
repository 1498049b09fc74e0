package com.example.metering;

import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;

// snippet: conformance
/**
 * The kit on this device. It is found by its service file, and the kit is told so; what it is not
 * told of (strides, float64, integers, modules at run time), the device must refuse.
 */
class MeteringConformanceTest extends BaseBackendConformanceTest {
  private static final BackendUnderTest METERING =
      BackendUnderTest.of(MeteringBackendProvider::new)
          .with(Capability.DISCOVERABLE)
          .withLiveBytes(device -> ((MeteringDevice) device).liveBytes());

  @Override
  protected BackendUnderTest backendUnderTest() {
    return METERING;
  }
}
// end
