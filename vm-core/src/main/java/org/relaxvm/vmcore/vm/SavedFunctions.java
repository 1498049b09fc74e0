package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Calls saved with their arguments, by name. Thread-safe. */
final class SavedFunctions {
  private final VirtualMachine vm;
  private final Map<String, Saved> saved = new LinkedHashMap<>();
  private boolean closed;

  SavedFunctions(VirtualMachine vm) {
    this.vm = vm;
  }

  /** A closure that the map owns, what to do with its result, and the parameters left. */
  private record Saved(
      Closure closure,
      boolean includeReturn,
      List<String> paramNames,
      int parameterCount,
      InputDevices devices) {}

  synchronized List<String> names() {
    return List.copyOf(saved.keySet());
  }

  /** The saved function of a name, or null. */
  synchronized @Nullable VmFunction find(String name) {
    Saved found = saved.get(name);
    return found == null
        ? null
        : new VmFunction(
            name,
            found.paramNames(),
            found.parameterCount(),
            Optional.empty(),
            Optional.empty(),
            args -> call(name, args));
  }

  void save(String function, String savedName, boolean includeReturn, @Nullable Object[] args) {
    try (Conversion conversion = Conversion.of(function, args)) {
      @Nullable Object[] bound =
          InputDevices.main(vm.engine().devices()).toDevices(conversion.values());
      try {
        put(function, savedName, includeReturn, bound);
      } finally {
        InputDevices.release(bound);
      }
    }
  }

  private synchronized void put(
      String function, String savedName, boolean includeReturn, @Nullable Object[] bound) {
    if (closed) {
      throw new CallException(
          ErrorKind.VALUE, "cannot save function " + savedName + ": the virtual machine is closed");
    }
    Saved base = saved.get(function);
    if (base == null) {
      Closure target = vm.closure(function);
      base =
          new Saved(
              target,
              true,
              vm.requireFunction(function).paramNames(),
              Math.toIntExact(vm.requireFunction(function).numArgs()),
              vm.inputDevices(function));
    }
    List<String> names = base.paramNames();
    Saved made =
        new Saved(
            base.closure().bind(bound),
            base.includeReturn() && includeReturn,
            names.subList(0, Math.max(0, names.size() - bound.length)),
            Math.max(0, base.parameterCount() - bound.length),
            base.devices());
    Saved old = saved.put(savedName, made);
    if (old != null) {
      old.closure().release();
    }
  }

  private Value call(String name, @Nullable Object[] args) {
    Saved current = retained(name);
    try {
      Value result = vm.call("function " + name, current.closure(), current.devices(), args);
      if (current.includeReturn()) {
        return result;
      }
      result.close();
      return Value.owned(null);
    } finally {
      current.closure().release();
    }
  }

  /** The function with an owner more, so that it outlives being saved anew. */
  private synchronized Saved retained(String name) {
    Saved current = saved.get(name);
    if (current == null) {
      throw Messages.unknownFunction(name, vm.functionNames());
    }
    current.closure().retain();
    return current;
  }

  synchronized void close() {
    closed = true;
    List<Saved> all = new ArrayList<>(saved.values());
    saved.clear();
    all.forEach(entry -> entry.closure().release());
  }
}
