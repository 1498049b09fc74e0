package com.example.metering;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts what a device does: for each activity, how often and how much. Thread-safe; read while
 * others count, the figures may be a moment apart.
 */
public final class Meter {
  /** What is counted. */
  public enum Activity {
    /** Blocks handed out. */
    ALLOCATION("allocations", "bytes"),
    /** Blocks given back. */
    FREE("frees", "bytes"),
    /** Copies from the host. */
    COPY_IN("copies in", "bytes"),
    /** Copies to the host. */
    COPY_OUT("copies out", "bytes"),
    /** Copies on the device. */
    COPY_WITHIN("copies within", "bytes"),
    /**
     * Kernel calls. An addition, multiplication, division or comparison of elements, an exponential
     * and an activation are one operation each.
     */
    KERNEL("kernel calls", "operations");

    private final String events;
    private final String unit;

    Activity(String events, String unit) {
      this.events = events;
      this.unit = unit;
    }
  }

  private final LongAdder[] times = adders();
  private final LongAdder[] amounts = adders();

  Meter() {}

  void count(Activity activity, long amount) {
    times[activity.ordinal()].increment();
    amounts[activity.ordinal()].add(amount);
  }

  /** How often it happened. */
  public long times(Activity activity) {
    return times[activity.ordinal()].sum();
  }

  /** How much it was altogether: bytes, for kernels operations. */
  public long amount(Activity activity) {
    return amounts[activity.ordinal()].sum();
  }

  /** All counts in one line. */
  public String report() {
    return Arrays.stream(Activity.values()).map(this::line).collect(Collectors.joining("; "));
  }

  private String line(Activity activity) {
    return String.format(
        Locale.ROOT,
        "%,d %s (%,d %s)",
        times(activity),
        activity.events,
        amount(activity),
        activity.unit);
  }

  private static LongAdder[] adders() {
    LongAdder[] adders = new LongAdder[Activity.values().length];
    Arrays.setAll(adders, i -> new LongAdder());
    return adders;
  }
}
