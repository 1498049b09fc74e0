package org.relaxvm.backendcuda.context;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.DeviceReport;
import org.relaxvm.backendcuda.kernels.CudaTarget;
import org.relaxvm.backendsupport.gpu.GemmLimits;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.MatrixUnit;

/**
 * What a device says of itself, and what follows from it. Does not change.
 *
 * @param report the device's own words
 * @param driverVersion the newest version of CUDA that the driver knows, such as 12060 for 12.6
 */
public record DeviceFacts(DeviceReport report, int driverVersion) {
  /** What every block of memory starts at a multiple of, in bytes. */
  public static final long ALIGNMENT = 256;

  private static final int OLDEST_MAJOR = 7;
  private static final int OLDEST_MINOR = 5;

  /** What a thread loads and stores at once. */
  private static final int VECTOR_BYTES = 16;

  /** Of 65,536 in a multiprocessor: two blocks of 256 threads at once. */
  private static final int REGISTERS = 128;

  /** Slices of operands in shared memory: enough to wait for memory while others are multiplied. */
  private static final int SLICES = 4;

  /** Its architecture. */
  public CudaTarget target() {
    return new CudaTarget(report.major(), report.minor());
  }

  /** Whether kernels can be made for it. */
  public boolean isNewEnough() {
    return target().isAtLeast(OLDEST_MAJOR, OLDEST_MINOR);
  }

  /** The oldest compute capability that kernels can be made for, such as {@code 7.5}. */
  public static String oldestCapability() {
    return OLDEST_MAJOR + "." + OLDEST_MINOR;
  }

  /** Such as {@code 9.0}. */
  public String capability() {
    return report.major() + "." + report.minor();
  }

  /** What schedules of kernels have to know. */
  public GpuLimits limits() {
    return new GpuLimits(
        Math.max(1, Math.min(report.maxThreads(), report.maxBlock().x())),
        report.sharedBytes(),
        report.warpSize(),
        VECTOR_BYTES,
        Math.max(1, report.multiprocessors()),
        Optional.of(new GemmLimits(REGISTERS, SLICES, sliceBytes(), matrixUnit())));
  }

  /** Two blocks have room in a multiprocessor. */
  private int sliceBytes() {
    return Math.max(report.sharedBytes(), report.sharedBytesAllowed() / 2);
  }

  private Optional<MatrixUnit> matrixUnit() {
    if (!target().isAtLeast(8, 0)) {
      return Optional.empty();
    }
    Set<DType> operands = new HashSet<>(Set.of(DType.FLOAT16, DType.BFLOAT16));
    if (target().isAtLeast(8, 9)) {
      operands.addAll(Set.of(DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2));
    }
    return Optional.of(new MatrixUnit(operands));
  }

  /** What {@code doctor} shows. */
  public DeviceProperties properties() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("driver", "CUDA " + versionText(driverVersion));
    details.put(
        "compute capability",
        capability() + (isNewEnough() ? "" : ", too old: " + oldestCapability() + " is needed"));
    details.put(DeviceProperties.UUID, report.uuid());
    details.put("type", report.integrated() ? "GPU with memory of the host" : "GPU");
    details.put("multiprocessors", Integer.toString(report.multiprocessors()));
    details.put("alignment", ALIGNMENT + " bytes");
    details.put(
        "shared memory",
        kibibytes(report.sharedBytes())
            + ", "
            + kibibytes(report.sharedBytesAllowed())
            + " at most");
    details.put("L2 cache", kibibytes(report.l2Bytes()));
    details.put("largest group", report.maxThreads() + " threads in warps of " + report.warpSize());
    details.put("memory pool", report.memoryPools() ? "yes" : "no: blocks are taken one by one");
    return new DeviceProperties(
        report.name(), report.totalMemory(), ALIGNMENT, report.totalMemory(), details);
  }

  /** Whether a launch has more blocks along an axis than the device can count. */
  public boolean isTooLarge(Axes grid) {
    Axes most = report.maxGrid();
    return grid.x() > most.x() || grid.y() > most.y() || grid.z() > most.z();
  }

  /** A version as people write it: 12.6 for 12060. */
  public static String versionText(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }

  private static String kibibytes(int bytes) {
    return bytes / 1024 + " KiB";
  }
}
