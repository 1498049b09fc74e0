package org.relaxvm.cli.output;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Where a command prints: results on {@code out}, everything else on {@code err}.
 *
 * @param out results
 * @param err messages and progress
 * @param terminal whether a person is watching, so that colour is welcome
 * @param errTerminal whether {@code err} is a terminal, so that progress bars are welcome
 */
public record Console(PrintWriter out, PrintWriter err, boolean terminal, boolean errTerminal) {
  /** Streams of which both or none are terminals. */
  public Console(PrintWriter out, PrintWriter err, boolean terminal) {
    this(out, err, terminal, terminal);
  }

  /** The process's own streams; colour needs a terminal, and none of {@code NO_COLOR} set. */
  public static Console system() {
    java.io.Console console = System.console();
    boolean terminal =
        console != null
            && console.isTerminal()
            && System.getenv("NO_COLOR") == null
            && !"dumb".equals(System.getenv("TERM"));
    return new Console(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        terminal,
        !"dumb".equals(System.getenv("TERM")) && StandardError.isTerminal().orElse(terminal));
  }

  /** Text in a colour, when there is a terminal. */
  public String styled(Style style, String text) {
    return terminal ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
  }

  /** How text stands out. */
  public enum Style {
    /** Something good, or the answer. */
    GOOD("32"),
    /** Something wrong. */
    BAD("31"),
    /** Something to look at. */
    WARN("33"),
    /** Secondary text. */
    DIM("2"),
    /** A heading. */
    BOLD("1");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }
}
