package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A call of a virtual machine from outside. */
@Name("relaxvm.Call")
@Label("Call")
@Category("RelaxVM")
@Description("A function of a program was called from outside, with the wait for its devices")
@StackTrace(false)
public final class CallEvent extends Event {
  @Label("Function")
  @Description("Name of what was called; empty for a packed function without a name")
  String function = "";

  @Label("Instructions")
  @Description("Bytecode instructions that the call executed")
  long instructions;

  @Label("Failed")
  @Description("Whether the call ended with an error")
  boolean failed;

  private CallEvent() {}

  /**
   * Starts the clock of a call.
   *
   * @param function what is called
   * @return null when the event is off
   */
  public static @Nullable CallEvent start(String function) {
    CallEvent event = new CallEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.function = function;
    event.begin();
    return event;
  }

  /**
   * Stops the clock and emits the event.
   *
   * @param instructions bytecode instructions that the call executed
   * @param failed whether the call ended with an error
   */
  public void finish(long instructions, boolean failed) {
    end();
    if (shouldCommit()) {
      this.instructions = instructions;
      this.failed = failed;
      commit();
    }
  }
}
