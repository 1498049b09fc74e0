package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.LinkException;

/** Opens, calls and closes a library as it is told, for a class loader of its own. */
public final class LoaderUser implements Function<String, String> {
  private @Nullable Imitation library;

  @Override
  public String apply(String command) {
    Imitation open = library;
    if (open == null) {
      try {
        library = Imitation.open(Path.of(command));
        return "open";
      } catch (LinkException e) {
        return e.getMessage();
      }
    }
    if (command.equals("call")) {
      return "call " + open.call("call_by_name", 21).asLong();
    }
    open.close();
    library = null;
    return "closed";
  }
}
