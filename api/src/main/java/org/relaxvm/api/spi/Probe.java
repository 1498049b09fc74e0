package org.relaxvm.api.spi;

/**
 * What {@link BackendProvider#probe()} found without loading anything.
 *
 * @param usable whether {@link BackendProvider#open()} is worth trying
 * @param detail usable: what was found; else the reason
 * @param remedy what the user can do; empty when usable
 */
public record Probe(boolean usable, String detail, String remedy) {
  /** The backend should work. */
  public static Probe usable(String detail) {
    return new Probe(true, detail, "");
  }

  /** The backend cannot work here. */
  public static Probe unusable(String reason, String remedy) {
    return new Probe(false, reason, remedy);
  }
}
