package org.relaxvm.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;

/** Sizes after the parameters (docs/spec/device-modules.md, section 2). */
class KernelLaunchTest {
  private static KernelEntry entry(LaunchTag... tags) {
    return new KernelEntry("k", List.of(DType.INT32), List.of(tags));
  }

  private static KernelLaunch launch(KernelEntry entry, Object... sizes) {
    Object[] args = new Object[sizes.length + 1];
    args[0] = 7L;
    System.arraycopy(sizes, 0, args, 1, sizes.length);
    return KernelLaunch.of(entry, CallArgs.of(args));
  }

  @Test
  void sizesFollowTheOrderOfTheTags() {
    KernelEntry entry =
        entry(
            LaunchTag.BLOCK_Y,
            LaunchTag.THREAD_Z,
            LaunchTag.PROGRAMMATIC_DEPENDENT_LAUNCH,
            LaunchTag.BLOCK_X,
            LaunchTag.THREAD_X,
            LaunchTag.COOPERATIVE_LAUNCH,
            LaunchTag.CLUSTER_X,
            LaunchTag.PREFERRED_CLUSTER_Z,
            LaunchTag.DYNAMIC_SHARED_MEMORY);
    assertThat(entry.argumentCount()).isEqualTo(8);
    KernelLaunch launch = launch(entry, 2L, 3L, 4L, 5L, 6L, 7L, 50_000L);
    assertThat(launch).hasToString("grid=(4,2,1), block=(5,1,3), shared=50000");
    assertThat(launch.cluster(0)).isEqualTo(6);
    assertThat(launch.cluster(1)).isEqualTo(1);
    assertThat(launch.preferredCluster(2)).isEqualTo(7);
    assertThat(launch.workDimensions()).isEqualTo(3);
    assertThat(launch.isProgrammatic()).isTrue();
    assertThat(launch.isCooperative()).isTrue();
  }

  @Test
  void everyTagHasItsParameter() {
    LaunchTag[] tags =
        Arrays.stream(LaunchTag.values()).filter(LaunchTag::hasValue).toArray(LaunchTag[]::new);
    Object[] sizes = new Object[tags.length];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = i + 2L;
    }
    KernelLaunch launch = launch(entry(tags), sizes);
    assertThat(launch).hasToString("grid=(2,3,4), block=(5,6,7), shared=14");
    assertThat(List.of(launch.cluster(0), launch.cluster(1), launch.cluster(2)))
        .containsExactly(8, 9, 10);
    assertThat(launch.preferredCluster(0)).isEqualTo(11);
    assertThat(launch.preferredCluster(1)).isEqualTo(12);
    assertThat(launch.preferredCluster(2)).isEqualTo(13);
    assertThat(launch.isProgrammatic()).isFalse();
    assertThat(launch.isCooperative()).isFalse();
  }

  @Test
  void withoutTagsEverythingIsOne() {
    KernelLaunch launch = launch(entry());
    assertThat(launch).hasToString("grid=(1,1,1), block=(1,1,1), shared=0");
    assertThat(launch.workDimensions()).isEqualTo(1);
  }

  @Test
  void zeroCountsAsOneExceptForMemory() {
    KernelEntry entry =
        entry(LaunchTag.BLOCK_X, LaunchTag.THREAD_Y, LaunchTag.DYNAMIC_SHARED_MEMORY);
    KernelLaunch launch = launch(entry, 0L, 0L, 0L);
    assertThat(launch).hasToString("grid=(1,1,1), block=(1,1,1), shared=0");
    assertThat(launch.workDimensions()).isEqualTo(2);
  }

  @Test
  void impossibleSizesAreRefused() {
    KernelEntry entry = entry(LaunchTag.BLOCK_X);
    for (long size : new long[] {-1, 1L << 31, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> launch(entry, size))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "kernel k cannot be launched: blockIdx.x must be 0 to 2147483647, but is " + size);
    }
    assertThatThrownBy(() -> launch(entry, 1.5))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #1 must be an integer, but is a floating-point number");
    assertThatThrownBy(() -> launch(entry))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "kernel k expects 2 arguments, which are [int32] and the sizes [blockIdx.x], but got"
                + " 1");
  }
}
