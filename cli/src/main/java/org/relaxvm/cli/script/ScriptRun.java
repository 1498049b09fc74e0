package org.relaxvm.cli.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.check.CaseDevices;
import org.relaxvm.cli.check.CaseRun.ExpectedError;
import org.relaxvm.cli.check.CaseValues;
import org.relaxvm.cli.check.ErrorText;
import org.relaxvm.cli.spi.CaseContext;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** One run of a script: its objects by name, and the calls. Confined to one thread. */
final class ScriptRun implements AutoCloseable {
  private final Script script;
  private final VirtualMachine vm;
  private final CaseContext context;
  private final CaseValues values;
  private final Map<String, Object> objects = new LinkedHashMap<>();
  private final List<Value> held = new ArrayList<>();

  ScriptRun(Script script, VirtualMachine vm, CaseContext context) {
    this.script = script;
    this.vm = vm;
    this.context = context;
    this.values = new CaseValues(script.file(), this::special);
  }

  /** The first difference, or empty when all steps agree. */
  Optional<String> difference() {
    int index = 0;
    for (ScriptStep step : script.steps()) {
      if (!isSkipped(step)) {
        Optional<String> difference = step(step);
        if (difference.isPresent()) {
          return Optional.of("step " + index + ", " + step + ": " + difference.get());
        }
      }
      index++;
    }
    return Optional.empty();
  }

  /** Whether no step can be run. */
  boolean isEmpty() {
    return script.steps().stream().allMatch(this::isSkipped);
  }

  /** A step whose arguments are not in the file, or come from a step that was skipped. */
  private boolean isSkipped(ScriptStep step) {
    boolean hasCallee = step.kind() != ScriptStep.Kind.CLOSURE || objects.containsKey(step.name());
    return !hasCallee || step.args().stream().anyMatch(this::isAbsent);
  }

  private boolean isAbsent(@Nullable Object notation) {
    if (!(notation instanceof Map<?, ?> map)) {
      return false;
    }
    return map.containsKey("unsupported")
        || (map.get("object") instanceof String name && !objects.containsKey(name))
        || (map.get("tuple") instanceof List<?> fields && fields.stream().anyMatch(this::isAbsent));
  }

  private Optional<String> step(ScriptStep step) {
    @Nullable Object[] args = new Object[step.args().size()];
    try {
      for (int i = 0; i < args.length; i++) {
        Object notation = step.args().get(i);
        args[i] = CaseDevices.place(vm, CaseValues.device(notation), values.read(notation));
      }
      return judge(step, args).or(() -> after(step, args));
    } finally {
      for (Object arg : args) {
        Managed.release(arg);
      }
    }
  }

  private Optional<String> judge(ScriptStep step, @Nullable Object[] args) {
    ExpectedError expected = step.error();
    Value result;
    try {
      result = call(step, args);
    } catch (RelaxException e) {
      return expected == null
          ? Optional.of(e.kind() + ": " + e.getMessage())
          : ErrorText.difference(expected, e);
    }
    held.add(result);
    return expected == null
        ? difference(step.result(), result.object())
        : Optional.of(
            "expected " + expected.kind() + " '" + expected.message() + "', but it succeeded");
  }

  private Value call(ScriptStep step, @Nullable Object[] args) {
    return switch (step.kind()) {
      case VM -> vm.function(step.name()).call(args);
      case GLOBAL -> vm.invoke(function(step.name()), args);
      case CLOSURE -> vm.invoke(objects.get(step.name()), args);
    };
  }

  private PackedFunc function(String name) {
    return ScriptNeeds.find(context.registry(), name)
        .orElseThrow(
            () ->
                new MalformedFileException(
                    ErrorKind.VALUE, "'" + script.file() + "': no function '" + name + "'"));
  }

  private Optional<String> after(ScriptStep step, @Nullable Object[] args) {
    for (Map.Entry<Integer, Object> entry : step.after().entrySet()) {
      Object argument = args[entry.getKey()];
      if (argument instanceof Managed managed) {
        // It may get a name, which later steps use; the argument is released at the end of this
        // one.
        Managed kept = managed.newHandle();
        held.add(Value.owned(kept));
        argument = kept;
      }
      Optional<String> difference = difference(entry.getValue(), argument);
      if (difference.isPresent()) {
        return Optional.of("after the call, argument " + entry.getKey() + ": " + difference.get());
      }
    }
    return Optional.empty();
  }

  private Optional<String> difference(@Nullable Object notation, @Nullable Object actual) {
    if (notation instanceof Map<?, ?> map) {
      if (map.containsKey("unsupported")) {
        return Optional.empty();
      }
      if (map.get("object") instanceof String name) {
        return object(name, actual);
      }
      if (map.get("tuple") instanceof List<?> fields && actual instanceof Tuple tuple) {
        return fields(fields, tuple);
      }
    }
    Object want = values.read(notation);
    try {
      return context.difference(want, actual, script.tolerance());
    } finally {
      Managed.release(want);
    }
  }

  private Optional<String> fields(List<?> notations, Tuple tuple) {
    if (notations.size() != tuple.size()) {
      return Optional.of(
          "expected a tuple of " + notations.size() + " fields, but got " + tuple.size());
    }
    for (int i = 0; i < notations.size(); i++) {
      Optional<String> difference = difference(notations.get(i), tuple.get(i));
      if (difference.isPresent()) {
        return Optional.of("field " + i + ": " + difference.get());
      }
    }
    return Optional.empty();
  }

  /**
   * A result gets a name. Where the name is known, the result must be of the same type and takes
   * that name: results are handles of their own, so that identity does not show.
   */
  private Optional<String> object(String name, @Nullable Object actual) {
    if (actual == null) {
      return Optional.of("expected the object " + name + ", but got null");
    }
    Object known = objects.put(name, actual);
    String type = TypeKeys.of(actual);
    return known == null || TypeKeys.of(known).equals(type)
        ? Optional.empty()
        : Optional.of(
            "expected the object " + name + ", a " + TypeKeys.of(known) + ", but got a " + type);
  }

  private Optional<Object> special(String key, @Nullable Object content) {
    return switch (key) {
      case "object" ->
          Optional.ofNullable(objects.get(String.valueOf(content)))
              .map(object -> object instanceof Managed managed ? managed.newHandle() : object);
      case "global" -> Optional.of(function(String.valueOf(content)));
      default -> Optional.empty();
    };
  }

  @Override
  public void close() {
    held.reversed().forEach(Value::close);
  }
}
