package org.relaxvm.api.error;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Root of every error that RelaxVM raises on purpose.
 *
 * <p>The first line of the message says what is wrong; for errors that Apache TVM has too it is
 * TVM's text without the {@code Check failed: ...} prefix. The lines after it say where: one per VM
 * frame, innermost first, added while the error leaves the VM.
 *
 * <p>Subclasses name the phase in which the error arose; {@link #kind()} names its nature.
 *
 * <p>Thread-safety: an exception is confined to the thread that throws it until it is caught.
 */
public class RelaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The number of places that a message shows; further ones are counted. */
  public static final int MAX_LOCATIONS = 16;

  private final ErrorKind kind;
  private final String summary;
  private final ArrayList<String> locations = new ArrayList<>(2);
  private int omittedLocations;

  /** Creates an error of a kind with the text of its first line. */
  public RelaxException(ErrorKind kind, String summary) {
    this(kind, summary, null);
  }

  /** Creates an error of a kind with the text of its first line and its cause. */
  public RelaxException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(summary, cause);
    this.kind = kind;
    this.summary = summary;
  }

  /** The nature of the error, as TVM names it. */
  public final ErrorKind kind() {
    return kind;
  }

  /** The message without the location lines. */
  public final String summary() {
    return summary;
  }

  /** Where the error arose, innermost first; at most 16 places are kept. */
  public final List<String> locations() {
    return List.copyOf(locations);
  }

  /**
   * Adds the next outer place to the message.
   *
   * @param location such as {@code function main, pc 3: call ones in: %5 dst: %void}
   */
  public final void addLocation(String location) {
    if (locations.size() < MAX_LOCATIONS) {
      locations.add(location);
    } else {
      omittedLocations++;
    }
  }

  @Override
  public String getMessage() {
    if (locations.isEmpty()) {
      return summary;
    }
    StringBuilder text = new StringBuilder(summary);
    for (String location : locations) {
      text.append("\n  at ").append(location);
    }
    if (omittedLocations > 0) {
      text.append("\n  ... ").append(omittedLocations).append(" more frames");
    }
    return text.toString();
  }
}
