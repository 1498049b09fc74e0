package org.relaxvm.integrationtests.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.relaxvm.cli.Main;
import org.relaxvm.cli.output.Console;

/**
 * A run of the command in this JVM.
 *
 * @param code the exit code
 * @param out what it printed as its result
 * @param err its messages
 */
record CommandRun(int code, String out, String err) {
  static CommandRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    int code = Main.run(new Console(new PrintWriter(out), new PrintWriter(err), false), texts);
    return new CommandRun(code, out.toString(), err.toString());
  }
}
