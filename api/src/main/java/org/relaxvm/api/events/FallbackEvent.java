package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Emitted through {@link Events#fallback}. */
@Name("relaxvm.Fallback")
@Label("Fallback")
@Category("RelaxVM")
@Description("Something slower than what was asked for was used")
final class FallbackEvent extends Event {
  @Label("Wanted")
  @Description("What was asked for")
  String wanted = "";

  @Label("Used")
  @Description("What was done instead")
  String used = "";

  @Label("Reason")
  @Description("Why")
  String reason = "";

  static void emit(String wanted, String used, String reason) {
    FallbackEvent event = new FallbackEvent();
    if (event.isEnabled()) {
      event.wanted = wanted;
      event.used = used;
      event.reason = reason;
      event.commit();
    }
  }
}
