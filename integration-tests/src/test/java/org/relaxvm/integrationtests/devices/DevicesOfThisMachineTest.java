package org.relaxvm.integrationtests.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;

/**
 * Tries each device that this machine has and prints why the others are left out. A machine that
 * must have some names them, separated by commas, in {@code -Drelaxvm.requireDevices=} or the
 * environment variable {@code RELAXVM_REQUIRE_DEVICES}; then a missing one is a failure.
 */
class DevicesOfThisMachineTest {
  private final BackendRegistry registry = BackendRegistry.discover();

  @AfterEach
  void closeRegistry() {
    registry.close();
  }

  @Test
  void everyRequiredDeviceIsThere() {
    List<String> problems = new ArrayList<>();
    for (String name : requiredDevices()) {
      try {
        System.out.println("required device: " + registry.require(name));
      } catch (BackendException missing) {
        problems.add(missing.getMessage());
      }
    }
    assertThat(problems).as("devices that this machine must have").isEmpty();
  }

  @Test
  void noProviderOnTheClassPathIsBroken() {
    assertThat(registry.diagnoseDevices())
        .isNotEmpty()
        .noneMatch(diagnosis -> diagnosis.state() == Diagnosis.State.BROKEN);
  }

  @TestFactory
  Stream<DynamicTest> keepsWhatItIsGiven() {
    for (Diagnosis diagnosis : registry.diagnoseDevices()) {
      String verdict = diagnosis.devices().isEmpty() ? "devices skipped: " : "devices used: ";
      if (diagnosis.role() == Diagnosis.Role.BACKEND) {
        List<DeviceId> ids = diagnosis.devices().stream().map(Diagnosis.FoundDevice::id).toList();
        System.out.println(verdict + ids + " of " + diagnosis);
      }
    }
    return registry.devices().stream()
        .map(device -> dynamicTest(device.toString(), () -> roundTrip(device)));
  }

  private static void roundTrip(Device device) {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println(device + ": -Drelaxvm.seed=" + seed);
    byte[] bytes = new byte[100_003];
    new Random(seed).nextBytes(bytes);
    int offset = 64;
    DeviceMemory memory = device.allocate(offset + bytes.length, 64, "");
    try (Arena arena = Arena.ofConfined();
        org.relaxvm.api.spi.Stream stream = device.openStream()) {
      MemorySegment source = arena.allocate(bytes.length, 64);
      source.copyFrom(MemorySegment.ofArray(bytes));
      device.copyIn(source, memory, offset, stream);
      MemorySegment result = arena.allocate(bytes.length, 64);
      device.copyOut(memory, offset, result, stream);
      stream.synchronize();
      assertThat(result.mismatch(source)).as("first byte that differs").isEqualTo(-1);
    } finally {
      device.free(memory);
    }
  }

  static List<String> requiredDevices() {
    String property = System.getProperty("relaxvm.requireDevices");
    String names = property != null ? property : System.getenv("RELAXVM_REQUIRE_DEVICES");
    return names == null
        ? List.of()
        : Arrays.stream(names.split(",")).map(String::strip).filter(n -> !n.isEmpty()).toList();
  }
}
