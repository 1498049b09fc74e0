package org.relaxvm.rpc.wire;

/**
 * What a peer may send. Everything that a packet declares is checked against these and against the
 * bytes left in the packet before memory is allocated for it.
 *
 * @param packetBytes the largest packet
 * @param valueBytes the largest text or byte string in a value
 * @param values the most values of a packed sequence
 * @param rank the most dimensions of a tensor
 */
public record WireLimits(long packetBytes, long valueBytes, int values, int rank) {
  /** Limits for peers that are trusted with the memory of the process. */
  public static final WireLimits DEFAULT =
      new WireLimits(1L << 40, Integer.MAX_VALUE - 64, 4096, 64);

  /** Checks that all are positive. */
  public WireLimits {
    if (packetBytes <= 0 || valueBytes <= 0 || values <= 0 || rank <= 0) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }
}
