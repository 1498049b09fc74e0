package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The content of a tensor was copied. */
@Name("relaxvm.Copy")
@Label("Copy")
@Category("RelaxVM")
@Description("The content of a tensor was copied to another")
@StackTrace(false)
public final class CopyEvent extends Event {
  @Label("Size")
  @Description("Size of the tensor")
  @DataAmount
  long bytes;

  @Label("From")
  @Description("Device of the source")
  String from = "";

  @Label("To")
  @Description("Device of the target")
  String to = "";

  @Label("Kind")
  @Description(
      "host, host to device, device to host, within device or between devices, by where the two"
          + " ends are")
  String kind = "";

  @Label("Staged")
  @Description("Whether the bytes went through host memory that is neither source nor target")
  boolean staged;

  private CopyEvent() {}

  /** Starts the clock of a copy; null when the event is off. */
  public static @Nullable CopyEvent start() {
    CopyEvent event = new CopyEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  /**
   * Stops the clock and emits the event.
   *
   * @param bytes of the tensor
   * @param from device of the source, named by its text
   * @param to device of the target, named by its text
   * @param kind by where the two ends are
   * @param staged whether the bytes went through host memory that is neither source nor target
   */
  public void finish(long bytes, Object from, Object to, String kind, boolean staged) {
    end();
    if (shouldCommit()) {
      this.bytes = bytes;
      this.from = from.toString();
      this.to = to.toString();
      this.kind = kind;
      this.staged = staged;
      commit();
    }
  }
}
