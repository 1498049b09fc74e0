package org.relaxvm.vmcore.link;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.vmcore.interp.Engine;

/**
 * A program bound to devices and functions.
 *
 * @param engine runs it
 * @param origins who provides each entry of the function table, in its order
 * @param constants the placed constant pool
 * @param fallbacks what the host does instead of devices
 * @param preparable functions that have work to do before their first call
 * @param resources what to release at the end
 */
public record Linked(
    Engine engine,
    List<Origin> origins,
    List<@Nullable Object> constants,
    FunctionSearch search,
    List<Preparable> preparable,
    Fallbacks fallbacks,
    Resources resources) {
  /** Who provides a function, and the device that it runs on; null when it belongs to none. */
  public record Origin(String text, @Nullable String device) {}
}
