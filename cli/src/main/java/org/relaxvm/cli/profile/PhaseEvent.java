package org.relaxvm.cli.profile;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A part of a profiled run, for the reader of the recording. */
@Name("relaxvm.Phase")
@Label("Phase")
@Category("RelaxVM")
@Description("A part of what the command 'profile' does")
@StackTrace(false)
final class PhaseEvent extends Event {
  @Label("Phase")
  @Description("link, prepare, warm-up or runs")
  String phase = "";

  static void around(String phase, Runnable action) {
    PhaseEvent event = new PhaseEvent();
    event.begin();
    action.run();
    event.phase = phase;
    event.commit();
  }
}
