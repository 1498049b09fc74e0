package org.relaxvm.backendcuda.driver;

/** A number for each axis of a block, a grid or a cluster. */
public record Axes(int x, int y, int z) {
  /** One along each axis. */
  public static final Axes ONE = new Axes(1, 1, 1);

  /** The product of all. */
  public long count() {
    return (long) x * y * z;
  }

  @Override
  public String toString() {
    return "(" + x + "," + y + "," + z + ")";
  }
}
