package org.relaxvm.backendsupport.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;

class DeviceLifetimeTest {
  private final HostGpu.Lifetime lifetime = new HostGpu.Lifetime(new DeviceId("hostgpu", 0));

  @Test
  void closeWaitsForUsesThatHaveBegun() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicBoolean nested = new AtomicBoolean();
    List<Integer> releasedMeanwhile = new ArrayList<>();
    Thread user =
        Thread.ofPlatform()
            .start(
                () ->
                    lifetime.run(
                        () -> {
                          inside.countDown();
                          awaitUninterruptibly(leave);
                          // Another thread closes by now; what has begun goes on.
                          nested.set(lifetime.use(() -> true));
                          releasedMeanwhile.add(lifetime.released.get());
                        }));
    inside.await();
    Thread closer = Thread.ofPlatform().start(lifetime::close);
    while (closer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> lifetime.run(() -> {})).hasMessageContaining("hostgpu:0 is closed");
    leave.countDown();
    user.join();
    closer.join();
    assertThat(nested).isTrue();
    assertThat(releasedMeanwhile).containsExactly(0);
    assertThat(lifetime.released).hasValue(1);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void ownedResourcesAreReleasedByCloseUnlessTheyAreDisowned() {
    List<String> released = new ArrayList<>();
    Owned kept = lifetime.make(() -> () -> released.add("kept"));
    Owned given = lifetime.make(() -> () -> released.add("given"));
    lifetime.run(() -> lifetime.own(() -> released.add("adopted")));
    lifetime.disown(given);
    lifetime.close();
    assertThat(kept).isNotNull();
    assertThat(released).containsExactlyInAnyOrder("kept", "adopted");
  }

  @Test
  void aResourceIsOwnedOnlyWhileTheDeviceIsKeptOpen() {
    assertThatThrownBy(() -> lifetime.own(() -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a resource of hostgpu:0 was created outside of make()");
  }

  @Test
  void aLostDeviceRefusesUsesAndReleasesItsResources() {
    BackendException lost = lifetime.lose();
    String message =
        "device hostgpu:0 is lost and cannot be used any more: code -36\n  what to do: close the"
            + " virtual machine and make another; if it happens again, look for messages of the"
            + " driver in the system's log";
    assertThat(lost).hasMessage(message);
    assertThat(lifetime.isLost()).isTrue();
    assertThatThrownBy(() -> lifetime.run(() -> {})).hasMessage(message);
    assertThat(lifetime.refuse("launch the kernel f")).hasMessage(message);
    assertThat(lifetime.noMemory("allocate 8 bytes", 8)).hasMessage(message);
    AtomicBoolean ran = new AtomicBoolean();
    assertThat(lifetime.runIfOpen(() -> ran.set(true))).isTrue();
    assertThat(ran).isTrue();
    lifetime.close();
    assertThat(lifetime.runIfOpen(() -> ran.set(false))).isFalse();
    assertThat(ran).isTrue();
  }

  @Test
  void failuresSayWhatTheDeviceCannotDo() {
    assertThat(lifetime.refuse("launch the kernel f"))
        .hasMessage(
            "hostgpu:0 cannot launch the kernel f: code -5\n  what to do: compare with the limits"
                + " of the device, which 'relaxvm doctor' shows");
    assertThat(lifetime.noMemory("allocate 8 bytes", 8))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageStartingWith("hostgpu:0 cannot allocate 8 bytes: code -4");
  }
}
