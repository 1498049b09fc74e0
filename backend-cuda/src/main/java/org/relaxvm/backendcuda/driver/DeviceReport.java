package org.relaxvm.backendcuda.driver;

/**
 * What a device says of itself. Sizes are in bytes.
 *
 * @param name such as {@code NVIDIA H200}
 * @param uuid as {@code nvidia-smi} prints it, such as {@code GPU-6fa0...}, or {@code MIG-...} for
 *     a part
 * @param major of the compute capability, 9 of 9.0
 * @param minor of the compute capability, 0 of 9.0
 * @param totalMemory all of the device's memory
 * @param multiprocessors how many work-groups run at the same time at least
 * @param warpSize threads that run in lockstep
 * @param maxThreads most threads of a block
 * @param maxBlock most threads of a block along x, y and z
 * @param maxGrid most blocks along x, y and z
 * @param sharedBytes most shared memory of a block without asking for more
 * @param sharedBytesAllowed most shared memory of a block that a kernel may be allowed
 * @param l2Bytes of the cache that all blocks share
 * @param memoryPools whether memory can be taken in the order of a stream
 * @param integrated whether the device uses memory of the host
 */
public record DeviceReport(
    String name,
    String uuid,
    int major,
    int minor,
    long totalMemory,
    int multiprocessors,
    int warpSize,
    int maxThreads,
    Axes maxBlock,
    Axes maxGrid,
    int sharedBytes,
    int sharedBytesAllowed,
    int l2Bytes,
    boolean memoryPools,
    boolean integrated) {}
