package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.events.Events;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the host does instead of devices: each is said when the program is linked.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "How does a fallback know what a kernel wrote?"
 */
public final class Fallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(Fallbacks.class);

  private final boolean allowed;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * One thing that the host does.
   *
   * @param what a kernel or a device, such as {@code kernel add_opencl}
   * @param wanted the device that it is for
   * @param used the device that does it
   * @param reason why
   */
  public record Entry(String what, String wanted, String used, String reason) {
    @Override
    public String toString() {
      return what + " on " + used + " instead of " + wanted + ": " + reason;
    }
  }

  Fallbacks(boolean allowed) {
    this.allowed = allowed;
  }

  boolean areAllowed() {
    return allowed;
  }

  void add(String what, Object wanted, Object used, String reason) {
    Entry entry = new Entry(what, wanted.toString(), used.toString(), reason);
    entries.add(entry);
    LOG.warn("{}", entry);
    Events.fallback(what + " on " + wanted, used.toString(), reason);
  }

  /** All of them, in the order in which they were found. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }
}
