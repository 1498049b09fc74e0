package org.relaxvm.rpc.server;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;

/**
 * The text in which an error travels: {@code <kind>: <message>}. The message is Apache TVM's where
 * it has one, since clients of either runtime compare it; else this project's.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 4.
 */
final class ErrorText {
  /** A client cuts a text at a zero character, and nobody reads more than this. */
  private static final int MAX_LENGTH = 1 << 16;

  private ErrorText() {}

  static String of(Throwable failure) {
    String text =
        switch (failure) {
          case NamedErrorException e -> e.name() + ": " + e.getMessage();
          case RelaxException e -> e.kind().text() + ": " + messageOf(e);
          case OutOfMemoryError e -> ErrorKind.MEMORY.text() + ": the server's heap is full";
          case StackOverflowError e -> ErrorKind.RUNTIME.text() + ": the call nests too deeply";
          default -> ErrorKind.INTERNAL.text() + ": " + failure;
        };
    String clean = text.replace('\0', ' ');
    return clean.length() > MAX_LENGTH ? clean.substring(0, MAX_LENGTH) + " ..." : clean;
  }

  private static String messageOf(RelaxException e) {
    String own = e.getMessage();
    return e.tvmMessage()
        .filter(text -> !own.startsWith(text))
        .map(text -> text + "\n" + own)
        .orElse(own);
  }
}
