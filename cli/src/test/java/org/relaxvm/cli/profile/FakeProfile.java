package org.relaxvm.cli.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.cli.profile.ProfileEvent.Time;

/** A recording with round figures: a CPU, and a device {@code gpu:0} that tells its times. */
final class FakeProfile {
  static final long MAIN = 7;

  private final List<ProfileEvent> events = new ArrayList<>();

  static Time at(long start, long nanos) {
    return new Time(start, nanos, MAIN);
  }

  FakeProfile add(ProfileEvent... added) {
    events.addAll(List.of(added));
    return this;
  }

  Profile build() {
    return new Profile(events, Map.of(MAIN, "main"), List.of("cpu:0"));
  }

  /** Links, and calls a function once to warm up and once to measure. */
  static FakeProfile ofTwoCalls() {
    FakeProfile fake =
        new FakeProfile()
            .add(
                new ProfileEvent.Phase(at(0, 10_000_000), "link"),
                new ProfileEvent.Build(at(1_000_000, 4_000_000), "matmul", "gpu:0", false),
                new ProfileEvent.Build(at(5_000_000, 200_000), "add", "gpu:0", true),
                new ProfileEvent.Build(at(5_200_000, 100_000), "exp", "gpu:0", true),
                new ProfileEvent.Allocation(at(6_000_000, 0), "gpu:0", 100, 4096, false, 5_000_000),
                new ProfileEvent.Phase(at(20_000_000, 5_000_000), "warm-up"),
                new ProfileEvent.Phase(at(30_000_000, 5_000_000), "runs"));
    fake.addCall(20_000_000);
    fake.addCall(30_000_000);
    return fake;
  }

  private void addCall(long start) {
    String matmul = "float32[1000,1000] float32[1000,1000] - false false - float32[1000,1000]";
    add(
        new ProfileEvent.Call(at(start, 4_000_000), "main", 5, false),
        new ProfileEvent.Copy(
            at(start + 100_000, 300_000), "cpu:0", "gpu:0", "host to device", 4_000_000, false),
        new ProfileEvent.DeviceCopy(
            at(start + 150_000, 200_000), "gpu:0", "host to device", 4_000_000),
        new ProfileEvent.Kernel(
            at(start + 400_000, 20_000), "vm.builtin.alloc_tensor", "gpu:0", "- 0 - -"),
        new ProfileEvent.Allocation(at(start + 410_000, 0), "gpu:0", 200, 4096, true, 4_000_000),
        new ProfileEvent.Kernel(at(start + 500_000, 10_000), "relaxvm.matmul", "gpu:0", matmul),
        new ProfileEvent.DeviceKernel(
            at(start + 600_000, 2_000_000), "relaxvm.matmul", "gpu:0", -1, -1),
        new ProfileEvent.Kernel(at(start + 700_000, 10_000), "custom", "gpu:0", "float32[10]"),
        new ProfileEvent.DeviceKernel(
            at(start + 2_600_000, 500_000), "custom", "gpu:0", 2_000_000, 1000),
        new ProfileEvent.Copy(at(start + 3_200_000, 50_000), "cpu:0", "cpu:0", "host", 400, false),
        new ProfileEvent.Kernel(
            at(start + 3_300_000, 250_000), "relaxvm.exp", "cpu:0", "float32[500] float32[500]"),
        new ProfileEvent.Kernel(at(start + 3_600_000, 250_000), "print", "", "7"));
  }
}
