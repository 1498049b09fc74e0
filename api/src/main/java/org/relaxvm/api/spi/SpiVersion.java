package org.relaxvm.api.spi;

/** The version of the interfaces in this package. */
public final class SpiVersion {
  /**
   * The current version. It is a compile-time constant on purpose: a provider that returns it
   * carries the number it was compiled against, so that a mismatch can be told apart from a broken
   * jar.
   */
  public static final int CURRENT = 2;

  private SpiVersion() {}
}
