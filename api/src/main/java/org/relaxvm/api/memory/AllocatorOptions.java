package org.relaxvm.api.memory;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Settings of an allocator. Immutable.
 *
 * @param budgetBytes the most that may be held from the device, blocks in use and idle ones
 *     together; {@link Long#MAX_VALUE} for no limit
 */
public record AllocatorOptions(long budgetBytes) {
  /** No limits. */
  public static final AllocatorOptions DEFAULT = new AllocatorOptions(Long.MAX_VALUE);

  /** Refuses a negative budget. */
  public AllocatorOptions {
    if (budgetBytes < 0) {
      throw new BackendException(
          ErrorKind.VALUE, "a memory budget must be 0 bytes or more, but is " + budgetBytes);
    }
  }

  /** These settings with another budget, in bytes. */
  public AllocatorOptions withBudget(long bytes) {
    return new AllocatorOptions(bytes);
  }

  /** Whether there is a budget at all. */
  public boolean isLimited() {
    return budgetBytes != Long.MAX_VALUE;
  }
}
