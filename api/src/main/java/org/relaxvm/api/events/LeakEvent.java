package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A result that nobody closed was released by the garbage collector's net. */
@Name("relaxvm.Leak")
@Label("Leak")
@Category("RelaxVM")
@Description("A result was never closed; its memory was released when the handle was garbage")
@StackTrace(false)
public final class LeakEvent extends Event {
  @Label("Kind")
  @Description("What was forgotten, such as a tensor")
  String kind = "";

  @Label("Origin")
  @Description("Which call gave the value")
  String origin = "";

  @Label("Allocation Site")
  @Description("Where the value was made, a line per frame; empty unless leaks are traced")
  String allocationSite = "";

  private LeakEvent() {}

  /**
   * Emits the event, when it is enabled.
   *
   * @param kind what was forgotten, such as {@code tensor}
   * @param origin which call gave the value, such as {@code function main}
   * @param allocationSite a line per frame; empty when not known
   */
  public static void emit(String kind, String origin, String allocationSite) {
    LeakEvent event = new LeakEvent();
    if (event.isEnabled()) {
      event.kind = kind;
      event.origin = origin;
      event.allocationSite = allocationSite;
      event.commit();
    }
  }
}
