package org.relaxvm.api.error;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Root of every error that RelaxVM raises on purpose.
 *
 * <p>The first line of the message says what is wrong, in terms of this API. Lines with a label
 * follow: what was expected, what was found, and last {@code what to do: ...}, which {@link
 * #remedy()} gives as data. The lines after those say where: one per VM frame, innermost first,
 * added while the error leaves the VM.
 *
 * <p>Subclasses name the phase in which the error arose. {@link #kind()} is the kind that Apache
 * TVM gives the error, and {@link #tvmMessage()} TVM's text, so that programs and test vectors
 * written for either runtime can be compared. TVM raises {@code InternalError} for many mistakes of
 * callers; {@link #isInternal()} tells those from faults of RelaxVM.
 *
 * <p>Rationale: docs/rationale/api.md, "Why does a mistake of a caller have the kind
 * `InternalError`?"
 *
 * <p>Thread-safety: an exception is confined to the thread that throws it until it is caught.
 */
public class RelaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The number of locations that a message shows; further ones are counted. */
  public static final int MAX_LOCATIONS = 16;

  private static final String REMEDY = "\n  what to do: ";

  private final ErrorKind kind;
  private final String summary;
  private final ArrayList<String> locations = new ArrayList<>(2);
  private int omittedLocations;
  private @Nullable String tvmMessage;

  /**
   * Creates an error.
   *
   * @param summary the message without locations; it may end with a line {@code what to do: ...}
   */
  public RelaxException(ErrorKind kind, String summary) {
    this(kind, summary, null);
  }

  /**
   * Creates an error with its cause.
   *
   * @param summary the message without locations; it may end with a line {@code what to do: ...}
   */
  public RelaxException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(summary, cause);
    this.kind = kind;
    this.summary = summary;
  }

  /** The kind of the error, as TVM names it. */
  public final ErrorKind kind() {
    return kind;
  }

  /**
   * Whether the error is a fault of RelaxVM or of a backend. Otherwise the caller, the program, a
   * file or the machine is at fault.
   *
   * @return true for an {@code InternalError} that Apache TVM does not define
   */
  public final boolean isInternal() {
    return kind == ErrorKind.INTERNAL && tvmMessage == null;
  }

  /** The message without the location lines. */
  public final String summary() {
    return summary;
  }

  /**
   * What the user can do, as the message says after {@code what to do:}; empty where it does not.
   */
  public final Optional<String> remedy() {
    int at = summary.lastIndexOf(REMEDY);
    return at < 0 ? Optional.empty() : Optional.of(summary.substring(at + REMEDY.length()));
  }

  /** The summary without the line of the {@link #remedy()}. */
  public final String problem() {
    int at = summary.lastIndexOf(REMEDY);
    return at < 0 ? summary : summary.substring(0, at);
  }

  /**
   * Apache TVM's text of the error, without the {@code Check failed: (...) is false:} prefix; empty
   * where TVM has no such error.
   */
  public final Optional<String> tvmMessage() {
    return Optional.ofNullable(tvmMessage);
  }

  /**
   * Sets what {@link #tvmMessage()} gives.
   *
   * @return this error
   */
  public RelaxException withTvmMessage(String text) {
    tvmMessage = text;
    return this;
  }

  /** Where the error arose, innermost first; at most 16 locations are kept. */
  public final List<String> locations() {
    return List.copyOf(locations);
  }

  /**
   * Adds the next outer location to the message.
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
