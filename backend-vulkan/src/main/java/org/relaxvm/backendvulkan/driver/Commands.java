package org.relaxvm.backendvulkan.driver;

import java.nio.ByteBuffer;

/**
 * A command buffer with its pool. It is recorded from {@link #begin} to {@link #end}, submitted
 * once or several times, and recorded again when all that is done.
 */
public interface Commands {
  /**
   * Starts anew.
   *
   * @param again whether it may be submitted several times, even before it is done; otherwise once
   */
  void begin(boolean again);

  /** What follows sees what was done before, on the whole queue. */
  void barrier();

  /** Copies between buffers. */
  void copy(long source, long sourceOffset, long target, long targetOffset, long byteSize);

  /** Chooses a pipeline. */
  void bindPipeline(long pipeline);

  /** Chooses the descriptor set. */
  void bindDescriptors(long layout, long set);

  /**
   * Gives push constants, from offset 0 on.
   *
   * @param bytes direct; from its start to its limit
   */
  void pushConstants(long layout, ByteBuffer bytes);

  /** Launches work-groups of the pipeline. */
  void dispatch(int x, int y, int z);

  /** Writes the time at which all that came before was done. */
  void timestamp(long queryPool, int index);

  /** Ends; the host sees what was done when it has waited for it. */
  void end();

  /** Destroys the command buffer and its pool. */
  void destroy();
}
