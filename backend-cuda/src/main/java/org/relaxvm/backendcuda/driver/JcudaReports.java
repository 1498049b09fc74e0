package org.relaxvm.backendcuda.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/** Asks a device what it is; nothing is made. */
final class JcudaReports {
  private static final int MOST_NAME = 256;
  private static final int UUID_BYTES = 16;

  private final LibCuda direct;

  JcudaReports(LibCuda direct) {
    this.direct = direct;
  }

  DeviceReport of(int ordinal) {
    CUdevice device = JcudaDriver.device(ordinal);
    long[] memory = new long[1];
    JcudaDriver.check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(memory, device));
    return new DeviceReport(
        name(device),
        uuid(device, ordinal),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        memory[0],
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        new Axes(
            ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
            ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
            ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)),
        new Axes(
            ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
            ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
            ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != 0,
        ask(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_INTEGRATED) != 0);
  }

  private static int ask(CUdevice device, int attribute) {
    int[] value = new int[1];
    JcudaDriver.check(
        "cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
    return value[0];
  }

  private static String name(CUdevice device) {
    byte[] bytes = new byte[MOST_NAME];
    JcudaDriver.check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(bytes, bytes.length, device));
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, UTF_8).strip();
  }

  /**
   * As {@code nvidia-smi} prints it: {@code GPU-6fa0a53e-...}, or {@code MIG-...} for a part of a
   * device, which has a UUID beside that of the whole.
   */
  private String uuid(CUdevice device, int ordinal) {
    CUuuid whole = new CUuuid();
    JcudaDriver.check("cuDeviceGetUuid", JCudaDriver.cuDeviceGetUuid(whole, device));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment own = arena.allocate(UUID_BYTES);
      if (direct.deviceGetUuid(own, ordinal) == Cuda.SUCCESS) {
        byte[] part = own.toArray(ValueLayout.JAVA_BYTE);
        return (Arrays.equals(part, whole.bytes) ? "GPU-" : "MIG-") + text(part);
      }
    }
    return "GPU-" + text(whole.bytes);
  }

  private static String text(byte[] bytes) {
    ByteBuffer numbers = ByteBuffer.wrap(bytes);
    return new UUID(numbers.getLong(), numbers.getLong()).toString();
  }
}
