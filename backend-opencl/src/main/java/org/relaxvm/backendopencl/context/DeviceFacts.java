package org.relaxvm.backendopencl.context;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jocl.CL;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendsupport.gpu.GpuLimits;

/**
 * What a device says of itself. Does not change.
 *
 * @param name of the device, for people
 * @param platform name and version of its platform
 * @param version of OpenCL that the device has
 * @param languageVersion of OpenCL C that its compiler has
 * @param driverVersion version of the driver
 * @param type such as {@code GPU}
 * @param extensions names, separated by blanks
 * @param memoryBytes all of its memory
 * @param maxAllocationBytes its largest block
 * @param alignment of blocks and of parts of blocks in bytes, a power of two
 * @param localMemoryBytes memory that a work-group shares
 * @param maxWorkGroupSize work-items of a work-group
 * @param computeUnits work-groups that run at the same time
 * @param floatVectorLanes lanes of vectors of float32 that it prefers
 * @param hasCompiler whether it takes source code
 * @param hasFloat64 whether kernels may compute with float64
 * @param hasFloat16 whether kernels may compute with float16
 */
public record DeviceFacts(
    String name,
    String platform,
    String version,
    String languageVersion,
    String driverVersion,
    String type,
    String extensions,
    long memoryBytes,
    long maxAllocationBytes,
    long alignment,
    long localMemoryBytes,
    long maxWorkGroupSize,
    long computeUnits,
    long floatVectorLanes,
    boolean hasCompiler,
    boolean hasFloat64,
    boolean hasFloat16) {
  private static final int GPU_VECTOR_BYTES = 16;
  private static final int MAX_VECTOR_BYTES = 64;

  /** Asks a device; nothing is made. */
  static DeviceFacts of(OpenCl cl, cl_platform_id platform, cl_device_id device) {
    String extensions = cl.text(device, CL.CL_DEVICE_EXTENSIONS);
    return new DeviceFacts(
        cl.text(device, CL.CL_DEVICE_NAME),
        cl.text(platform, CL.CL_PLATFORM_NAME) + ", " + cl.text(platform, CL.CL_PLATFORM_VERSION),
        cl.text(device, CL.CL_DEVICE_VERSION),
        cl.text(device, CL.CL_DEVICE_OPENCL_C_VERSION),
        cl.text(device, CL.CL_DRIVER_VERSION),
        typeOf(cl.number(device, CL.CL_DEVICE_TYPE)),
        extensions,
        cl.number(device, CL.CL_DEVICE_GLOBAL_MEM_SIZE),
        cl.number(device, CL.CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        Long.highestOneBit(
            Math.max(1, cl.number(device, CL.CL_DEVICE_MEM_BASE_ADDR_ALIGN) / Byte.SIZE)),
        cl.number(device, CL.CL_DEVICE_LOCAL_MEM_SIZE),
        cl.number(device, CL.CL_DEVICE_MAX_WORK_GROUP_SIZE),
        cl.number(device, CL.CL_DEVICE_MAX_COMPUTE_UNITS),
        cl.number(device, CL.CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
        cl.number(device, CL.CL_DEVICE_COMPILER_AVAILABLE) != 0,
        has(extensions, "cl_khr_fp64"),
        has(extensions, "cl_khr_fp16"));
  }

  private static boolean has(String extensions, String extension) {
    return (" " + extensions + " ").contains(" " + extension + " ");
  }

  private static String typeOf(long bits) {
    if ((bits & CL.CL_DEVICE_TYPE_GPU) != 0) {
      return "GPU";
    }
    if ((bits & CL.CL_DEVICE_TYPE_CPU) != 0) {
      return "CPU";
    }
    return (bits & CL.CL_DEVICE_TYPE_ACCELERATOR) != 0 ? "accelerator" : "custom";
  }

  /** What schedules of kernels have to know. */
  public GpuLimits limits() {
    long preferred =
        switch (type) {
          case "GPU" -> GPU_VECTOR_BYTES;
          // Its compiler makes vectors of neighbouring work-items, which ours would be in the way
          // of.
          case "CPU" -> 1;
          default -> Long.highestOneBit(Math.max(1, floatVectorLanes)) * Float.BYTES;
        };
    return new GpuLimits(
        Math.clamp(maxWorkGroupSize, 1, Integer.MAX_VALUE),
        Math.max(0, localMemoryBytes),
        1,
        (int) Math.min(preferred, MAX_VECTOR_BYTES),
        Math.clamp(computeUnits, 1, Integer.MAX_VALUE));
  }

  /** What {@code doctor} shows. */
  public DeviceProperties properties() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("platform", platform);
    details.put("driver", driverVersion);
    details.put("version", version);
    details.put("compiler", hasCompiler ? languageVersion : "none: it takes binaries only");
    details.put("type", type + ", " + computeUnits + (computeUnits == 1 ? " unit" : " units"));
    details.put("largest block", mebibytes(maxAllocationBytes) + " MiB");
    details.put("alignment", alignment + " bytes");
    details.put("local memory", localMemoryBytes / 1024 + " KiB");
    details.put("largest group", maxWorkGroupSize + " work-items");
    details.put("float64", hasFloat64 ? "yes" : "no");
    details.put("float16", hasFloat16 ? "yes" : "stored, computed as float32");
    return new DeviceProperties(name, memoryBytes, alignment, maxAllocationBytes, details);
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
