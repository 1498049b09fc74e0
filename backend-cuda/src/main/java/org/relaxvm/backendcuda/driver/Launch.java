package org.relaxvm.backendcuda.driver;

import java.nio.ByteBuffer;

/**
 * A launch of a kernel.
 *
 * @param function the kernel
 * @param grid blocks along each axis
 * @param block threads of a block along each axis
 * @param cluster blocks along each axis that share their memory; {@link Axes#ONE} for no cluster
 * @param preferredCluster larger clusters to try first; {@link Axes#ONE} for none
 * @param dynamicSharedBytes shared memory beyond what the kernel has by itself
 * @param overlapsPrevious whether it may start before the launch in front of it has ended
 * @param cooperative whether all blocks have to run at the same time
 * @param arguments direct, in the machine's byte order, from its start to its limit: each parameter
 *     at the next multiple of its own alignment; read before the call returns
 */
public record Launch(
    Handle.Function function,
    Axes grid,
    Axes block,
    Axes cluster,
    Axes preferredCluster,
    int dynamicSharedBytes,
    boolean overlapsPrevious,
    boolean cooperative,
    ByteBuffer arguments) {}
