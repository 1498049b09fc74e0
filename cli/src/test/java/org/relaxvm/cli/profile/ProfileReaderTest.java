package org.relaxvm.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.events.CopyEvent;
import org.relaxvm.api.events.DeviceCopyEvent;
import org.relaxvm.api.events.DeviceKernelEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.KernelBuildEvent;
import org.relaxvm.api.events.KernelEvent;

class ProfileReaderTest {
  @Test
  void whatADeviceDidIsOrderedAmongWhatTheHostDid() {
    try (ProfileRecorder recorder = ProfileRecorder.start()) {
      KernelEvent before = KernelEvent.start();
      before.stop();
      before.emit("before", "gpu:0", "float32[2] -");
      long start = System.nanoTime();
      KernelEvent between = KernelEvent.start();
      between.stop();
      between.emit("between", "gpu:0", "");
      long end = System.nanoTime();
      KernelBuildEvent build = KernelBuildEvent.start();
      assertThat(build).isNotNull();
      build.finish("made", "gpu:0", true);
      DeviceKernelEvent.emit("launched", "gpu:0", start, end - start, 100, -1);
      DeviceCopyEvent.emit("gpu:0", "host to device", end + 1_000_000_000, 5, 9);
      CopyEvent copy = CopyEvent.start();
      assertThat(copy).isNotNull();
      copy.finish(3, "cpu:0", "gpu:0", "host to device", true);
      Events.fallback("wanted", "used", "reason");
      Profile profile = recorder.stop(List.of("cpu:0"));

      assertThat(profile.threads())
          .isEqualTo(Map.of(Thread.currentThread().threadId(), Thread.currentThread().getName()));
      List<ProfileEvent.Kernel> kernels = profile.all(ProfileEvent.Kernel.class).toList();
      assertThat(kernels)
          .extracting(ProfileEvent.Kernel::function)
          .containsExactly("before", "between");
      assertThat(kernels.getFirst().time().start()).isZero();
      assertThat(kernels.getFirst().arguments()).isEqualTo("float32[2] -");
      ProfileEvent.DeviceKernel launched =
          profile.all(ProfileEvent.DeviceKernel.class).findFirst().orElseThrow();
      assertThat(launched.time().nanos()).isEqualTo(end - start);
      assertThat(List.of(launched.bytes(), launched.operations())).containsExactly(100L, -1L);
      // The two start anywhere, so a mistake is of hours; this thread may be stopped for seconds.
      long tolerance = TimeUnit.SECONDS.toNanos(30);
      assertThat(Math.abs(launched.time().start() - kernels.get(1).time().start()))
          .isLessThan(tolerance);
      ProfileEvent.DeviceCopy copied =
          profile.all(ProfileEvent.DeviceCopy.class).findFirst().orElseThrow();
      assertThat(copied.time().start() - launched.time().end()).isEqualTo(1_000_000_000);
      assertThat(profile.all(ProfileEvent.Build.class).findFirst().orElseThrow())
          .extracting(ProfileEvent.Build::kernel, ProfileEvent.Build::cached)
          .containsExactly("made", true);
      assertThat(profile.all(ProfileEvent.Copy.class).findFirst().orElseThrow().staged()).isTrue();
      assertThat(profile.all(ProfileEvent.Fallback.class).findFirst().orElseThrow().reason())
          .isEqualTo("reason");
      assertThat(profile.hasDeviceTimes("gpu:0")).isTrue();
      assertThat(profile.hasDeviceTimes("cpu:0")).isFalse();
    }
  }

  @Test
  void aRecordingOfNothingIsAnEmptyProfile() {
    try (ProfileRecorder recorder = ProfileRecorder.start()) {
      assertThat(recorder.stop(List.of("cpu:0")))
          .isEqualTo(new Profile(List.of(), Map.of(), List.of("cpu:0")));
    }
  }
}
