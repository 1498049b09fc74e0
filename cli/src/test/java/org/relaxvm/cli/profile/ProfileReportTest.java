package org.relaxvm.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.cli.profile.FakeProfile.at;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfileReportTest {
  private static ProfileReport report(FakeProfile profile, int mostKernels) {
    return new ProfileReport(ProfileSummary.of(profile.build(), new ProgramCosts()), mostKernels);
  }

  private static String text(FakeProfile profile, int mostKernels) {
    return String.join("\n", report(profile, mostKernels).lines()) + "\n";
  }

  @Test
  void theTablesTellTheMeasuredCallsAndAllThatWasMade() {
    // 12 MB and 2 GFLOP in 2 ms; 2 MB and 1,000 operations in 0.5 ms; 4 kB and 500 in 0.25 ms.
    assertThat(text(FakeProfile.ofTwoCalls(), 20))
        .isEqualTo(
            """
            link     10.00 ms
            warm-up  5000.0 us
            runs     5000.0 us  1 call, 4000.0 us each

            Kernels
              kernel          device  calls  total      mean       share   GB/s   GFLOP/s
              relaxvm.matmul  gpu:0   1      2000.0 us  2000.0 us  66.7 %  6.0    1000.0
              custom          gpu:0   1      500.0 us   500.0 us   16.7 %  4.0    0.002
              print           cpu:0   1      250.0 us   250.0 us   8.3 %   -      -
              relaxvm.exp     cpu:0   1      250.0 us   250.0 us   8.3 %   0.016  0.002

            Copies
              host            cpu:0  1 copy  400 bytes        50.0 us   0.008 GB/s
              host to device  gpu:0  1 copy  4,000,000 bytes  200.0 us  20.0 GB/s

            Kernel compilation
              gpu:0  1 compiled in 4000.0 us  2 from the cache in 300.0 us

            Peak device memory
              gpu:0  5,000,000 bytes
            """);
  }

  @Test
  void rowsBelowTheFirstAreCounted() {
    assertThat(text(FakeProfile.ofTwoCalls(), 2))
        .contains(
            "  custom          gpu:0   1      500.0 us   500.0 us   16.7 %  4.0   0.002\n"
                + "  and 2 more; --top shows them\n");
  }

  @Test
  void aProfileOfNothingSaysSo() {
    assertThat(text(new FakeProfile(), 20))
        .isEqualTo(
            """

            Kernels: none

            Copies: none

            Kernel compilation: none

            Peak device memory: none
            """);
  }

  @Test
  void aDeviceWithoutTimesIsNamed() {
    FakeProfile profile =
        new FakeProfile()
            .add(
                new ProfileEvent.Kernel(
                    at(0, 1000), "relaxvm.exp", "npu:0", "float32[4] float32[4]"),
                new ProfileEvent.Kernel(
                    at(2000, 3000), "relaxvm.exp", "npu:0", "float32[4] float32[4]"));
    assertThat(text(profile, 20))
        .contains("  relaxvm.exp  npu:0   2      4000 ns  2000 ns  100.0 %  0.016  0.002\n")
        .endsWith(
            "\n"
                + "npu:0 has no timestamps: its kernels are shown with the duration of their calls,"
                + " which may return before the work is done\n");
  }

  @Test
  void aKernelThatIsLaunchedUnderOtherNamesIsShownUnderThose() {
    FakeProfile profile =
        new FakeProfile()
            .add(
                new ProfileEvent.Kernel(at(0, 1000), "fused", "gpu:0", "float32[4]"),
                new ProfileEvent.DeviceKernel(at(500, 2000), "fused 1", "gpu:0", 8, -1),
                new ProfileEvent.DeviceKernel(at(2500, 4000), "fused 2", "gpu:0", -1, 16));
    ProfileSummary summary = ProfileSummary.of(profile.build(), new ProgramCosts());
    assertThat(summary.kernels())
        .extracting(row -> row.function() + " " + row.nanos() + " " + row.bytes())
        .containsExactly("fused 2 4000 OptionalLong.empty", "fused 1 2000 OptionalLong[8]");
  }

  @Test
  void aSumIsNotKnownWhenAPartIsNot() {
    FakeProfile profile =
        new FakeProfile()
            .add(
                new ProfileEvent.Kernel(
                    at(0, 1000), "relaxvm.exp", "cpu:0", "float32[4] float32[4]"),
                new ProfileEvent.Kernel(at(2000, 1000), "relaxvm.exp", "cpu:0", "-"));
    assertThat(text(profile, 20))
        .contains("  relaxvm.exp  cpu:0   2      2000 ns  1000 ns  100.0 %  -     -\n");
  }

  @Test
  void aRateThatIsVerySmallIsNotNothing() {
    FakeProfile profile =
        new FakeProfile()
            .add(
                new ProfileEvent.DeviceKernel(at(0, 1_000_000), "slow", "gpu:0", 10, 0),
                new ProfileEvent.DeviceKernel(at(2_000_000, 0), "timeless", "gpu:0", 10, 10));
    assertThat(text(profile, 20))
        .contains(
            "  slow      gpu:0   1      1000.0 us  1000.0 us  100.0 %  <0.001  0.000\n"
                + "  timeless  gpu:0   1      0 ns       0 ns       0.0 %    -       -\n");
  }

  @Test
  void theSameIsThereForPrograms() {
    Map<String, Object> json = report(FakeProfile.ofTwoCalls(), 1).json();
    assertThat(json)
        .containsEntry("calls", 1L)
        .containsEntry("call_ns", 4_000_000L)
        .containsEntry(
            "phases_ns", Map.of("link", 10_000_000L, "warm-up", 5_000_000L, "runs", 5_000_000L))
        .containsEntry("peak_bytes", Map.of("gpu:0", 5_000_000L))
        .containsEntry("without_device_times", List.of())
        .containsEntry(
            "builds",
            List.of(
                Map.of(
                    "device", "gpu:0",
                    "compiled", 1L,
                    "compiled_ns", 4_000_000L,
                    "cached", 2L,
                    "cached_ns", 300_000L)));
    assertThat(json.get("kernels"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(4)
        .first()
        .hasToString(
            "{kernel=relaxvm.matmul, device=gpu:0, calls=1, ns=2000000, bytes=12000000,"
                + " operations=2000000000}");
    assertThat(Arrays.asList(json.get("copies"))).hasSize(1);
  }
}
