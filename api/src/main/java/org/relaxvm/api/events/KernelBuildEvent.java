package org.relaxvm.api.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A backend compiled a kernel or loaded it from a cache. */
@Name("relaxvm.KernelBuild")
@Label("KernelBuild")
@Category("RelaxVM")
@Description("A kernel was compiled for a device, or taken from a cache")
@StackTrace(false)
public final class KernelBuildEvent extends Event {
  @Label("Kernel")
  @Description("Name in the program, or of the first of those that are compiled together")
  String kernel = "";

  @Label("Device")
  @Description("For which device")
  String device = "";

  @Label("Cached")
  @Description("Whether it came from a cache; otherwise it was compiled")
  boolean cached;

  private KernelBuildEvent() {}

  /** Starts the clock; null when the event is off. Ask {@link Events#areOn()} first. */
  public static @Nullable KernelBuildEvent start() {
    KernelBuildEvent event = new KernelBuildEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  /**
   * Stops the clock and emits the event.
   *
   * @param kernel name in the program, or of the first of those that are compiled together
   * @param device named by its text
   * @param cached whether it came from a cache; otherwise it was compiled
   */
  public void finish(String kernel, Object device, boolean cached) {
    end();
    if (shouldCommit()) {
      this.kernel = kernel;
      this.device = device.toString();
      this.cached = cached;
      commit();
    }
  }
}
