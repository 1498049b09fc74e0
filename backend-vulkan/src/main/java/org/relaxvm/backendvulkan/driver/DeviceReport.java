package org.relaxvm.backendvulkan.driver;

import java.util.List;
import java.util.Set;

/**
 * What a device says of itself, as it says it.
 *
 * @param name of the device, for people
 * @param kind what it is
 * @param apiVersion of Vulkan that it has, as Vulkan packs versions
 * @param driver its driver
 * @param limits of what it can be asked
 * @param subgroups how its work-items run together
 * @param features what it can do, of what kernels may use; empty when its version is below 1.2
 * @param float32 what it promises of floats of 32 bits
 * @param float64 what it promises of floats of 64 bits
 * @param queue the family of queues that computes
 */
public record DeviceReport(
    String name,
    DeviceKind kind,
    int apiVersion,
    Driver driver,
    Limits limits,
    Subgroups subgroups,
    Set<Feature> features,
    Floats float32,
    Floats float64,
    QueueFamily queue) {

  /**
   * A driver and which device it drives.
   *
   * @param name of the driver; empty where it does not say
   * @param info version for people; empty where it does not say
   * @param version as the vendor counts
   * @param vendor number of the vendor
   * @param uuid of the device, in the form 8-4-4-4-12; empty where it does not say
   * @param cacheUuid of what it compiles: another one cannot be used
   */
  public record Driver(
      String name, String info, int version, int vendor, String uuid, String cacheUuid) {}

  /**
   * Limits, in bytes unless said otherwise.
   *
   * @param memoryBytes the largest heap of the device's own memory
   * @param maxAllocationBytes the largest block
   * @param maxStorageBufferRange what a kernel sees of a buffer
   * @param maxUniformBufferRange the largest uniform block
   * @param storageOffsetAlignment of offsets in storage buffers, a power of two
   * @param uniformOffsetAlignment of offsets in uniform buffers, a power of two
   * @param maxStageStorageBuffers buffers of a kernel
   * @param maxPushConstantBytes the largest block of push constants
   * @param maxWorkGroupItems work-items of a work-group, all axes together
   * @param maxWorkGroupSize work-items of a work-group along x, y and z
   * @param maxWorkGroupCount work-groups of a launch along x, y and z
   * @param sharedMemoryBytes memory that a work-group shares
   * @param nanosPerTick of timestamps
   */
  public record Limits(
      long memoryBytes,
      long maxAllocationBytes,
      long maxStorageBufferRange,
      long maxUniformBufferRange,
      long storageOffsetAlignment,
      long uniformOffsetAlignment,
      long maxStageStorageBuffers,
      int maxPushConstantBytes,
      long maxWorkGroupItems,
      List<Long> maxWorkGroupSize,
      List<Long> maxWorkGroupCount,
      long sharedMemoryBytes,
      double nanosPerTick) {}

  /**
   * Subgroups: work-items that run in lockstep.
   *
   * @param size their work-items; 0 when not known
   * @param operations what they can do together in compute shaders, such as {@code arithmetic}
   */
  public record Subgroups(int size, List<String> operations) {
    /**
     * The operations that there are, in the order of the bits of {@code VkSubgroupFeatureFlags}.
     */
    static final List<String> ALL =
        List.of(
            "basic", "vote", "arithmetic", "ballot", "shuffle", "relative", "clustered", "quad");

    /** Whether they can do the operation of a bit. */
    public boolean has(int bit) {
      return operations.contains(ALL.get(bit));
    }
  }

  /**
   * What floats are like in shaders that ask for it; what is promised for both widths or for none
   * is said of both or of none.
   *
   * @param keepsSpecialValues infinities, NaN and the sign of zero are as in IEEE 754
   * @param roundsToNearest ties go to even
   * @param keepsDenormals numbers close to 0 are not taken for 0
   */
  public record Floats(
      boolean keepsSpecialValues, boolean roundsToNearest, boolean keepsDenormals) {
    /** Nothing is promised. */
    public static final Floats NONE = new Floats(false, false, false);
  }

  /**
   * Queues that are alike.
   *
   * @param index of the family; -1 when none of the device computes
   * @param timestampBits of its timestamps; 0 when it has none
   */
  public record QueueFamily(int index, int timestampBits) {}
}
