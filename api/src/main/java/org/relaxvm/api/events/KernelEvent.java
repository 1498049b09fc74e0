package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A virtual machine called a packed function. Off unless it is asked for: then each call
 * instruction is watched.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do kernel events carry shapes and no costs?"
 */
@Name("relaxvm.Kernel")
@Label("Kernel")
@Category("RelaxVM")
@Description(
    "A packed function was called by an instruction; on a device that works asynchronously, its"
        + " work was submitted")
@Enabled(false)
@StackTrace(false)
public final class KernelEvent extends Event {
  @Label("Function")
  @Description("Name in the program's function table")
  String function = "";

  @Label("Device")
  @Description(
      "Device of the first tensor or storage among the arguments, else of the result; empty when"
          + " there is none")
  String device = "";

  @Label("Arguments")
  @Description(
      "Tensors as float32[2,3], numbers and booleans as they are, - for anything else;"
          + " separated by blanks")
  String arguments = "";

  private KernelEvent() {}

  /** Whether the event is recorded now. */
  public static boolean isOn() {
    return new KernelEvent().isEnabled();
  }

  /** Starts the clock of a call. */
  public static KernelEvent start() {
    KernelEvent event = new KernelEvent();
    event.begin();
    return event;
  }

  /** Stops the clock; {@link #emit} follows. */
  public void stop() {
    end();
  }

  /**
   * Emits the event.
   *
   * @param function name in the program's function table
   * @param device whose memory the function worked on; empty when none
   * @param arguments tensors as {@code float32[2,3]}, numbers and booleans as they are, {@code -}
   *     for anything else, separated by blanks
   */
  public void emit(String function, String device, String arguments) {
    if (shouldCommit()) {
      this.function = function;
      this.device = device;
      this.arguments = arguments;
      commit();
    }
  }
}
