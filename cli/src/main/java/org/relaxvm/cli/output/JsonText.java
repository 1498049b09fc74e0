package org.relaxvm.cli.output;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Results as one JSON object. */
public final class JsonText {
  private JsonText() {}

  /** An object of maps, lists, strings, numbers and booleans as indented JSON. */
  public static String of(Map<String, ?> object) {
    try {
      return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(object);
    } catch (IOException e) {
      throw new UncheckedIOException("JSON in memory cannot fail to be written", e);
    }
  }
}
