package org.relaxvm.cli.script;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.cli.check.CaseRun.ExpectedError;
import org.relaxvm.cli.check.JsonFields;

/**
 * A call of a script.
 *
 * @param kind what is called
 * @param name of the function, or of the object that holds the closure
 * @param args in the notation of scripts
 * @param result what is expected, in that notation
 * @param error the expected error, or null when the call must succeed
 * @param after what arguments hold after the call, by index
 */
record ScriptStep(
    Kind kind,
    String name,
    List<?> args,
    @Nullable Object result,
    @Nullable ExpectedError error,
    Map<Integer, Object> after) {
  /** What a step calls. */
  enum Kind {
    /** A function of the program. */
    VM("vm"),
    /** A registered function. */
    GLOBAL("global"),
    /** An object that holds a closure. */
    CLOSURE("invoke_closure");

    private final String field;

    Kind(String field) {
      this.field = field;
    }
  }

  static ScriptStep of(JsonFields fields) {
    for (Kind kind : Kind.values()) {
      if (fields.has(kind.field)) {
        return new ScriptStep(
            kind,
            fields.string(kind.field),
            fields.list("args"),
            fields.get("result"),
            error(fields),
            after(fields));
      }
    }
    throw new MalformedFileException(
        ErrorKind.VALUE,
        "'" + fields.where() + "': expected one of the fields vm, global, invoke_closure");
  }

  private static @Nullable ExpectedError error(JsonFields fields) {
    if (!fields.has("error")) {
      return null;
    }
    JsonFields error =
        new JsonFields(fields.where() + ", error", JsonFields.object(fields.get("error")));
    return new ExpectedError(error.string("kind"), error.string("message"));
  }

  private static Map<Integer, Object> after(JsonFields fields) {
    Map<Integer, Object> after = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : JsonFields.object(fields.get("after")).entrySet()) {
      String index = String.valueOf(entry.getKey());
      int args = fields.list("args").size();
      if (!index.matches("[0-9]{1,9}") || Integer.parseInt(index) >= args) {
        throw new MalformedFileException(
            ErrorKind.VALUE,
            "'" + fields.where() + "': 'after' names the argument " + index + " of " + args);
      }
      after.put(Integer.parseInt(index), entry.getValue());
    }
    return after;
  }

  @Override
  public String toString() {
    return kind.field + " " + name;
  }
}
