package org.relaxvm.backendcuda;

import java.util.List;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;

/**
 * The kit is green on a device that works as late as it may: nothing relies on work that was given
 * to a stream and not waited for.
 */
class LateDeviceConformanceTest extends BaseBackendConformanceTest {
  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(LateDeviceConformanceTest::provider)
          .with(Capability.DISCOVERABLE, Capability.PEER_COPY)
          .excluding(
              "BaseConcurrencyConformanceTest.kernelsOfManyThreadsDoNotMix",
              "the device knows no kernel of the library")
          .excluding("BaseKernelLibraryConformanceTest.*", "the device runs no program")
          .excluding("BaseKernelIrConformanceTest.*", "the device runs no program")
          .excluding(
              "BaseCaptureConformanceTest.kernelsAreRecordedWithTheirCopies",
              "the device runs no program")
          .withLiveBytes(device -> ((CudaDevice) device).liveBytes())
          .withModule(NegatedKernel.module());

  private static CudaBackendProvider provider() {
    FakeBackend fake = new FakeBackend();
    fake.cuda.devices =
        List.of(
            RecordingCuda.device("NVIDIA H100", "GPU-1", 9, 0),
            RecordingCuda.device("NVIDIA H100", "GPU-2", 9, 0));
    return fake.provider();
  }

  @Override
  protected BackendUnderTest backendUnderTest() {
    return UNDER_TEST;
  }
}
